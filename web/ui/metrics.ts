// The geometry of a drawn board: the places of cells, and their neighbours.

import type { Board } from "./types";

export interface Place {
  x: number;
  y: number;
}

export interface Metrics {
  rows: number;
  cols: number;
  unit: number; // the width of a cell
  left: number;
  top: number;
  label: number; // the greatest size of a label that has room
  width: number; // of the drawing
  height: number;
  /** the cell shown in a row and a column */
  cell(row: number, col: number): number;
  /** the middle of a cell */
  place(cell: number): Place;
}

/** metrics lays out a board; turned round if flip, with room for labels if labels. */
export function metrics(b: Board, flip: boolean, labels: boolean): Metrics {
  const rows = b.rows.length, cols = b.cols.length, unit = 20;
  const wide = Math.max(...b.rows.map((r) => r.length));
  const few = cols <= 10; // labels are smaller then
  const rim = !labels ? 3 : few ? 5 + 4 * wide : 6 + 5 * wide; // a frame, on which the labels stand: as wide on all sides
  const count = rows * cols;
  const seen = (cell: number): number => (flip ? count - 1 - cell : cell);
  return {
    rows, cols, unit, left: rim, top: rim, label: few ? 6 : 8.5,
    width: rim + cols * unit + rim,
    height: rim + rows * unit + rim,
    cell: (r, c) => seen(r * cols + c),
    place(cell) {
      const i = seen(cell);
      return { x: rim + (i % cols) * unit + unit / 2, y: rim + Math.floor(i / cols) * unit + unit / 2 };
    },
  };
}

/** cellAt returns the cell at a place of the drawing, or -1. */
export function cellAt(m: Metrics, at: Place): number {
  const row = Math.floor((at.y - m.top) / m.unit), col = Math.floor((at.x - m.left) / m.unit);
  return row < 0 || col < 0 || row >= m.rows || col >= m.cols ? -1 : m.cell(row, col);
}

/** cellsBetween returns the cells under a line, without the one in which it begins: a fast pointer skips cells. */
export function cellsBetween(m: Metrics, from: Place, to: Place): number[] {
  const steps = Math.ceil((4 * Math.hypot(to.x - from.x, to.y - from.y)) / m.unit);
  const cells: number[] = [];
  for (let i = 1, last = cellAt(m, from); i <= steps; i++) {
    const cell = cellAt(m, { x: from.x + ((to.x - from.x) * i) / steps, y: from.y + ((to.y - from.y) * i) / steps });
    if (cell >= 0 && cell !== last) cells.push(cell);
    last = cell;
  }
  return cells;
}

/** arrow returns the cell to which an arrow key moves the focus, or -1 for other keys. */
export function arrow(m: Metrics, from: number, key: string): number {
  const origin = m.cell(0, 0) === 0 ? from : m.rows * m.cols - 1 - from;
  let row = Math.floor(origin / m.cols), col = origin % m.cols;
  switch (key) {
    case "ArrowUp": row = Math.max(row - 1, 0); break;
    case "ArrowDown": row = Math.min(row + 1, m.rows - 1); break;
    case "ArrowLeft": col = Math.max(col - 1, 0); break;
    case "ArrowRight": col = Math.min(col + 1, m.cols - 1); break;
    case "Home": col = 0; break;
    case "End": col = m.cols - 1; break;
    case "PageUp": row = 0; break;
    case "PageDown": row = m.rows - 1; break;
    default: return -1;
  }
  return m.cell(row, col);
}
