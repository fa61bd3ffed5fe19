// Reconnecting: connections that die silently, lost answers, and servers that cannot
// say how a game stands. The page notices, says so, and asks again.

import { test } from "node:test";
import assert from "node:assert/strict";
import { accessible, browser, server } from "./common.mjs";
import { Person } from "./person.mjs";

const post = async (path, body, token) => (await fetch(server.base + "/api/games" + path, { method: "POST", body: JSON.stringify(body), headers: token ? { Authorization: "Bearer " + token } : {} })).json();

/** opened opens a game whose seats are taken, by requests. */
async function opened(body) {
  const made = await post("", { ...body, as: "first", name: "Ada" });
  const { token } = await post(`/${made.id}/seats/second`, { name: "Grace" });
  return { id: made.id, tokens: [made.token, token] };
}

/** moved plays so many moves. */
async function moved(g, n) {
  for (; n > 0; n--) {
    const v = await server.view(g.id);
    await post(`/${g.id}/moves`, { move: v.legal[0].move, ply: v.ply }, g.tokens[v.turn === "first" ? 0 : 1]);
  }
}

/** sits opens a window that has the first seat. */
async function sits(g, options) {
  const p = await Person.open(browser, server.base, options);
  await p.context.addCookies([{ name: `quintet_${g.id}_first`, value: g.tokens[0], url: server.base }]);
  return p;
}

/** mortal lets the connections of a page die: they are there, and nothing passes. */
async function mortal(p) {
  const way = { dead: false, tries: 0 };
  await p.page.routeWebSocket(/socket/, (ws) => {
    const on = way.dead ? null : ws.connectToServer();
    way.tries++;
    on?.onMessage((m) => { if (!way.dead) ws.send(m); });
    ws.onMessage((m) => { if (!way.dead) on?.send(m); });
  });
  await p.page.route(/\/api\/games\/[^/]+$/, (r) => (way.dead ? r.abort() : r.continue()));
  return way;
}

/** stand stops the page's time: only clock.runFor lets it pass. */
const stand = async (p) => p.page.clock.pauseAt(await p.page.evaluate(() => Date.now()) + 5_000);

/** after lets the page's time pass, and expects it to find its connection dead by then. */
async function after(p, ms) {
  for (let n = 0; n * 1_000 < ms; n++) await p.page.clock.runFor(1_000);
  await p.page.waitForSelector('[data-lost="true"]');
}

/** reconnects lets the page's time pass until it is connected; attempts take time of this machine. */
async function reconnects(p) {
  for (let n = 0; n < 480 && await p.page.locator('[data-lost="true"]').count() > 0; n++) {
    await p.page.clock.runFor(1_000);
    await p.page.waitForTimeout(250);
  }
  await p.page.waitForSelector('[data-lost="false"]', { state: "attached" });
}

const stones = (p) => p.page.locator("main .board .front .stone").count();

