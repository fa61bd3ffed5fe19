// Runs the engine of the pages in Node.js: reads requests, a JSON array, from the standard input, and writes
// their answers. The arguments are the engine and its files, as name=path.

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import "../ui/vendor/wasm_exec.js";

const files = Object.fromEntries(process.argv.slice(2).map((a) => a.split("=")));
globalThis.quintetFiles = Object.fromEntries(Object.entries(files).map(([name, path]) => [name, new Uint8Array(readFileSync(path))]));
const go = new Go(), ready = new Promise((done) => { globalThis.quintetReady = done; });
const { instance } = await WebAssembly.instantiate(gunzipSync(readFileSync(files["engine.bin"])), go.importObject);
void go.run(instance);
await ready;

const answers = [];
for (const { method, path, body } of JSON.parse(readFileSync(0, "utf8"))) {
  const lines = [];
  const status = await new Promise((done) => {
    globalThis.quintetLine = (_, line) => lines.push(line);
    globalThis.quintetDone = (_, status) => done(status);
    quintetAsk(answers.length, method, path, body ?? "");
  });
  answers.push({ status, lines });
}
process.stdout.write(JSON.stringify(answers), () => process.exit(0));
