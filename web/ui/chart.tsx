// Graphs: the winning chances after each move of a game, and how a person's rating came about. To assistive technology a
// graph is a slider over its points.

import type { ComponentChildren, JSX } from "preact";
import type { Ply } from "./reviewing";

const width = 300, height = 90;

/** across and up return where a point is drawn: the steps are at equal distances, and a share is from 0 to 1. */
const across = (step: number, last: number): number => (last === 0 ? 0 : (step / last) * width);
const up = (share: number): number => (1 - share) * height;

interface GraphProps {
  line: string; // the path of the curve
  from: number; // its ends, across
  end: number;
  last: number; // step
  at: number; // the step that is looked at
  label: string;
  text: string; // of that step
  over?: ComponentChildren; // marks on the curve
  children?: ComponentChildren; // marks behind the curve
  note?: ComponentChildren; // beside the drawing
  onLook: (step: number) => void;
}

/** Graph draws a curve from the bottom up, and looks at its steps by mouse, finger and keys. */
function Graph({ line, from, end, last, at, label, text, over, children, note, onLook }: GraphProps): JSX.Element {
  const look = (step: number): void => onLook(Math.max(0, Math.min(step, last))); // a finger may leave the graph
  const pointed = (e: PointerEvent): void => {
    if (e.type === "pointermove" && e.buttons === 0) return;
    const box = (e.currentTarget as Element).getBoundingClientRect();
    look(Math.round(((e.clientX - box.left) / box.width) * last));
  };
  const key = (e: KeyboardEvent): void => {
    const to = { ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1, PageUp: at + 10, PageDown: at - 10, Home: 0, End: last }[e.key];
    if (to === undefined) return;
    look(to);
    e.preventDefault();
    e.stopPropagation();
  };
  return (
    <div class="chart" role="slider" tabIndex={0} aria-label={label} aria-valuemin={0} aria-valuemax={last} aria-valuenow={at} aria-valuetext={text} onKeyDown={key}>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true" onPointerDown={pointed} onPointerMove={pointed}>
        <path class="area" d={`${line}L${end} ${height}L${from} ${height}z`} />
        {children}
        <path class="curve" d={line} />
        {over}
        <path class="now" d={`M${across(at, last)} 0V${height}`} />
      </svg>
      {note}
    </div>
  );
}

interface Props {
  plies: Ply[]; // by ply; the first ones may be missing
  moves: number;
  at: number;
  label: string;
  text: string; // of the move that is looked at
  turning: number;
  onLook: (ply: number) => void;
}

const dots: Record<string, string> = { "?!": "inaccuracy", "?": "mistake", "??": "blunder" };

/** Chart draws the first side's chances. */
export function Chart({ plies, moves, turning, ...rest }: Props): JSX.Element {
  const x = (ply: number): number => across(ply, moves);
  const points = plies.map((p) => `L${x(p.ply).toFixed(1)} ${up(p.lead).toFixed(1)}`).join("");
  const begin = plies.find(Boolean), from = begin ? x(begin.ply - 1) : 0, end = points ? width : 0;
  const line = `M${from} ${begin ? up(begin.lead + (begin.side === "first" ? begin.loss : -begin.loss)) : height / 2}${points}`;
  const marks = plies.filter((p) => p.judgement !== "").map((p) => <ellipse key={p.ply} class={dots[p.judgement]} cx={x(p.ply)} cy={up(p.lead)} rx="3" ry="3" />);
  return (
    <Graph {...{ line, from, end, ...rest }} last={moves} over={marks}>
      <path class="even" d={`M0 ${height / 2}H${width}`} />
      {turning > 0 && <path class="turning" d={`M${x(turning)} 0V${height}`} />}
    </Graph>
  );
}

/** Curve draws some values, with the highest and the lowest written beside them. */
export function Curve({ values, ...rest }: { values: number[]; at: number; label: string; text: string; onLook: (step: number) => void }): JSX.Element {
  const last = values.length - 1, high = Math.max(...values), low = Math.min(...values);
  const share = (v: number): number => (high === low ? 0.5 : 0.06 + (0.88 * (v - low)) / (high - low));
  const line = values.map((v, i) => `${i ? "L" : "M"}${across(i, last).toFixed(1)} ${up(share(v)).toFixed(1)}`).join("");
  return <Graph {...{ line, from: 0, end: width, last, ...rest }} note={<><span aria-hidden="true">{high}</span><span aria-hidden="true">{low}</span></>} />;
}
