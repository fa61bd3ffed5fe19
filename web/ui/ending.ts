// The cells that decided a game, to be highlighted: the six stones, the connected
// group, the captured king, the discs flipped last.

import type { Board, Move } from "./types";

/** decisive returns the cells that show why the winner ("1" or "2", or "" in a draw) has won by the rules. */
export function decisive(game: string, board: Board, before: string[] | undefined, last: Move | undefined, winner: string): Set<number> {
  if (game === "connect6") return sixes(board, winner);
  if (game === "loa" || game === "neighbors") return own(board.cells, winner);
  if (game === "chess") return new Set(last?.to === undefined ? [] : [last.to]);
  return new Set(board.cells.flatMap((c, i) => (before && c !== before[i] ? [i] : [])));
}

const own = (cells: string[], digit: string): Set<number> => new Set(cells.flatMap((c, i) => (digit !== "" && c[0] === digit ? [i] : [])));

/** sixes returns the stones of all rows of six or more of a side. */
function sixes(b: Board, digit: string): Set<number> {
  const found = new Set<number>(), stones = own(b.cells, digit), width = b.cols.length;
  for (const start of stones) {
    for (const [down, right] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
      const row: number[] = [];
      for (let r = Math.floor(start / width), c = start % width; c >= 0 && c < width && stones.has(r * width + c); r += down, c += right) row.push(r * width + c);
      if (row.length >= 6) for (const cell of row) found.add(cell);
    }
  }
  return found;
}
