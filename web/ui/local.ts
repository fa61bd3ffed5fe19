// Requests to the engine in the page, which answers without a server. It runs in a worker. This module imports
// no other: the first page would load one chunk more.

import type { Ask, Heard } from "./engine";

interface Waiting {
  line: (text: string) => void;
  done: (status: number) => void;
}

const waiting = new Map<number, Waiting>();
let worker: Worker | null = null, count = 0;

/** start starts the worker, again if it could not load the engine. */
function start(): Worker {
  const w = new Worker(new URL("engine.js", import.meta.url));
  w.onmessage = (e: MessageEvent<Heard>) => {
    const { n, line, status } = e.data, one = waiting.get(n);
    if (line !== undefined) return one?.line(line);
    waiting.delete(n);
    if (status === 0) stop(w);
    one?.done(status!);
  };
  w.onerror = () => stop(w);
  return w;
}

/** stop ends a worker that failed; what was asked of it gets status 0, and the next request starts another. */
function stop(w: Worker): void {
  w.terminate();
  if (worker === w) worker = null;
  for (const one of waiting.values()) one.done(0);
  waiting.clear();
}

/** ask asks the engine in the page, and returns a status of HTTP; 0 if it could not be loaded. */
export function ask(method: string, path: string, body: unknown, line: (text: string) => void, signal?: AbortSignal): Promise<number> {
  const n = ++count, to = worker ??= start();
  return new Promise((done) => {
    waiting.set(n, { line, done });
    to.postMessage({ n, method, path, body: body === undefined ? "" : JSON.stringify(body) } satisfies Ask);
    signal?.addEventListener("abort", () => to.postMessage({ n } satisfies Ask));
  });
}

/** isLocal reports whether the engine in the page answers a request if the server cannot be reached. */
export const isLocal = (path: string): boolean => /^\/(engine|api\/(replay|puzzles|lessons|analysis))/.test(path);

/** answer asks the engine in the page, and returns the status and the last line of its answer. */
export async function answer(method: string, path: string, body?: unknown): Promise<[status: number, text: string]> {
  let text = "";
  return [isLocal(path) ? await ask(method, path, body, (line) => { text = line; }) : 0, text];
}
