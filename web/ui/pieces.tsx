// Pieces, drawn about the middle of a cell of 20 by 20 units. Those of the two sides differ by
// colour and, if shapes are on, by shape.

import type { JSX } from "preact";
import drawings from "../../picture/pieces.json";
import { set, type Set } from "./store";
import { lookOf } from "./words";

/** Outline is the form of a kind of piece, and the lines on it. */
interface Outline {
  body: string;
  lines: string;
}

// The shapes of pieces other than stones are those of downloaded pictures, too; a kind
// that is not there is shown by its letter.
const turned: Record<string, Outline> = drawings.men;

// The second set: plain outlines, and stones without shading.
const plain: Record<string, string> = {
  P: "M-4.6 7.2h9.2l-.9-2.6c-1.9-1-2.5-2.9-2.3-4.9h1.5v-1.7h-1.3a3 3 0 1 0-3.2 0h-1.3v1.7h1.5c.2 2-.4 3.9-2.3 4.9z",
  R: "M-6 7.2h12v-2.3h-1.7l-.7-6.4 1.2-1.2v-4h-2.5v1.6h-1.1v-1.6h-2.4v1.6h-1.1v-1.6h-2.5v4l1.2 1.2-.7 6.4h-1.7z",
  N: "M-5 7.2h10.4c.8-5.8.3-10.6-5-13l-.6-2-1.8 1.7c-2.4 1-3.4 3.4-4.9 6.2l1.3 2.2 1.6-.5 1-.9c.7.2 1.5 0 2.2-.3-.2 2.6-3.8 3-4.2 6.6z",
  B: "M-5.6 7.2h11.2v-2.2h-2.8l-1-2.2c2.3-1.4 3.1-3.9 1.8-6.3l-3.4 3.6-1-1 3.3-3.7c-.5-.5-1-.9-1.5-1.2a1.5 1.5 0 1 0-2 0c-3.3 1.8-4.9 6.4-.8 8.6l-1 2.2h-2.8z",
  Q: "M-5.8 7.2h11.6l-.5-2.5-.8-1 2.6-7.2-3.3 3-1.5-5-2.3 4.4-2.3-4.4-1.5 5-3.3-3 2.6 7.2-.8 1z",
  K: "M-5.7 7.2h11.4l-.4-2.7c2-1.9 2.1-5.9-1-6.6-1.5-.3-2.7.4-3.4 1.4v-3h1.9v-1.7h-1.9v-2.2h-1.8v2.2h-1.9v1.7h1.9v3c-.7-1-1.9-1.7-3.4-1.4-3.1.7-3 4.7-1 6.6z",
};

/** Piece draws what stands on a cell, in its own coordinates. */
export function Piece({ game, code, shapes }: { game: string; code: string; shapes: boolean }): JSX.Element {
  const color = (code[0] === "1") === lookOf(game).light ? "white" : "black";
  if (code[1] === "o") return <Stone color={color} shapes={shapes} />;
  return <Man kind={code[1]} color={color} set={set.value} />;
}

type Color = "black" | "white";

/** Man draws a piece other than a stone as a set has it. */
export function Man({ kind, color, set }: { kind: string; color: Color; set: Set }): JSX.Element {
  const man = set === "plain" ? plain[kind] && { body: plain[kind], lines: "" } : turned[kind];
  return (
    <g class={`piece man ${color}`}>
      {man ? <path class="body" d={man.body} /> : <text class="letter" text-anchor="middle" dy="5">{kind}</text>}
      {man && man.lines && <path class="lines" d={man.lines} />}
    </g>
  );
}

/** Stone draws a stone. */
export function Stone({ color, shapes }: { color: Color; shapes: boolean }): JSX.Element {
  if (shapes && color === "white") {
    return (
      <g class="piece stone white">
        <rect x="-6.4" y="-6.4" width="12.8" height="12.8" rx="2" transform="rotate(45)" />
        <circle class="mark" r="2" />
      </g>
    );
  }
  return (
    <g class={`piece stone ${color}`}>
      <ellipse class="shade" cx=".4" cy="1" rx="9.4" ry="9.4" />
      <circle r="8" />
      {shapes && <path class="mark" d="M-3 0h6M0-3v6" />}
    </g>
  );
}
