// Waiting for an opponent: one request, whose answer says how many others wait, offers an
// engine after a while, and names the game once there is one.

import { call, newKey, pathOf, Trouble, troubleOf } from "./api";
import { remember, userName } from "./store";
import type { Control, Side } from "./types";
import { say } from "./words";

/** Want is a game that one would play. */
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

const again = 2_000; // milliseconds until a search that was cut off begins again

/** seek waits for an opponent until the signal aborts it, and returns the address of the game. */
export async function seek(wants: Want[], signal: AbortSignal, hear: (line: Line) => void): Promise<string> {
  for (;;) {
    const key = newKey(), name = userName.peek().trim();
    const line = await search({ wants, name }, key, signal, hear);
    if (line) {
      await call("POST", `/api/games/${line.id}/seats/${line.side}`, { name }, key);
      remember(line.id);
      return pathOf(line.id);
    }
    await new Promise((done) => setTimeout(done, again)); // the server has restarted, say
    signal.throwIfAborted();
  }
}

/** search asks once; it returns null if the answer ends without a game. */
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
