// Texts about the state of a game, shared by several pages.

import type { View } from "./types";
import { say, sideName } from "./words";

/** places returns how many stones are left to place in the turn, as the board's note says it; 0 where it does not. */
export const places = (v: View): number => Number(/^\S+ places (\d+)$/.exec(v.board.note)?.[1] ?? 0);

/** resultText returns the result of a game and its reason, if it was not the rules: those need the board (see ending.ts). */
export function resultText(v: Pick<View, "game" | "result" | "reason">): string {
  const how = say(`reason.${v.reason || "rules"}`);
  if (v.result === "first wins") return say("status.won", { side: sideName(v.game, "first"), how }).trim();
  if (v.result === "second wins") return say("status.won", { side: sideName(v.game, "second"), how }).trim();
  return v.result === "draw" ? say("status.drawn", { how }).trim() : how;
}