export default function () {
  test("stepping back shows only the requested position, even if it arrives late", async () => {
    const g = await opened({ game: "othello", options: { size: "6" } });
    await moved(g, 4);
    const p = await sits(g);
    let asked = 0;
    await p.page.route("**/api/replay", (r) => (++asked === 1 ? r.abort() : r.continue()));
    await p.go("/g/" + g.id);
    await p.page.getByText("The earlier positions could not be loaded yet").waitFor();
    assert.ok(await p.button("To the start").isDisabled() && await p.button("One move back").isDisabled());
    assert.ok(await p.page.locator(".moves .move").first().isDisabled());
    await p.page.keyboard.press("Home");
    assert.equal(await stones(p), 8, "the newest position");
    assert.equal(await p.page.locator(".steps .at").textContent(), "4 moves");
    await p.shot("positions-missing");
    await p.button("To the start").click();
    assert.equal(await stones(p), 4);
    assert.equal(await p.page.getByText("The earlier positions could not be loaded yet").count(), 0);
    assert.equal(asked, 2);
    await p.close();
  });

  test("positions that arrive after newer moves are kept, and requested once", async () => {
    const g = await opened({ game: "othello", options: { size: "6" } });
    await moved(g, 2);
    const p = await sits(g);
    let asked = 0, let_go;
    const late = new Promise((done) => { let_go = done; });
    await p.page.route("**/api/replay", async (r) => { asked++; await late; await r.continue(); });
    await p.go("/g/" + g.id);
    await p.ready(2);
    for (let n = 3; n <= 5; n++) { await moved(g, 1); await p.ready(n); }
    let_go();
    await p.button("To the start").click();
    for (let n = 0; n < 5; n++) {
      assert.equal(await stones(p), 4 + n);
      await p.button("One move forward").click();
    }
    assert.equal(asked, 1);
    await p.close();
  });

  test("the players are fetched again if the answer is lost", async () => {
    const made = await post("", { game: "othello", options: { size: "6" }, as: "first", name: "Ada" });
    const p = await sits({ id: made.id, tokens: [made.token] });
    await p.go("/g/" + made.id);
    await p.page.waitForSelector("main svg.board");
    let asked = 0;
    await p.page.route(/\/api\/games\/[^/]+$/, (r) => (++asked === 1 ? r.abort() : r.continue()));
    await post(`/${made.id}/seats/second`, { name: "Grace" });
    await p.page.locator(".seat", { hasText: "Grace" }).waitFor();
    assert.equal(asked, 2);
    await p.close();
  });

  test("after a sleep the clock is right at once, and a dead connection is dropped within seconds", async () => {
    const g = await opened({ game: "chess", clock: { main: 300 } });
    const p = await sits(g);
    const way = await mortal(p);
    await p.page.clock.install();
    await p.go("/g/" + g.id);
    const clock = p.page.locator(".clock.runs");
    await clock.waitFor();
    await p.page.waitForFunction(() => document.querySelector('[data-lost="false"]'));
    await stand(p);
    way.dead = true;
    await p.page.evaluate(() => { // performance.now() stands while a device sleeps
      const plain = Date.now;
      Date.now = () => plain() + 100_000;
    });
    await p.page.clock.runFor(1_000);
    assert.match(await clock.textContent(), /^3:[0-2]/);
    await after(p, 4_000);
    way.dead = false;
    await reconnects(p);
    await p.page.locator(".clock.runs", { hasText: /^(5:00|4:\d\d)$/ }).waitFor();
    await p.close();
  });

  test("the clock on a page stands while the server's clocks stand", async () => {
    const g = await opened({ game: "chess", clock: { main: 300 } });
    const p = await sits(g);
    let pings = 0;
    await p.page.routeWebSocket(/socket/, (ws) => {
      ws.connectToServer().onMessage((m) => {
        if (JSON.parse(m).service !== undefined) pings++;
        ws.send(m);
      });
    });
    await p.page.clock.install();
    await p.go("/g/" + g.id);
    await p.page.locator(".clock.runs").waitFor();
    const heard = async (n) => { for (let i = 0; pings < n && i < 6_000; i++) await p.page.waitForTimeout(20); };
    await heard(1);
    await p.page.clock.fastForward(60_000); // for the server, no time at all
    await heard(2);
    await p.page.waitForTimeout(300);
    assert.match(await p.page.locator(".clock.runs").textContent(), /^(5:00|4:[1-5])/); // not a minute less, however long it took
    await p.close();
  });

  test("a dead connection is noticed when the page is looked at again, and when a move is not answered", async () => {
    const g = await opened({ game: "othello", options: { size: "6" } });
    const p = await sits(g);
    const way = await mortal(p);
    await p.page.clock.install();
    await p.go("/g/" + g.id);
    await p.ready(0);
    await stand(p);
    const gives = async (ms, what) => {
      way.dead = true;
      await what();
      await after(p, ms);
      way.dead = false;
      await reconnects(p);
    };
    await gives(5_000, () => p.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange"))));
    const v = await server.view(g.id);
    await gives(8_000, () => p.byMouse(v, v.legal[0]));
    await server.until(g.id, (w) => w.ply === 1, "the move, which was sent again");
    assert.ok(way.tries >= 3);
    await p.close();
  });

  test("while the server cannot say how a game stands, the page says that, and asks until it can", async () => {
    const g = await opened({ game: "othello", options: { size: "6" } });
    const p = await sits(g, { width: 390, height: 844 });
    let away = true;
    await p.page.routeWebSocket(/socket/, (ws) => { if (away) ws.close(); else ws.connectToServer(); });
    let status = 503;
    await p.page.route(/\/api\/games\/[^/]+$/, (r) => (away ? r.fulfill({ status, json: { code: "unavailable", reason: "unavailable", error: "no" } }) : r.continue()));
    await p.go("/g/" + g.id);
    await p.page.getByText("The server cannot show the game right now").waitFor();
    await accessible(p, "a server that cannot say");
    await p.shot("server-cannot-say");
    away = false;
    await p.page.waitForSelector("svg.board");
    [away, status] = [true, 404]; // the log is back, and has no such game
    let loads = 0;
    await p.page.route(`**/g/${g.id}`, (r) => (++loads === 1 ? r.continue() : r.continue({ url: server.base + "/g/23456789abcd" })));
    await p.go("/g/" + g.id).catch(() => {});
    await p.page.getByText("There is no such game").waitFor();
    assert.equal(loads, 2);
    await p.close();
  });
}
