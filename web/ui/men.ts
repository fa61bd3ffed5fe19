// Chess beside its board: attacked kings, captured men, and moves in standard algebraic
// notation (SAN). Only the server decides whether a move is legal.

import type { Move } from "./types";
import { chessmen } from "./words";

/** worth is a man's usual value. Games that are halted are scored with others, by the server. */
const worth: Record<string, number> = { Q: 9, R: 5, B: 3, N: 3, P: 1 };

const size = 8; // cell 0 is a8
const name = (cell: number): string => "abcdefgh"[cell % size] + String(size - Math.floor(cell / size));

/** attacks reports whether the man on a cell could capture on another. */
function attacks(cells: string[], from: number, to: number): boolean {
  const down = Math.floor(to / size) - Math.floor(from / size), right = (to % size) - (from % size);
  const [high, wide] = [Math.abs(down), Math.abs(right)];
  if (high + wide === 0) return false;
  const straight = high === 0 || wide === 0, diagonal = high === wide;
  switch (cells[from][1]) {
    case "P": return wide === 1 && down === (cells[from][0] === "1" ? -1 : 1);
    case "N": return high * wide === 2;
    case "K": return high <= 1 && wide <= 1;
    case "R": return straight && clear(cells, from, to);
    case "B": return diagonal && clear(cells, from, to);
    default: return (straight || diagonal) && clear(cells, from, to);
  }
}

/** clear reports whether nothing stands between two cells of a line. */
function clear(cells: string[], from: number, to: number): boolean {
  const step = size * Math.sign(Math.floor(to / size) - Math.floor(from / size)) + Math.sign((to % size) - (from % size));
  for (let at = from + step; at !== to; at += step) if (cells[at] !== "") return false;
  return true;
}

/** attackedKings returns the cells of the kings that the other side attacks. */
export function attackedKings(cells: string[]): number[] {
  const attacked = (king: number): boolean => cells.some((c, i) => c !== "" && c[0] !== cells[king][0] && attacks(cells, i, king));
  return cells.flatMap((c, i) => (c[1] === "K" && attacked(i) ? [i] : []));
}

/** san writes a move that was played, by the cells before it and after it. */
export function san(before: string[], move: Move, after?: string[]): string {
  const { from, to } = move;
  if (from === undefined || to === undefined || before.length !== size * size || !before[from]) return move.move;
  const kind = before[from][1], take = before[to] === "" ? "" : "x";
  const check = after?.some((c) => c === `${before[from][0] === "1" ? "2" : "1"}K`) && attackedKings(after).some((k) => after[k][0] !== before[from][0]) ? "+" : "";
  if (kind === "P") return (take ? name(from)[0] + take : "") + name(to) + check;
  const like = before.flatMap((c, i) => (i !== from && c === before[from] && attacks(before, i, to) ? [name(i)] : []));
  const [file, rank] = name(from);
  let origin = "";
  if (like.length > 0) origin = !like.some((n) => n[0] === file) ? file : !like.some((n) => n[1] === rank) ? rank : file + rank;
  return kind + origin + take + name(to) + check;
}

const cellOf = (name: string): number => (size - Number(name[1])) * size + "abcdefgh".indexOf(name[0]);

/**
 * notated writes moves of a game, played one after another from some cells, as players of
 * the game do: chess in SAN, other games as they are. This chess has no castling, no en
 * passant capture and no promotion, so that a move changes two cells.
 */
export function notated(game: string, cells: string[], moves: string[]): string[] {
  if (!chessmen(game)) return moves;
  let before = cells;
  return moves.map((move) => {
    const from = cellOf(move), to = cellOf(move.slice(2)), after = before.slice();
    [after[from], after[to]] = ["", before[from]];
    const text = san(before, { move, from, to }, after);
    before = after;
    return text;
  });
}

/** readMove finds the legal move that a player has typed; undefined if there is none. */
export function readMove(game: string, cells: string[], legal: Move[], text: string): Move | undefined {
  const wanted = text.trim();
  return legal.find((m) => m.move.toLowerCase() === wanted.toLowerCase()) ?? (chessmen(game) ? readSAN(cells, legal, wanted) : undefined);
}

/** readSAN finds the legal move that a text in SAN names. Capitals matter only where b is a file and B a bishop. */
function readSAN(cells: string[], legal: Move[], text: string): Move | undefined {
  const plain = (t: string): string => t.replace(/[x:+#=-]/g, "");
  const same = (how: (t: string) => string): Move[] => legal.filter((m) => how(plain(san(cells, m))) === how(plain(text)));
  const exact = same((t) => t);
  if (exact.length > 0) return exact[0];
  const loose = same((t) => t.toLowerCase());
  return loose.length === 1 ? loose[0] : undefined;
}

/** Booty is what a side has captured, and its lead in material. */
export interface Booty {
  men: string[];
  ahead: number;
}

/** booty compares the men of the start with those that are left. */
export function booty(start: string[], now: string[], digit: string): Booty {
  const other = digit === "1" ? "2" : "1";
  const count = (cells: string[], code: string): number => cells.filter((c) => c === code).length;
  const men = [..."QRBNPK"].flatMap((k) => Array<string>(Math.max(0, count(start, other + k) - count(now, other + k))).fill(other + k));
  return { men, ahead: digit === "1" ? lead(now) : -lead(now) };
}

/** lead is by how much the first side's men are worth more. */
export const lead = (cells: string[]): number => cells.reduce((n, c) => n + (c[0] === "1" ? 1 : -1) * (worth[c[1]] ?? 0), 0);
