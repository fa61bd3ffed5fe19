// The way between a browser and the server, which can be slow at one place.

import { once } from "node:events";
import { createServer, request } from "node:http";
import { connect } from "node:net";

export class Way {
  /** start opens a way to the server; answers to addresses that match late come so many milliseconds later. */
  static async start(port, late, ms) {
    const way = new Way();
    const to = (q) => ({ host: "127.0.0.1", port, method: q.method, path: q.url, headers: q.headers });
    way.proxy = createServer((q, answer) => {
      const on = request(to(q), (got) => setTimeout(() => {
        answer.writeHead(got.statusCode, got.rawHeaders);
        got.pipe(answer);
      }, late.test(q.url) ? ms : 0));
      on.on("error", () => answer.destroy());
      q.pipe(on);
    });
    way.proxy.on("upgrade", (q, socket, head) => {
      const on = connect(port, "127.0.0.1", () => {
        const lines = [`${q.method} ${q.url} HTTP/1.1`];
        for (let i = 0; i < q.rawHeaders.length; i += 2) lines.push(`${q.rawHeaders[i]}: ${q.rawHeaders[i + 1]}`);
        on.write(lines.join("\r\n") + "\r\n\r\n");
        on.write(head);
        socket.pipe(on).pipe(socket);
      });
      for (const [a, b] of [[on, socket], [socket, on]]) a.on("error", () => b.destroy()).on("close", () => b.destroy());
    });
    way.proxy.listen(0, "127.0.0.1");
    await once(way.proxy, "listening");
    way.base = `http://127.0.0.1:${way.proxy.address().port}`;
    return way;
  }

  stop() {
    this.proxy.close();
    this.proxy.closeAllConnections();
  }
}
