// Pieces, drawn about the middle of a cell of 20 by 20 units. Stones of the two
// sides differ by colour and, if shapes are on, by shape.

import type { JSX } from "preact";
import { set, type Set } from "./store";

/** Outline is the form of a kind of piece, and the lines on it. */
interface Outline {
  body: string;
  lines: string;
}

// The pictures of kinds of piece other than stones, drawn for these pages; a kind
// that is not here is shown by its letter.
const turned: Record<string, Outline> = {
  P: {
    body: "M0-6.5a2.75 2.75 0 0 1 1.8 4.8h1v1.4H1.6c.1 2.1 1.1 3.8 2.8 5 .8.6 1.1 1.3 1.1 2.4h-11c0-1.1.3-1.8 1.1-2.4 1.7-1.2 2.7-2.9 2.8-5h-1.2v-1.4h1A2.75 2.75 0 0 1 0-6.5z",
    lines: "M-4.4 4.9q4.4-.9 8.8 0",
  },
  R: {
    body: "M-5.3-6.8h2.4v1.5h1.6v-1.5h2.6v1.5h1.6v-1.5h2.4v3.7L3.8-1.6l.5 4.8q.1.9.8 1.4 1 .8 1 2.5H-6.1q0-1.7 1-2.5.7-.5.8-1.4l.5-4.8-1.5-1.5z",
    lines: "M-4.9-3.1h9.8M-3.7-1.5h7.4M-4.4 3.5h8.8",
  },
  N: {
    body: "M-5 7.1C-5 2.9-1-.1-1.2-2.3c-1 1.2-2.2 1-3.1 2-.7.8-1.7.7-2.1-.1-.4-.8-.1-1.6.3-2.2.9-1.5 1.4-3 2.7-4.1.3-.8.2-1.6.4-2.4.8.3 1.4.8 1.7 1.5.6-.4 1-.9 1.3-1.6.7.6 1 1.2 1.1 2C4.5-5.7 6.3-2.2 6.1 2.900c0 1.5-.3 2.9-.6 4.200z",
    lines: "M2.2-4.600c2 2.1 2.7 4.6 2.3 8.100M-2.6-4.300l.9-.5M-5.3-.9l.6-.4M-4.6 4.900q4.9-1 10 0",
  },
  B: {
    body: "M0-8.700a1.3 1.3 0 0 1 1 2.150C4-4.800 5.400-2.300 5 .200c-.3 1.300-1 2.300-2 3l.5 1.800C4.600 5.200 6.800 4.700 7.300 7.100 4.600 6.900 2 7.600 0 6.500-2 7.600-4.600 6.900-7.300 7.100-6.800 4.700-4.600 5.200-3.500 5l.5-1.800c-1-.7-1.700-1.700-2-3-.4-2.500 1-5 4-6.750A1.3 1.3 0 0 1 0-8.700z",
    lines: "M0-4.300v4M-1.900-2.500h3.800M-3 3.200q3-.9 6 0M-3.500 5q3.500-.9 7 0",
  },
  Q: {
    body: "M-6.9-4.200l2.7 3.3.6-5.400L-1.1-1.5 0-6.900l1.1 5.4 2.5-4.8.6 5.4 2.7-3.3-2 5.800q-.5 1.4-.3 2.6.9.9.9 2.900H-5.500q0-2 .9-2.9.2-1.2-.3-2.600zM-8-5a1.05 1.05 0 1 0 2.1 0A1.05 1.05 0 1 0-8-5zM-4.7-7.200a1.05 1.05 0 1 0 2.1 0 1.05 1.05 0 1 0-2.1 0zM-1.05-7.900a1.05 1.05 0 1 0 2.1 0 1.05 1.05 0 1 0-2.1 0zM2.6-7.200a1.05 1.05 0 1 0 2.1 0 1.05 1.05 0 1 0-2.1 0zM5.9-5A1.05 1.05 0 1 0 8-5a1.05 1.05 0 1 0-2.1 0z",
    lines: "M-4.7 2q4.7-1.3 9.4 0M-4.5 4.300q4.5-1.1 9 0",
  },
  K: {
    body: "M-.75-9.200h1.500v1.400h1.500v1.450H.75v1.500q1.3-1.45 3.2-1.450c2.5 0 4 1.9 3.6 4.2-.3 1.7-1.5 2.9-2.9 4 .1.7 0 1.3.1 1.900q.9.8.9 3.300H-5.650q0-2.5.9-3.3.1-.6.1-1.900c-1.4-1.1-2.6-2.3-2.9-4-.4-2.3 1.1-4.2 3.6-4.200q1.9 0 3.2 1.450v-1.500h-1.500V-7.800h1.500z",
    lines: "M0-4.700V1M-4.7 2q4.7-1.3 9.4 0M-4.6 4.300q4.6-1.1 9.2 0",
  },
};

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
export function Piece({ code, shapes }: { code: string; shapes: boolean }): JSX.Element {
  if (code[1] === "o") return <Stone side={sideOf(code)} shapes={shapes} />;
  return <Man code={code} set={set.value} />;
}

const sideOf = (code: string): string => (code[0] === "1" ? "one" : "two");

/** Man draws a piece other than a stone as a set has it. */
export function Man({ code, set }: { code: string; set: Set }): JSX.Element {
  const kind = code[1];
  const man = set === "plain" ? plain[kind] && { body: plain[kind], lines: "" } : turned[kind];
  return (
    <g class={`piece man ${sideOf(code)}`}>
      {man ? <path class="body" d={man.body} /> : <text class="letter" text-anchor="middle" dy="5">{kind}</text>}
      {man && man.lines && <path class="lines" d={man.lines} />}
    </g>
  );
}

function Stone({ side, shapes }: { side: string; shapes: boolean }): JSX.Element {
  if (shapes && side === "two") {
    return (
      <g class="piece stone two">
        <rect x="-6.4" y="-6.4" width="12.8" height="12.8" rx="2" transform="rotate(45)" />
        <circle class="mark" r="2" />
      </g>
    );
  }
  return (
    <g class={`piece stone ${side}`}>
      <ellipse class="shade" cx=".4" cy="1" rx="9.4" ry="9.4" />
      <circle r="8" />
      {shapes && <path class="mark" d="M-3 0h6M0-3v6" />}
    </g>
  );
}
