// The stream of a tournament: it says that something has changed, and opens the visitor's next game.

import { call, pathOf, type Trouble } from "./api";
import { lines } from "./lines";
import { remember } from "./store";

const again = 2_000; // milliseconds until a stream that was interrupted is opened again, at least: at most twice as long, so that not all pages come back at once

/** follow calls changed when the tournament has changed, and opens the visitor's next game. It ends when the signal aborts it, or the tournament is not there. */
export async function follow(id: string, signal: AbortSignal, changed: () => void): Promise<void> {
  const take = (line: { kind: string; id?: string }): void => {
    if (line.kind === "game") open(line.id!);
    if (line.kind === "change") changed();
  };
  while (!signal.aborted) {
    const status = await lines("GET", `/api/tournaments/${id}/events`, undefined, signal, take).then(() => 0, (e: Trouble) => e.status);
    if (status === 404) return;
    await new Promise((done) => setTimeout(done, again * (1 + Math.random())));
  }
}

/** open goes to a game of the visitor. One to which the browser has gone before is not opened again: somebody who has come back wants to see the tournament. */
export function open(game: string): void {
  const key = "quintet.tour";
  if (sessionStorage.getItem(key) === game) return;
  sessionStorage.setItem(key, game);
  remember(game);
  if (location.pathname !== pathOf(game)) location.href = pathOf(game);
}

/** next opens the visitor's next game from the page of the last one. In an arena, nobody is paired before the visitor comes back. */
export async function next(id: string, signal: AbortSignal): Promise<void> {
  const t = await call<{ form: string; phase: string }>("GET", `/api/tournaments/${id}`);
  if (t.form !== "arena" && t.phase !== "over") await follow(id, signal, () => {});
}
