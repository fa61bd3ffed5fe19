// A static position: a board without labels or interaction.

import { useMemo } from "preact/hooks";
import type { JSX } from "preact";
import type { Marks } from "./cell";
import { many, slideOf, useCells, useChanges, viewBox } from "./drawing";
import { Grid, Ground, Lines } from "./ground";
import { metrics } from "./metrics";
import { drawShapes } from "./store";
import type { Board, Move } from "./types";
import { dress } from "./words";
import { whole } from "./zoom";

interface Props {
  game: string;
  board: Board;
  label: string; // "" where what stands beside it says all
  last?: Move;
}

const unmarked: Marks = { last: false, newest: false, picked: false, hint: false, legal: false, start: false, takes: false, pending: false, lifted: false, leaves: false, bad: false, attacked: false, won: false };

/** Diagram draws a position without its empty cells, which show nothing, and animates the move that led to it. */
export function Diagram({ game, board, label, last }: Props): JSX.Element {
  const m = useMemo(() => metrics(board, false, false), [board.rows.length, board.cols.length]);
  const changes = useChanges(board.cells, last, m);
  const drawnCell = useCells(game, m);
  const marks = (cell: number): Marks => (last?.to === cell || last?.from === cell ? { ...unmarked, last: true, newest: last.to === cell, slide: slideOf(m, last, cell) } : unmarked);
  return (
    <svg class={`board ${board.points ? "points" : "squares"}${many(board)}`} {...dress(game)} viewBox={viewBox(whole(m))} role={label ? "img" : undefined} aria-label={label || undefined} aria-hidden={label ? undefined : true}>
      <Ground m={m} points={board.points} />
      {board.points ? <Lines m={m} cells={board.cells} /> : <Grid m={m} game={game} />}
      {board.cells.map((code, cell) => {
        const mark = marks(cell);
        return (code !== "" || mark.last) && drawnCell(cell, { m, cell, board, game, shapes: drawShapes(), marks: mark, tab: null, ghost: "", change: changes.get(cell) });
      })}
    </svg>
  );
}

/** columns returns how many columns a number of games is laid out in, so that their names fit. */
export const columns = (games: number): number => (games <= 5 ? games : Math.ceil(games / 2));

/** crop shows the middle of a large board, where the pieces are. */
export function crop(b: Board): Board {
  const most = 11;
  if (b.rows.length <= most || b.cols.length <= most) return b;
  const top = Math.floor((b.rows.length - most) / 2), left = Math.floor((b.cols.length - most) / 2);
  const cells = b.cells.filter((_, i) => {
    const row = Math.floor(i / b.cols.length) - top, col = (i % b.cols.length) - left;
    return row >= 0 && row < most && col >= 0 && col < most;
  });
  return { ...b, cells, rows: b.rows.slice(top, top + most), cols: b.cols.slice(left, left + most) };
}
