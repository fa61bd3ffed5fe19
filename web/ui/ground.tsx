// The board under its pieces: the frame, the material, the lines and the labels.

import type { JSX } from "preact";
import { isDark } from "./cell";
import type { Metrics } from "./metrics";
import type { Board as Picture } from "./types";
import { lookOf } from "./words";
import type { Window } from "./zoom";

/** Labels names the columns and rows, on the frame. */
export function Labels({ m, board }: { m: Metrics; board: Picture }): JSX.Element {
  return (
    <g class="labels" aria-hidden="true">
      {board.rows.map((text, r) => (
        <text key={`r${r}`} x={m.left / 2 - 0.4} y={m.place(r * m.cols).y} dy="0.36em" text-anchor="middle">{text}</text>
      ))}
      {board.cols.map((text, c) => (
        <text key={`c${c}`} x={m.place(c).x} y={m.height - (m.height - m.top - m.rows * m.unit) / 2 + 0.4} dy="0.36em" text-anchor="middle">{text}</text>
      ))}
    </g>
  );
}

/** Ground draws the frame and the board's material under the cells. */
export function Ground({ m, points }: { m: Metrics; points: boolean }): JSX.Element {
  const all = { x: m.left, y: m.top, width: m.cols * m.unit, height: m.rows * m.unit };
  let path = "";
  if (!points) for (let cell = 0; cell < m.rows * m.cols; cell++) {
    if (!isDark(m, cell)) continue;
    const { x, y } = m.place(cell);
    path += `M${x - m.unit / 2} ${y - m.unit / 2}h${m.unit}v${m.unit}h${-m.unit}z`;
  }
  return (
    <g aria-hidden="true">
      <rect class="frame" width={m.width} height={m.height} rx="3" />
      <rect class="bevel" x=".5" y=".5" width={m.width - 1} height={m.height - 1} rx="2.6" />
      <rect class="inner" x={all.x - 1.2} y={all.y - 1.2} width={all.width + 2.4} height={all.height + 2.4} rx=".8" />
      <rect class="pales" {...all} />
      {path && <path class="darks" d={path} />}
      <rect class="material" {...all} />
      <rect class="light" {...all} />
    </g>
  );
}

/** Grid draws the lines between the cells, and four dots on felt. */
export function Grid({ m, game }: { m: Metrics; game: string }): JSX.Element {
  const [right, bottom] = [m.left + m.cols * m.unit, m.top + m.rows * m.unit];
  let path = "";
  for (let r = 1; r < m.rows; r++) path += `M${m.left} ${m.top + r * m.unit}H${right}`;
  for (let c = 1; c < m.cols; c++) path += `M${m.left + c * m.unit} ${m.top}V${bottom}`;
  const at = lookOf(game).ground === "felt" && m.rows >= 6 ? [2, m.rows - 2] : [];
  return (
    <g class="grid" aria-hidden="true">
      <path d={path} />
      {at.flatMap((r) => at.map((c) => <circle key={`${r} ${c}`} cx={m.left + c * m.unit} cy={m.top + r * m.unit} r="1.5" />))}
    </g>
  );
}

/** Lines draws the lines of a board whose stones stand on intersections. */
export function Lines({ m, cells }: { m: Metrics; cells: string[] }): JSX.Element {
  const a = m.place(0), z = m.place(cells.length - 1);
  const [x1, x2, y1, y2] = [Math.min(a.x, z.x), Math.max(a.x, z.x), Math.min(a.y, z.y), Math.max(a.y, z.y)];
  let path = "";
  for (let r = 0; r < m.rows; r++) path += `M${x1} ${y1 + r * m.unit}H${x2}`;
  for (let c = 0; c < m.cols; c++) path += `M${x1 + c * m.unit} ${y1}V${y2}`;
  const dots = m.rows === m.cols && m.rows >= 13 ? [3, (m.rows - 1) / 2, m.rows - 4].filter(Number.isInteger) : [];
  return (
    <g class="lines" aria-hidden="true">
      <path d={path} />
      {dots.flatMap((r) => dots.map((c) => <circle key={`${r} ${c}`} cx={x1 + c * m.unit} cy={y1 + r * m.unit} r="1.6" />))}
    </g>
  );
}

/** EdgeLabels names the visible rows and columns of a zoomed board. */
export function EdgeLabels({ m, board, view }: { m: Metrics; board: Picture; view: Window }): JSX.Element {
  const pad = view.width / 80;
  const seen = (at: number, from: number, size: number): boolean => at > from + m.unit / 3 && at < from + size - m.unit / 3;
  return (
    <g class="labels edge" aria-hidden="true">
      {board.rows.map((text, r) => {
        const { y } = m.place(r * m.cols);
        return seen(y, view.y, view.height) && <text key={`r${r}`} x={view.x + pad} y={y} dy="0.36em">{text}</text>;
      })}
      {board.cols.map((text, c) => {
        const { x } = m.place(c);
        return seen(x, view.x, view.width) && <text key={`c${c}`} x={x} y={view.y + view.height - pad} text-anchor="middle">{text}</text>;
      })}
    </g>
  );
}

/** Line is an arrow between two cells, or a circle around one. */
export interface Line {
  from: number;
  to: number;
  color?: "green" | "red" | "blue" | "yellow";
}

/** Drawn shows the viewer's arrows and circles. */
export function Drawn({ m, lines }: { m: Metrics; lines: Line[] }): JSX.Element {
  return (
    <g class="drawn" aria-hidden="true">
      {lines.map(({ from, to, color }) => {
        const a = m.place(from), z = m.place(to);
        if (from === to) return <circle key={`${from}`} class={color} cx={a.x} cy={a.y} r={m.unit / 2 - 1} />;
        const angle = Math.atan2(z.y - a.y, z.x - a.x), long = Math.hypot(z.x - a.x, z.y - a.y);
        return <path key={`${from} ${to}`} class={color} transform={`translate(${a.x} ${a.y}) rotate(${(angle * 180) / Math.PI})`} d={`M4-1.3H${long - 6}V-4L${long} 0L${long - 6} 4V1.3H4z`} />;
      })}
    </g>
  );
}
