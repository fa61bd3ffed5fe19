// Choosing a move on a board by mouse, touch or keys, from the legal moves and the
// cells that they touch.

import type { Move } from "./types";

export interface Choice {
  /** the cell whose piece has been taken up, or -1 */
  picked: number;
  /** the move that the last step completed */
  move?: Move;
}

export const nothing: Choice = { picked: -1 };

const isPut = (m: Move): boolean => m.from === undefined && m.to !== undefined;

/** choose handles a tap on a cell, or its key. */
export function choose(legal: Move[], picked: number, cell: number): Choice {
  const put = legal.find((m) => isPut(m) && m.to === cell);
  if (put) return { picked: -1, move: put };
  if (picked >= 0) {
    const shift = legal.find((m) => m.from === picked && m.to === cell);
    if (shift) return { picked: -1, move: shift };
  }
  const starts = picked !== cell && legal.some((m) => m.from === cell);
  return { picked: starts ? cell : -1 };
}

/** targets returns the cells to which a move could be completed now. */
export function targets(legal: Move[], picked: number): Set<number> {
  const set = new Set<number>();
  for (const m of legal) {
    if (m.to !== undefined && (isPut(m) || m.from === picked)) set.add(m.to);
  }
  return set;
}

/** origins returns the cells whose pieces can be taken up. */
export function origins(legal: Move[]): Set<number> {
  const set = new Set<number>();
  for (const m of legal) if (m.from !== undefined) set.add(m.from);
  return set;
}

/**
 * early takes a step of a move that is meant for the time when it is one's turn:
 * what will be legal is not known, so any own piece may go to any cell.
 */
export function early(cells: string[], mine: string, shifts: boolean, picked: number, cell: number): Choice {
  if (!shifts) return cells[cell] === "" ? { picked: -1, move: { move: "", to: cell } } : nothing;
  if (picked >= 0 && picked !== cell) return { picked: -1, move: { move: "", from: picked, to: cell } };
  return { picked: picked !== cell && cells[cell].startsWith(mine) ? cell : -1 };
}

/** found returns the legal move that touches the same cells, if there is one. */
export function found(legal: Move[], m: Move): Move | undefined {
  return legal.find((l) => l.from === m.from && l.to === m.to);
}
