// The text form of positions, as the server reads it: rows from the top, the side to
// move and, where turns have several plies, those left in the turn. The server decides whether
// a position is possible.

import { lead } from "./men";
import type { Side } from "./types";
import { chessmen, lookOf, say, sideName } from "./words";

/** bothSides duplicates sides of types.ts, because importing it would add a chunk to the first page. */
export const bothSides: Side[] = ["first", "second"];

/** Placement is what a text form says, possible or not. */
export interface Placement {
  cells: string[];
  cols: number;
  turn: Side;
  left: number; // plies left in the turn
}

/** piecesOf lists the pieces of a game. */
export const piecesOf = (game: string): string[] => lookOf(game).letters.map(([piece]) => piece);

/** badgeOf is the piece that represents a side. */
export const badgeOf = (game: string, side: Side): string => piecesOf(game).find((p) => p[0] === (side === "first" ? "1" : "2")) ?? "";

/** capitals reports whether capital and small letters are different pieces. */
const capitals = (game: string): boolean => lookOf(game).letters.some(([, letter]) => letter !== letter.toUpperCase());

/** textOf writes a placement as text. */
export function textOf(game: string, p: Placement): string {
  const { turn, rest, per_turn } = lookOf(game), letters = new Map(lookOf(game).letters);
  const rows: string[] = [];
  for (let at = 0; at < p.cells.length; at += p.cols) {
    let row = "", run = 0;
    for (const piece of p.cells.slice(at, at + p.cols)) {
      if (piece === "") { run++; continue; }
      row += (run > 0 ? String(run) : "") + letters.get(piece);
      run = 0;
    }
    rows.push(row + (run > 0 ? String(run) : ""));
  }
  return `${rows.join("/")} ${turn[p.turn === "first" ? 0 : 1]}${per_turn > 1 ? ` ${p.left}` : ""}${rest}`;
}

/** leftIn reads the plies left in the turn from a text. */
export const leftIn = (game: string, text: string): number => (lookOf(game).per_turn > 1 ? Number(text.trim().split(/\s+/)[2]) : 1);

/** pieceOfKey returns the piece that a key puts on the board, "" for an empty cell, undefined for other keys. */
export function pieceOfKey(game: string, key: string): string | undefined {
  if (["Delete", "Backspace", "e", "E"].includes(key)) return "";
  const { letters, turn } = lookOf(game);
  const exact = letters.find(([, letter]) => letter === key)?.[0];
  if (exact || capitals(game)) return exact;
  if (key.toLowerCase() === "p" && piecesOf(game).includes("#")) return "#";
  const names = [["b", turn[0].toLowerCase()], ["w", turn[1].toLowerCase()]];
  const side = names.findIndex((n) => n.includes(key.toLowerCase()));
  return side < 0 ? undefined : `${side + 1}o`;
}

/** keyOf names the key that puts a piece on the board. */
export function keyOf(game: string, piece: string): string {
  if (piece === "") return "e";
  const letter = new Map(lookOf(game).letters).get(piece)!;
  return capitals(game) ? letter : letter.toLowerCase();
}

/** positionQuery writes a position for an address: readable, because slashes may stand in a query. */
export const positionQuery = (text: string): string => `position=${encodeURIComponent(text).replaceAll("%2F", "/").replaceAll("%20", "+")}`;

/**
 * countText is what the sides have on a board, from its note ("Black 12, White 9"); "" if the game
 * counts nothing. Of chess it says the lead, by the usual values of men.
 */
export function countText(game: string, board: { cells: string[]; note: string }): string {
  const counts = /^\S+ (-?\d+), \S+ (-?\d+)$/.exec(board.note);
  if (!counts) return "";
  if (!chessmen(game)) return say("study.counts", { first: sideName(game, "first"), n: counts[1], second: sideName(game, "second"), m: counts[2] });
  const n = lead(board.cells);
  return n === 0 ? say("study.even") : say("study.ahead", { side: sideName(game, n > 0 ? "first" : "second"), n: Math.abs(n) });
}
