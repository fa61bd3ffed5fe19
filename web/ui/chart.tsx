// The graph of a game: the winning chances after each move. It steps through the game; to
// assistive technology it is a slider over the moves.

import type { JSX } from "preact";
import type { Ply } from "./reviewing";

const width = 300, height = 90;

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

/** Chart draws the first side's chances from the bottom up. */
export function Chart({ plies, moves, at, label, text, turning, onLook }: Props): JSX.Element {
  const x = (ply: number): number => (moves === 0 ? 0 : (ply / moves) * width);
  const y = (lead: number): number => (1 - lead) * height;
  const points = plies.map((p) => `L${x(p.ply).toFixed(1)} ${y(p.lead).toFixed(1)}`).join("");
  const begin = plies.find(Boolean), from = begin ? x(begin.ply - 1) : 0, end = points ? width : 0;
  const line = `M${from} ${begin ? y(begin.lead + (begin.side === "first" ? begin.loss : -begin.loss)) : height / 2}${points}`;
  const pointed = (e: PointerEvent): void => {
    if (e.type === "pointermove" && e.buttons === 0) return;
    const box = (e.currentTarget as Element).getBoundingClientRect();
    onLook(Math.round(((e.clientX - box.left) / box.width) * moves));
  };
  const key = (e: KeyboardEvent): void => {
    const to = { ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1, PageUp: at + 10, PageDown: at - 10, Home: 0, End: moves }[e.key];
    if (to === undefined) return;
    onLook(Math.max(0, Math.min(to, moves)));
    e.preventDefault();
    e.stopPropagation();
  };
  return (
    <div class="chart" role="slider" tabIndex={0} aria-label={label} aria-valuemin={0} aria-valuemax={moves} aria-valuenow={at} aria-valuetext={text} onKeyDown={key}>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true" onPointerDown={pointed} onPointerMove={pointed}>
        <path class="area" d={`${line}L${end} ${height}L${from} ${height}z`} />
        <path class="even" d={`M0 ${height / 2}H${width}`} />
        {turning > 0 && <path class="turning" d={`M${x(turning)} 0V${height}`} />}
        <path class="curve" d={line} />
        {plies.filter((p) => p.judgement !== "").map((p) => <ellipse key={p.ply} class={dots[p.judgement]} cx={x(p.ply)} cy={y(p.lead)} rx="3" ry="3" />)}
        <path class="now" d={`M${x(at)} 0V${height}`} />
      </svg>
    </div>
  );
}
