// What outsiders try: pages of other sites, names with markup, links that they were
// not given, tokens of other games.

import { test } from "node:test";
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { browser, server, setUp, two, play, spread, finish } from "./common.mjs";
import { Person } from "./person.mjs";

/** elsewhere is another site, whose pages are empty. */
async function elsewhere() {
  const s = createServer((_, answer) => answer.setHeader("Content-Type", "text/html").end("<!doctype html><title>elsewhere</title>"));
  s.listen(0, "127.0.0.1");
  await once(s, "listening");
  return { port: s.address().port, close: () => s.close() };
}

export default function () {
  test("a page of another site can neither move, nor read, nor listen in its visitor's name", async () => {
    const site = await elsewhere();
    const p = await Person.open(browser, server.base);
    await setUp(p, "othello", { opponent: "Two players, one device", colour: "" });
    const id = p.id, before = (await server.view(id)).events;
    for (const host of ["127.0.0.1", "localhost"]) { // another port of the same site, and another site
      await p.page.goto(`http://${host}:${site.port}/`);
      const got = await p.page.evaluate(async ([base, path]) => {
        const tries = {};
        const read = (name, request) => request.then((r) => r.text()).then((text) => { tries[name] = text; }, () => { tries[name] = "refused"; });
        await read("move", fetch(base + path + "/moves", { method: "POST", credentials: "include", mode: "no-cors", body: '{"move":"f4","ply":0}' }));
        await read("resign", fetch(base + path + "/resign", { method: "POST", credentials: "include", headers: { "Content-Type": "text/plain" } }));
        await read("create", fetch(base + "/api/games", { method: "POST", credentials: "include", mode: "no-cors", body: '{"game":"loa"}' }));
        await read("game", fetch(base + path, { credentials: "include" }));
        tries.socket = await new Promise((done) => {
          const socket = new WebSocket(base.replace("http", "ws") + path + "/socket");
          socket.onopen = () => done("open");
          socket.onerror = () => done("refused");
        });
        const frame = document.body.appendChild(document.createElement("iframe"));
        frame.src = base + path.replace("/api/games", "/g");
        await new Promise((done) => { frame.onload = done; });
        tries.frame = (() => { try { return frame.contentDocument ? "read" : "refused"; } catch { return "refused"; } })();
        return tries;
      }, [server.base, "/api/games/" + id]);
      assert.deepEqual(got, { move: "", resign: "refused", create: "", game: "refused", socket: "refused", frame: "refused" }, host);
      // A form goes to the address as the user would: the answer is a refusal.
      await p.page.evaluate(([base, path]) => {
        const f = document.body.appendChild(document.createElement("form"));
        Object.assign(f, { method: "post", enctype: "text/plain", action: base + path + "/resign" });
        f.submit();
      }, [server.base, "/api/games/" + id]);
      await p.page.getByText('"code":"origin"').waitFor();
    }
    const v = await server.view(id);
    assert.deepEqual([v.events, v.state], [before, "live"], "something has happened");
    site.close();
    await p.close();
  });

  test("names with markup are text wherever they are shown", async () => {
    const nasty = '<img src=x onerror="window.hit=1">{second}';
    const g = await two("othello", { size: 6, opponent: "Find an opponent" }); // which is listed
    await play(g, spread, 1);
    const p = await Person.open(browser, server.base);
    const spoil = (text) => text.replaceAll('"Ada"', JSON.stringify(nasty)); // as if the server let them in
    await p.page.route(/\/api\/games/, async (route) => {
      const answer = await route.fetch();
      return route.fulfill({ response: answer, body: spoil(await answer.text()) });
    });
    await p.page.routeWebSocket(/socket/, (ws) => {
      const way = ws.connectToServer();
      way.onMessage((m) => ws.send(spoil(m)));
    });
    await p.go("/watch");
    await p.page.locator(".list-card .line", { hasText: nasty }).first().waitFor();
    await p.go("/g/" + g.id);
    await p.page.locator(".seat .name", { hasText: nasty }).waitFor();
    assert.equal(await p.page.title(), `${nasty} and Grace: Othello`);
    assert.equal(await p.page.locator("img").count(), 0);
    assert.equal(await p.page.evaluate(() => window.hit), undefined);
    await p.close();
    await finish(null, g);
  });

  test("a game with a friend is found by its link alone, which has a preview", async () => {
    const ada = await Person.open(browser, server.base, { name: "Ada Friend" }), eve = await Person.open(browser, server.base, { name: "Eve" });
    const path = await setUp(ada, "loa"), open = await setUp(eve, "loa", { opponent: "Find an opponent" });
    const p = await Person.open(browser, server.base);
    await p.go("/");
    await p.page.locator(`a[href="${open}"]`, { hasText: "Join" }).waitFor(); // opened later: the list has all there is
    assert.equal(await p.page.getByText("Ada Friend").count(), 0);
    const preview = await (await p.page.request.get(server.base + path)).text();
    assert.ok(preview.includes("Ada Friend") && preview.includes("og:image"), preview);
    await p.go(path);
    await p.page.locator(".facts", { hasText: "by link only" }).waitFor();
    await p.button("Play White").click();
    await p.page.waitForSelector('main[data-state="live"]');
    await ada.go("/");
    await ada.page.getByRole("link", { name: /Lines of Action.*Ada Friend.*Your turn/s }).waitFor(); // one's own list has it
    for (const x of [ada, eve, p]) await x.close();
  });

  test("a private game is nowhere without its link, in a browser that has not been given it", async () => {
    const made = await (await fetch(server.base + "/api/games", { method: "POST", body: JSON.stringify({ game: "loa", private: true, as: "first", name: "Ada Secret" }) })).json();
    const p = await Person.open(browser, server.base, { name: "Eve" });
    await p.go("/");
    await p.page.locator(".list-card").first().waitFor();
    const paths = ["", "/events", "/socket", "/record", "/board.svg", "/board.png", "/game.gif"].map((tail) => `/api/games/${made.id}${tail}`);
    for (const path of [...paths, ...paths.map((x) => x + "?key=wrong")]) {
      const r = await p.page.request.get(server.base + path);
      assert.equal(r.status(), 404, path);
    }
    for (const path of ["/", "/g/" + made.id, "/g/" + made.id + "?key=wrong", "/api/games", "/api/games?player=Ada Secret"]) {
      const text = await (await p.page.request.get(server.base + path)).text();
      assert.ok(!text.includes("Ada Secret") && !(path.startsWith("/api") && text.includes(made.id)), path);
    }
    assert.equal(await p.page.getByText("Ada Secret").count(), 0);
    const preview = await (await p.page.request.get(made.url)).text(); // what a chat shows of the link
    assert.ok(!preview.includes("Ada Secret") && !preview.includes("og:image"), preview);
    await p.page.goto(made.url); // a visitor with the link may also start a game from this one
    await p.page.getByRole("link", { name: "Continue from this position" }).click();
    await p.page.getByRole("heading", { name: "Continue from move 0" }).waitFor({ state: "attached" });
    await p.page.locator(".preview").waitFor(); // it moves what is below
    await p.page.getByRole("radio", { name: "Two players, one device" }).check();
    await p.page.locator("form.setup button.big").click();
    await p.page.waitForURL((u) => u.pathname.startsWith("/g/") && !u.pathname.endsWith(made.id));
    await p.page.waitForSelector('main[data-state="live"]');
    const refused = await p.page.evaluate((id) => new Promise((done) => {
      const socket = new WebSocket(`ws://${location.host}/api/games/${id}/socket`);
      socket.onopen = () => done(false);
      socket.onerror = () => done(true);
    }), made.id);
    assert.ok(refused, "the socket of a private game opens");
    await p.close();
  });
}
