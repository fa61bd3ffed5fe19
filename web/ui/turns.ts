// The numbers of moves: a number counts a turn of each side, however many moves these have.

import type { Side } from "./types";

/** Row is a turn of each side: the plies of its moves. */
export interface Row {
  number: number;
  plies: number[];
  late: boolean; // the game begins with the second side's turn
}

/** rowsOf groups the plies of a game, given the side that made each. */
export function rowsOf(movers: Side[]): Row[] {
  const rows: Row[] = [];
  movers.forEach((side, i) => {
    if (i === 0 || (side === "first" && movers[i - 1] === "second")) rows.push({ number: rows.length + 1, plies: [], late: i === 0 && side === "second" });
    rows[rows.length - 1].plies.push(i + 1);
  });
  return rows;
}

/** numbersOf returns what stands before each move: "7." or "7…". */
export const numbersOf = (movers: Side[]): string[] => rowsOf(movers).flatMap((r) => r.plies.map((ply) => `${r.number}${movers[ply - 1] === "first" ? "." : "…"}`));
