// Answers that come line by line, each a JSON value: of the server, or of the engine in the page.

import { alone, troubleOf, Trouble } from "./api";
import { ask, isLocal } from "./local";
import { boot, say } from "./words";

/** lines sends a request and passes each line of its answer on, until its end. It throws a Trouble. */
export async function lines(method: string, path: string, body: unknown, signal: AbortSignal, take: (value: any) => void | Promise<void>): Promise<void> {
  if (!boot.local && !path.startsWith("/engine")) {
    const init = body === undefined ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    try {
      return await read(await fetch(path, { method, signal, ...init }), signal, take);
    } catch (e) {
      if (signal.aborted || !(e instanceof TypeError) || !isLocal(path) || !alone()) throw e; // a server that restarts comes back
    }
  }
  await locally(method, path, body, signal, take);
}

async function locally(method: string, path: string, body: unknown, signal: AbortSignal, take: (value: any) => void | Promise<void>): Promise<void> {
  let last = "{}", taken = Promise.resolve();
  const status = await ask(method, path, body, (text) => {
    const value = JSON.parse(last = text);
    if (!("error" in value)) taken = taken.then(() => take(value));
  }, signal);
  await taken;
  if (status !== 200) throw status === 0 ? new Trouble(say("error.connection"), 0) : troubleOf(JSON.parse(last), status);
}

async function read(response: Response, signal: AbortSignal, take: (value: any) => void | Promise<void>): Promise<void> {
  if (!response.ok) throw troubleOf(await response.json().catch(() => ({})), response.status);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; ;) {
    const { done, value } = await reader.read();
    if (done || signal.aborted) return;
    const parts = (text + value).split("\n");
    text = parts.pop()!;
    for (const part of parts) if (part) await take(JSON.parse(part));
  }
}
