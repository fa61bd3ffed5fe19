// Streams of JSON lines from the server.

import { troubleOf } from "./api";

/** read passes each line of a stream to take, until the stream ends. It calls opened when the server has answered. */
export async function read<T>(path: string, init: RequestInit & { signal: AbortSignal }, take: (line: T) => unknown, opened?: () => void): Promise<void> {
  const response = await fetch(path, init);
  if (!response.ok) throw troubleOf(await response.json().catch(() => ({})), response.status);
  opened?.();
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; ;) {
    const { done, value } = await reader.read();
    if (done || init.signal.aborted) return;
    const lines = (text + value).split("\n");
    text = lines.pop()!;
    for (const line of lines) if (line) await take(JSON.parse(line) as T);
  }
}
