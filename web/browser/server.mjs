// A server of the tests' own: started on a free port, killed and started again.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** freePort returns an unused port. */
async function freePort() {
  const s = createServer().listen(0, "127.0.0.1");
  await once(s, "listening");
  const { port } = s.address();
  s.close();
  await once(s, "close");
  return port;
}

export class Server {
  /** start runs quintet serve; the program is the one that QUINTET names, if no other is given. */
  static async start(program = process.env.QUINTET) {
    const s = new Server();
    s.program = program;
    s.data = await mkdtemp(join(tmpdir(), "quintet-browser-"));
    s.port = await freePort();
    s.base = `http://127.0.0.1:${s.port}`;
    await s.run();
    return s;
  }

  /** run starts the program and waits until it answers. Engines keep their priority: at the lowest, they hardly go on beside other tests. */
  async run() {
    this.process = spawn(this.program, ["serve", "--addr", `127.0.0.1:${this.port}`, "--data", this.data, "--hold", "1s", "--limits=false", "--engine-pace", "250ms"], { env: { ...process.env, QUINTET_KEEP_PRIORITY: "1" }, stdio: ["ignore", "ignore", "pipe"] });
    this.said = "";
    this.process.stderr.on("data", (d) => { this.said += d; });
    for (let i = 0; i < 300; i++) {
      const ready = await fetch(this.base + "/readyz").then((r) => r.ok, () => false);
      if (ready) return;
      if (this.process.exitCode !== null) break;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error("the server does not answer: " + this.said);
  }

  /** kill ends the server as a crash does. */
  async kill() {
    this.process.kill("SIGKILL");
    if (this.process.exitCode === null && this.process.signalCode === null) await once(this.process, "exit");
  }

  async stop() {
    await this.kill();
    await rm(this.data, { recursive: true, force: true });
  }

  async view(id) {
    const r = await fetch(`${this.base}/api/games/${id}`);
    return r.json();
  }

  /** until waits for a game to come to something. */
  async until(id, is, what) {
    for (let i = 0; i < 375; i++) {
      const v = await this.view(id).catch(() => null);
      if (v && is(v)) return v;
      await new Promise((done) => setTimeout(done, 40));
    }
    throw new Error(`game ${id} does not come to ${what}: ${JSON.stringify(await this.view(id))}`);
  }
}
