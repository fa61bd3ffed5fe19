// Move numbers: each covers one turn of both sides, however many moves a turn has.

import type { Side } from "./types";

/** Row holds the plies with the same move number: one turn of each side. */
export interface Row {
  number: number;
  plies: number[];
  late: boolean; // the game begins with the second side's turn
}

/** rowsOf groups the plies of a game by move number, given the side that made each. */
export function rowsOf(movers: Side[]): Row[] {
  const rows: Row[] = [];
  movers.forEach((side, i) => {
    if (i === 0 || (side === "first" && movers[i - 1] === "second")) rows.push({ number: rows.length + 1, plies: [], late: i === 0 && side === "second" });
    rows[rows.length - 1].plies.push(i + 1);
  });
  return rows;
}

/** numbersOf returns the number to print before each move: "7." or "7…". */
export const numbersOf = (movers: Side[]): string[] => rowsOf(movers).flatMap((r) => r.plies.map((ply) => `${r.number}${movers[ply - 1] === "first" ? "." : "…"}`));
