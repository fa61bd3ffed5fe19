// What boards and diagrams share: caching unchanged cells, and animating what the last
// move changed.

import { useEffect, useMemo, useRef } from "preact/hooks";
import type { JSX } from "preact";
import { Cell, type CellProps, type Change } from "./cell";
import type { Metrics } from "./metrics";
import type { Board, Move } from "./types";
import type { Window } from "./zoom";

/** viewBox writes a part of a drawing as SVG does. */
export const viewBox = (w: Window): string => `${w.x} ${w.y} ${w.width} ${w.height}`;

/** many is the class of boards with so many stones that their shadows, a few pixels wide, would double the time of painting them. */
export const many = (b: Board): string => (b.cols.length > 19 ? " many" : "");

/** useCells caches the drawings of unchanged cells: a large board has hundreds, and a move changes a few. */
export function useCells(game: string, m: Metrics): (cell: number, props: CellProps) => JSX.Element {
  const cells = useMemo(() => new Map<number, { key: string; drawing: JSX.Element }>(), [game, m]);
  return (cell, props) => {
    const { marks, board, shapes, tab, ghost, change } = props;
    const key = `${board.cells[cell]} ${shapes} ${tab} ${ghost} ${change?.from} ${change?.style} ${Object.values(marks).join()}`;
    let kept = cells.get(cell);
    if (kept?.key !== key) cells.set(cell, kept = { key, drawing: <Cell key={cell} {...props} /> });
    return kept.drawing;
  };
}

const stagger = 60; // milliseconds by which discs further away turn later

/** useChanges returns what stood on the cells that the last move changed, so that discs flip and captured pieces fade. */
export function useChanges(cells: string[], last: Move | undefined, m: Metrics): Map<number, Change> {
  const before = useRef(cells);
  const changes = useMemo(() => {
    const old = before.current, found = new Map<number, Change>();
    if (old === cells || old.length !== cells.length || last?.to === undefined) return found;
    const changed = cells.flatMap((c, i) => (c !== old[i] ? [i] : []));
    if (changed.length > cells.length / 2 || !changed.includes(last.to)) return found; // another position, not a move
    const to = m.place(last.to);
    for (const i of changed) {
      if (old[i] === "" || old[i] === "#" || cells[i] === "") continue;
      const { x, y } = m.place(i);
      const far = Math.max(Math.abs(x - to.x), Math.abs(y - to.y)) / m.unit;
      found.set(i, { from: old[i], turns: old[i][1] === "o" && i !== last.to, style: `--delay:${Math.max(0, far - 1) * stagger + 80}ms;--axis:${Math.round((Math.atan2(y - to.y, x - to.x) * 180) / Math.PI)}deg` });
    }
    return found;
  }, [cells]);
  useEffect(() => { before.current = cells; }, [cells]);
  return changes;
}

/** slideOf returns by how much a piece has just been moved to a cell. */
export function slideOf(m: Metrics, last: Move | undefined, cell: number): string | undefined {
  if (last?.from === undefined || last.to !== cell) return undefined;
  const [a, b] = [m.place(last.from), m.place(cell)];
  return `--dx:${a.x - b.x}px;--dy:${a.y - b.y}px`;
}

/** cellOrder returns the cells row by row as they are seen. */
export function cellOrder(m: Metrics): number[][] {
  const rows: number[][] = [];
  for (let r = 0; r < m.rows; r++) {
    const row: number[] = [];
    for (let c = 0; c < m.cols; c++) row.push(m.cell(r, c));
    rows.push(row);
  }
  return rows;
}
