// The cells that decided a game, to be highlighted: the six stones, the connected
// group, the captured king, the discs flipped last.

import type { Board, Move, View } from "./types";
import { lookOf, resultText, say, sideName } from "./words";

/** Event is what ended a game by its rules: the keys end.EVENT have the words. */
type Event = "group" | "groups" | "stuck" | "discs" | "six" | "full" | "king" | "count" | "repeated";

/** eventOf returns what ended a game; "" if that was no rule, but a player, the clock or an agreement. */
export function eventOf(v: Pick<View, "game" | "result" | "reason" | "board">): Event | "" {
  const { ending } = lookOf(v.game), drawn = v.result === "draw", { cells } = v.board;
  if (ending === "king" && v.reason === "repetition") return "repeated";
  if (v.reason !== "rules") return "";
  switch (ending) {
    case "most": return "discs";
    case "six": return drawn ? "full" : "six";
    case "king": return cells.includes("1K") && cells.includes("2K") ? "count" : "king";
    case "connected": return !drawn ? "group" : connected(v.board, "1") && connected(v.board, "2") ? "groups" : "stuck";
    default: return "";
  }
}

/** connected reports whether all pieces of a side touch each other, at corners too. */
function connected(b: Board, digit: string): boolean {
  const pieces = own(b.cells, digit), width = b.cols.length, [first] = pieces;
  const reach = first === undefined ? [] : [first];
  pieces.delete(first);
  for (const cell of reach) for (const other of pieces) {
    if (Math.abs(Math.floor(other / width) - Math.floor(cell / width)) > 1 || Math.abs((other % width) - (cell % width)) > 1) continue;
    pieces.delete(other);
    reach.push(other);
  }
  return pieces.size === 0;
}

/** endText returns the result of a game with what ended it: "White wins: the king is captured", "Black wins by resignation". */
export function endText(v: Pick<View, "game" | "result" | "reason" | "board">): string {
  const event = eventOf(v), how = event === "discs" ? discs(v.board.cells) : event ? say(`end.${event}`) : ownWords(v);
  if (!how) return resultText(v);
  if (v.result === "draw") return say("status.drawn.by", { how });
  return say("status.won.by", { side: sideName(v.game, v.result === "first wins" ? "first" : "second"), how });
}

/** ownWords says how a game was won whose end has no event; "" where it does not say. */
export const ownWords = (v: Pick<View, "game" | "result" | "reason">): string => (v.reason === "rules" && v.result !== "draw" ? lookOf(v.game).won : "");

/** discs compares the discs of both sides, the greater number first. */
function discs(cells: string[]): string {
  const [n, of] = ["1", "2"].map((digit) => own(cells, digit).size).sort((a, b) => b - a);
  return say(n === of ? "end.discs.equal" : "end.discs", { n, of });
}

/** decisiveIn returns the cells that show why a game was decided by the rules, if it was. */
export function decisiveIn(v: View, before: string[] | undefined): Set<number> | undefined {
  if (v.state !== "over" || v.reason !== "rules") return undefined;
  return decisive(lookOf(v.game).ending, v.board, before, v.last, { "first wins": "1", "second wins": "2" }[v.result] ?? "");
}

/** decisive takes the winner as "1" or "2", or "" in a draw. */
function decisive(ending: string, board: Board, before: string[] | undefined, last: Move | undefined, winner: string): Set<number> {
  if (ending === "six") return sixes(board, winner);
  if (ending === "connected") return own(board.cells, winner);
  if (ending !== "most") return new Set(last?.to === undefined ? [] : [last.to]);
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
