// A proxy between browsers and the server that delays some answers.

import { once } from "node:events";
import { createServer, request } from "node:http";
import { connect } from "node:net";

export class SlowProxy {
  /** start opens a proxy to the server that delays answers of addresses matching late by ms milliseconds. */
  static async start(port, late, ms) {
    const slow = new SlowProxy();
    const to = (q) => ({ host: "127.0.0.1", port, method: q.method, path: q.url, headers: q.headers });
    slow.proxy = createServer((q, answer) => {
      const on = request(to(q), (got) => setTimeout(() => {
        answer.writeHead(got.statusCode, got.rawHeaders);
        got.pipe(answer);
      }, late.test(q.url) ? ms : 0));
      on.on("error", () => answer.destroy());
      q.pipe(on);
    });
    slow.proxy.on("upgrade", (q, socket, head) => {
      const on = connect(port, "127.0.0.1", () => {
        const lines = [`${q.method} ${q.url} HTTP/1.1`];
        for (let i = 0; i < q.rawHeaders.length; i += 2) lines.push(`${q.rawHeaders[i]}: ${q.rawHeaders[i + 1]}`);
        on.write(lines.join("\r\n") + "\r\n\r\n");
        on.write(head);
        socket.pipe(on).pipe(socket);
      });
      for (const [a, b] of [[on, socket], [socket, on]]) a.on("error", () => b.destroy()).on("close", () => b.destroy());
    });
    slow.proxy.listen(0, "127.0.0.1");
    await once(slow.proxy, "listening");
    slow.base = `http://127.0.0.1:${slow.proxy.address().port}`;
    return slow;
  }

  stop() {
    this.proxy.close();
    this.proxy.closeAllConnections();
  }
}
