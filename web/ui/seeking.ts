// The search for an opponent: one request with a streamed answer. It tells how many others are
// waiting, offers an engine after a while, and ends with the game.

import { call, newKey, pathOf, Trouble, troubleOf } from "./api";
import { remember, userName } from "./store";
import type { Control, Side } from "./types";
import { say } from "./words";

/** Want is a game to search for. */
export interface Want {
  game: string;
  clock: Control;
}

/** Line is a line of the answer: see docs/api.md. */
export type Line =
  | { kind: "waiting"; others: number }
  | { kind: "level"; want: number; level: string }
  | { kind: "paired"; id: string; side: Side }
  | { kind: "beat" };

const again = 2_000; // milliseconds until an interrupted search restarts

/** seek waits for an opponent and returns the address of the game. The signal aborts it. */
export async function seek(wants: Want[], rated: boolean, signal: AbortSignal, hear: (line: Line) => void): Promise<string> {
  for (;;) {
    const key = newKey(), name = userName.peek().trim();
    const line = await search({ wants, rated, name }, key, signal, hear);
    if (line) {
      await call("POST", `/api/games/${line.id}/seats/${line.side}`, { name }, key);
      remember(line.id);
      return pathOf(line.id);
    }
    await new Promise((done) => setTimeout(done, again)); // for example, the server is restarting
    signal.throwIfAborted();
  }
}

/** search sends one request. It returns null if the answer ends without a game. */
async function search(body: unknown, key: string, signal: AbortSignal, hear: (line: Line) => void): Promise<(Line & { kind: "paired" }) | null> {
  const headers = { "Content-Type": "application/json", "Idempotency-Key": key };
  const answer = await fetch("/api/seeks", { method: "POST", headers, body: JSON.stringify(body), signal }).catch((e) => {
    if (signal.aborted) throw e;
    throw new Trouble(say("error.connection"), 0);
  });
  if (!answer.ok) throw troubleOf(await answer.json().catch(() => ({})), answer.status);
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = "", read; (read = await reader.read().catch(() => null)) && !read.done;) {
    const lines = (text + read.value).split("\n");
    text = lines.pop()!;
    for (const l of lines.filter(Boolean)) {
      const line = JSON.parse(l) as Line;
      if (line.kind === "paired") return line;
      hear(line);
    }
  }
  signal.throwIfAborted();
  return null;
}
