// One cell of the board: its ground, what stands on it, and how it is marked.

import type { JSX } from "preact";
import type { Board } from "./types";
import type { Metrics } from "./metrics";
import { Piece } from "./pieces";
import { listed, pieceName, say } from "./words";

/** Marks are the decorations of a cell besides its piece. */
export interface Marks {
  last: boolean; // the last move touched it
  newest: boolean; // the last piece came here
  slide?: string; // from where, as a style
  picked: boolean;
  hint: boolean; // a dot says that a move ends here
  legal: boolean; // a move ends here
  start: boolean; // a move starts here
  takes: boolean; // its piece can be taken up, for later, too
  pending: boolean; // a move that is sent or meant for later touches it
  lifted: boolean; // its piece is being dragged
  leaves: boolean; // its piece is about to go
  bad: boolean; // something illegal was tried here
  attacked: boolean; // the king here can be captured
  won: boolean; // it has decided the game
  value?: string; // what a move to it is worth
  best?: boolean; // no other move is worth more
}

/** Change is what stood on a cell before the last move. */
export interface Change {
  from: string;
  turns: boolean; // it is the other side of the same disc
  style: string; // when and about which axis
}

/** isDark reports whether a cell has the darker colour of a chequered board. */
export const isDark = (m: Metrics, cell: number): boolean => (Math.floor(cell / m.cols) + (cell % m.cols)) % 2 === 1;

export interface CellProps {
  change?: Change;
  m: Metrics;
  cell: number;
  board: Board;
  game: string;
  shapes: boolean;
  marks: Marks;
  tab: number | null; // null in pictures
  ghost: string;
}

/** Cell draws one cell. */
export function Cell({ m, cell, board, game, shapes, marks, tab, ghost, change }: CellProps): JSX.Element {
  const code = board.cells[cell];
  const { x, y } = m.place(cell);
  const u = m.unit;
  const names = ["cell", isDark(m, cell) ? "dark" : "pale"];
  for (const k of ["last", "picked", "pending", "takes", "bad", "attacked", "won", "leaves"] as const) if (marks[k]) names.push(k);
  if (code === "#") names.push("pit");
  if (marks.legal) names.push("legal");
  const access = tab === null ? {} : {
    role: "gridcell" as const, tabindex: tab, "data-cell": cell, "data-name": cellName(board, cell), // in a drawing, "tabIndex" is no attribute
    "aria-label": describe(board, game, cell, marks), "aria-selected": marks.picked,
  };
  return (
    <g class={names.join(" ")} transform={`translate(${x} ${y})`} {...access}>
      {tab !== null && <rect class="ground" x={-u / 2} y={-u / 2} width={u} height={u} />}
      {marks.last && <rect class="trace" x={-u / 2} y={-u / 2} width={u} height={u} />}
      {marks.won && <rect class="winning" x={-u / 2} y={-u / 2} width={u} height={u} />}
      {marks.picked && <rect class="up" x={-u / 2} y={-u / 2} width={u} height={u} />}
      {marks.attacked && <circle class="danger" r="9.4" />}
      {code === "#" && <><path class="hole" d="M-9-9H9V9H-9z" /><path class="cross" d="M-4-4L4 4M4-4L-4 4" /></>}
      {change && !change.turns && <g key={`gone ${change.from}`} class="gone" aria-hidden="true"><Piece game={game} code={change.from} shapes={shapes} /></g>}
      {code !== "" && code !== "#" && (
        <g key={code} class={`on${change?.turns ? " turns" : ""}${marks.newest ? " newest" : ""}${marks.slide ? " slide" : ""}${marks.lifted ? " lifted" : ""}`} style={marks.slide ?? change?.style}>
          {change?.turns && <g class="old"><Piece game={game} code={change.from} shapes={shapes} /></g>}
          <g class="front"><Piece game={game} code={code} shapes={shapes} /></g>
          {marks.newest && code[1] === "o" && <circle class="dot" r="2.4" />}
        </g>
      )}
      {marks.hint && (code === "" ? <circle class="hint" r="2.8" /> : <circle class="take" r="8.8" />)}
      {marks.legal && code === "" && <circle class="hover" r="7" />}
      {marks.value !== undefined && <text class={`value${marks.best ? " best" : ""}`} text-anchor="middle" dy=".36em">{marks.value}</text>}
      {ghost !== "" && <g class="ghost later"><Piece game={game} code={ghost} shapes={shapes} /></g>}
      {tab !== null && <rect class="ring" x={1 - u / 2} y={1 - u / 2} width={u - 2} height={u - 2} rx="1.5" />}
    </g>
  );
}

/** cellName is the name of a cell, as in moves: "d3". */
export function cellName(b: Board, cell: number): string {
  return b.cols[cell % b.cols.length] + b.rows[Math.floor(cell / b.cols.length)];
}

/** describe returns the accessible description of a cell. */
function describe(b: Board, game: string, cell: number, marks: Marks): string {
  const parts = [cellName(b, cell), pieceName(game, b.cells[cell])];
  if (marks.picked) parts.push(say("cell.picked"));
  if (marks.hint) parts.push(say("cell.legal"));
  if (marks.start && !marks.picked) parts.push(say("cell.start"));
  if (marks.pending) parts.push(say("cell.pending"));
  if (marks.attacked) parts.push(say("cell.attacked"));
  if (marks.value !== undefined) parts.push(marks.value);
  if (marks.last) parts.push(say("cell.last"));
  return listed(parts);
}
