// The next of one's games in which it is one's turn, from the page of a game.

import type { JSX } from "preact";
import { Action } from "./actions";
import { call, pathOf, type Listed, type Trouble } from "./api";
import type { Match } from "./match";
import { remember } from "./store";
import { other, type View } from "./types";
import { say } from "./words";

/** turns returns the visitor's games that wait for a move, the most urgent first. */
export const turns = async (): Promise<Listed[]> => (await call<{ games: Listed[] }>("GET", "/api/account/turns")).games;

/** goNext opens the next game that waits for the visitor, or says that there is none. */
export function goNext(match: Match): void {
  turns().then((games) => {
    const next = games.find((g) => g.id !== match.id);
    if (!next) { match.trouble.value = say("next.none"); return; }
    remember(next.id);
    location.href = pathOf(next.id);
  }, (e: Trouble) => { match.trouble.value = e.message; });
}

/** slow reports whether a game is played by people who have days for a move. */
export const slow = (v: View): boolean => !!v.clock?.days && v.you.length === 1 && !v.seats[other(v.you[0])]?.engine;

/** NextGame leads from a correspondence game to the next game in which it is one's turn. */
export function NextGame({ match }: { match: Match }): JSX.Element | null {
  const v = match.view.value!;
  if (!slow(v) || v.state === "open") return null;
  return <Action icon="forward" text={say("next.do")} label={say("next.title")} onClick={() => goNext(match)} />;
}
