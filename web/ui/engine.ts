// The worker in which the engine runs: the Go program of web/wasm. It loads the engine, and the large
// files that only some requests need: see web/local.

import "./vendor/wasm_exec.js";

interface GoProgram {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

/** Ask is a request of the page; without a path it cancels the one of that number. */
export interface Ask {
  n: number;
  method?: string;
  path?: string;
  body?: string;
}

/** Heard is a line of the answer to a request, or its end with a status of HTTP. */
export interface Heard {
  n: number;
  line?: string;
  status?: number;
}

interface Scope {
  Go: new () => GoProgram;
  quintetFiles: Record<string, Uint8Array>;
  quintetReady: () => void;
  quintetLine: (n: number, line: string) => void;
  quintetDone: (n: number, status: number) => void;
  quintetAsk: (n: number, method: string, path: string, body: string) => void;
  quintetCancel: (n: number) => void;
  postMessage: (m: Heard) => void;
  onmessage: ((e: MessageEvent<Ask>) => void) | null;
}

const scope = self as unknown as Scope;

/** addresses are those of the engine and its files, by their names. */
const addresses = load(new URL("large.json", location.href).href).then((r) => r.json()) as Promise<Record<string, string>>;

async function load(url: string): Promise<Response> {
  const r = await fetch(url);
  if (!r.ok) throw new Error(`${url}: ${r.status}`);
  return r;
}

const started = (async () => {
  const file = await load((await addresses)["engine.bin"]);
  const program = new scope.Go(), ready = new Promise<void>((done) => { scope.quintetReady = done; });
  const code = new Response(file.body!.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": "application/wasm" } });
  const { instance } = await WebAssembly.instantiateStreaming(code, program.importObject);
  void program.run(instance);
  await ready;
})();

/** loading has the files that were asked for, by name. */
const loading: Record<string, Promise<void>> = {};

/** need loads the files that a request needs: weights for Othello, and sets of puzzles. */
async function need({ path = "", body = "" }: Ask): Promise<void> {
  const all = await addresses, text = path + body;
  const names = Object.keys(all).filter((name) => (name === "othello8.gz" ? !path.startsWith("/api/puzzles") && !path.startsWith("/api/replay") && text.includes("othello") : path.startsWith("/api/puzzles") && name.endsWith(".jsonl.gz") && (path.endsWith("today") || text.includes(name.split(".")[0]))));
  await Promise.all(names.map((name) => loading[name] ??= (async () => {
    scope.quintetFiles[name] = new Uint8Array(await (await load(all[name])).arrayBuffer());
  })()));
}

scope.quintetFiles = {};
scope.quintetLine = (n, line) => scope.postMessage({ n, line });
scope.quintetDone = (n, status) => scope.postMessage({ n, status });

scope.onmessage = async ({ data }) => {
  if (data.path === undefined) return scope.quintetCancel?.(data.n);
  try {
    await Promise.all([started, need(data)]);
    scope.quintetAsk(data.n, data.method!, data.path, data.body ?? "");
  } catch {
    scope.postMessage({ n: data.n, status: 0 }); // it could not be loaded
  }
};
