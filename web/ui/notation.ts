// The text form of positions, as the server reads it: rows from the top, the side to
// move and, in Connect6, the stones left in the turn. The server decides whether a
// position is possible.

import type { Side } from "./types";
import { say, sideName } from "./words";

/** bothSides duplicates sides of types.ts, because importing it would add a chunk to the first page. */
export const bothSides: Side[] = ["first", "second"];

/** Placement is what a text form says, possible or not. */
export interface Placement {
  cells: string[];
  cols: number;
  turn: Side;
  left: number; // stones left in the turn, in Connect6
}

interface Form {
  letters: Record<string, string>; // by the piece
  turn: [string, string];
  end: (p: Placement) => string;
}

const none = (): string => "";
const stones = { letters: { "1o": "B", "2o": "W" }, turn: ["B", "W"] as [string, string] };
const men = Object.fromEntries([..."KQRBNP"].flatMap((k) => [[`1${k}`, k], [`2${k}`, k.toLowerCase()]]));

const forms: Record<string, Form> = {
  neighbors: { ...stones, end: none },
  loa: { ...stones, end: none },
  othello: { letters: { "1o": "X", "2o": "O", "#": "#" }, turn: ["X", "O"], end: none },
  connect6: { ...stones, end: (p) => ` ${p.left}` },
  chess: { letters: men, turn: ["w", "b"], end: () => " - - 0 1" },
};

/** piecesOf lists the pieces of a game, those of the first side first. */
export const piecesOf = (game: string): string[] => Object.keys(forms[game].letters);

/** textOf writes a placement as text. */
export function textOf(game: string, p: Placement): string {
  const { letters, turn, end } = forms[game];
  const rows: string[] = [];
  for (let at = 0; at < p.cells.length; at += p.cols) {
    let row = "", run = 0;
    for (const piece of p.cells.slice(at, at + p.cols)) {
      if (piece === "") { run++; continue; }
      row += (run > 0 ? String(run) : "") + letters[piece];
      run = 0;
    }
    rows.push(row + (run > 0 ? String(run) : ""));
  }
  return `${rows.join("/")} ${turn[p.turn === "first" ? 0 : 1]}${end(p)}`;
}

/** leftIn reads the stones left in the turn from a text; 1 for games that have none. */
export const leftIn = (game: string, text: string): number => (game === "connect6" ? Number(text.trim().split(/\s+/)[2]) : 1);

/** pieceOfKey returns the piece that a key puts on the board, "" for an empty cell, undefined for other keys. */
export function pieceOfKey(game: string, key: string): string | undefined {
  if (["Delete", "Backspace", "e", "E"].includes(key)) return "";
  const { letters, turn } = forms[game];
  const exact = Object.keys(letters).find((piece) => letters[piece] === key);
  if (exact || game === "chess") return exact; // there, capitals are White's
  if (key.toLowerCase() === "p" && letters["#"]) return "#";
  const names = [["b", turn[0].toLowerCase()], ["w", turn[1].toLowerCase()]];
  const side = names.findIndex((n) => n.includes(key.toLowerCase()));
  return side < 0 ? undefined : `${side + 1}o`;
}

/** keyOf names the key that puts a piece on the board. */
export function keyOf(game: string, piece: string): string {
  if (piece === "") return "e";
  const letter = forms[game].letters[piece];
  return game === "chess" ? letter : letter.toLowerCase();
}

/** positionQuery writes a position for an address: readable, because slashes may stand in a query. */
export const positionQuery = (text: string): string => `position=${encodeURIComponent(text).replaceAll("%2F", "/").replaceAll("%20", "+")}`;

/**
 * countText is what the sides have on the board, from the board's note ("Black 12, White 9");
 * "" if the game counts nothing. Of chess it says the difference: sums with a king's 1000 in
 * them mean nothing to players.
 */
export function countText(game: string, note: string): string {
  const m = /^\S+ (-?\d+), \S+ (-?\d+)$/.exec(note);
  if (!m || game !== "chess") return m ? note : "";
  const n = Number(m[1]) - Number(m[2]);
  return n === 0 ? say("study.even") : say("study.ahead", { side: sideName(game, n > 0 ? "first" : "second"), n: Math.abs(n) });
}
