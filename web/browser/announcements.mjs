// Announcements for screen readers, names of cells, and signs that do not rely on
// colour. The layout must not shift meanwhile.

import { test } from "node:test";
import assert from "node:assert/strict";
import { accessible, browser, finish, play, server, setUp, spread, two } from "./common.mjs";
import { Person } from "./person.mjs";
import { SlowProxy } from "./slowproxy.mjs";

/** hears waits for an announcement. */
const hears = (p, text, where = "[data-announce]") => p.page.locator(where, { hasText: text }).waitFor({ state: "attached" });

/** watchShifts notes from now on what moves on the page; a number that becomes narrower is nothing. */
const watchShifts = (p) => p.page.evaluate(() => {
  window.shifted = [];
  if (window.undrawn) window.undrawn.disabled = true; // what is transparent does not shift
  new PerformanceObserver((l) => {
    for (const e of l.getEntries()) if (!e.hadRecentInput && e.value > 0.001) window.shifted.push([e.value, ...e.sources.map((s) => s.node?.className?.baseVal ?? s.node?.className)]);
  }).observe({ type: "layout-shift" });
});

/** struck are the pitches of bars that are struck: each with its overtone. */
const struck = (overtone, ...pitches) => pitches.flatMap((p) => [Math.round(p), Math.round(p * overtone)]);
const knock = struck(2.76, 196, 330); // a move in Othello that turns one disc

export default function () {
  test("moves, offers, answers and results are announced, and nothing shifts on the page of the player who waits", async () => {
    const g = await two("othello", { size: 6 });
    await hears(g.grace, "You play White.");
    await hears(g.ada, "Grace joined as White. Your turn");
    await g.ada.page.locator(".toast", { hasText: "Grace joined as White." }).waitFor({ state: "detached" });
    await g.grace.page.evaluate(() => { // who hears what the page plays
      window.notes = [];
      const plain = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (at) { window.notes.push(Math.round(this.frequency.value)); plain.call(this, at); };
    });
    await g.grace.button("Settings").click();
    await g.grace.page.getByLabel("Sound").check();
    await g.grace.button("Done").click();
    await watchShifts(g.grace);
    await play(g, spread, 1);
    await hears(g.grace, /^Black played [a-f][1-6]\. Your turn$/);
    await g.ada.offer();
    await hears(g.grace, "Black offers a draw.");
    await g.grace.page.getByRole("group", { name: "offers a draw" }).waitFor();
    await accessible(g.grace, "an offer");
    await g.grace.shot("offer");
    await g.grace.button("Decline").press("Enter");
    await hears(g.ada, "White declined.");
    await g.grace.page.getByRole("group", { name: "offers a draw" }).waitFor({ state: "detached" });
    await g.grace.page.evaluate(() => { document.querySelector("[data-announce] span").id = "heard"; });
    await g.ada.offer(); // the same once more is said once more
    await hears(g.grace, "Black offers a draw.", "[data-announce] span:not(#heard)");
    assert.equal(await g.grace.page.locator(".toast").count(), 0);
    await g.grace.button("Decline").press("Enter");
    await g.ada.button("Take back").click();
    await hears(g.grace, "Black would like to take a move back.");
    await g.grace.button("Accept").press("Enter");
    await hears(g.ada, "Move taken back; the game is at move 0.");
    assert.deepEqual(await g.grace.page.evaluate(() => window.shifted), []);
    await g.ada.button("Resign").click();
    await g.ada.button("Resign as Black").click();
    await hears(g.grace, "White wins by resignation");
    assert.deepEqual(await g.grace.page.evaluate(() => window.notes), [...knock, ...struck(3.93, 392, 493.88, 587.33, 783.99)], "a knock for the move, four notes for the end");
    await finish(null, g);
  });

  test("sounds play in browsers that require a touch first, and when an awaited player arrives", async () => {
    const made = await (await fetch(server.base + "/api/games", { method: "POST", body: JSON.stringify({ game: "othello", as: "first", name: "Ada" }) })).json();
    const p = await Person.open(browser, server.base);
    await p.context.addCookies([{ name: `quintet_${made.id}_first`, value: made.token, url: server.base }]);
    await p.context.addInitScript(() => {
      localStorage.setItem("quintet.sound", "true");
      [window.made, window.notes] = [0, []];
      const part = (more) => ({ connect: (to) => to, ...more });
      window.AudioContext = class { // as in Safari: it stands still until it is resumed by who does something
        constructor() { window.made++; this.state = "suspended"; this.currentTime = 0; }
        async resume() { if (navigator.userActivation.isActive) this.state = "running"; }
        createGain() { return part({ gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} } }); }
        createOscillator() { const tone = part({ frequency: {}, start: () => window.notes.push(Math.round(tone.frequency.value)), stop() {} }); return tone; }
      };
    });
    const heard = () => p.page.evaluate(() => [window.made, ...window.notes]);
    const hear = (n) => p.page.waitForFunction((n) => window.notes.length === n, n);
    await p.go("/g/" + made.id);
    await p.page.waitForSelector(".invite");
    assert.deepEqual(await heard(), [0], "nothing was touched yet");
    await p.page.locator(".facts").first().click();
    await fetch(`${server.base}/api/games/${made.id}/seats/second`, { method: "POST", body: '{"name":"Grace"}' });
    await p.page.waitForSelector('main[data-state="live"]');
    const begin = struck(3.93, 392, 587.33);
    await hear(begin.length);
    assert.deepEqual(await heard(), [1, ...begin]);
    const { move } = (await server.view(made.id)).legal[0];
    await fetch(`${server.base}/api/games/${made.id}/moves`, { method: "POST", body: JSON.stringify({ move, ply: 0 }), headers: { Authorization: "Bearer " + made.token } });
    await hear(begin.length + knock.length);
    assert.deepEqual(await heard(), [1, ...begin, ...knock]);
    await p.button("Settings").click();
    await p.page.getByLabel("Sound").uncheck();
    await p.button("Done").click();
    await p.button("Resign").click();
    await p.button("Resign as Black").click();
    await hears(p, "White wins by resignation");
    assert.deepEqual(await heard(), [1, ...begin, ...knock], "it is switched off");
    await p.close();
  });

  test("every cell can be pressed through the accessibility tree, and says what it is", async () => {
    const p = await Person.open(browser, server.base);
    await setUp(p, "chess", { opponent: "Two players, one device", colour: "" });
    const cell = (name) => p.page.getByRole("gridcell", { name });
    const press = (name) => cell(name).dispatchEvent("click"); // what "press" of a screen reader comes to
    await press("e2, White pawn, can move");
    await cell("e2, White pawn, selected").waitFor();
    await press("e4, empty, can be played");
    await server.until(p.id, (v) => v.ply === 1, "ply 1");
    await cell("e4, White pawn, last move").waitFor();
    await p.page.locator('main [role="gridcell"][tabindex="0"]').focus();
    for (const key of ["ArrowUp", "ArrowLeft", "Tab"]) await p.page.keyboard.press(key);
    assert.equal(await p.page.evaluate(() => document.activeElement.closest("svg.board")), null, "Tab stops at the board more than once");
    const grid = await p.page.getByRole("grid", { name: "Chess board" }).ariaSnapshot();
    assert.equal(grid.match(/gridcell/g).length, 64);
    await p.close();
  });

  test("taking a seat turns the board once, and the focus stays", async () => {
    const made = await (await fetch(server.base + "/api/games", { method: "POST", body: JSON.stringify({ game: "loa", as: "first", name: "Ada" }) })).json();
    const proxy = await SlowProxy.start(server.port, /\/seats\//, 500); // the socket hears of it before the answer comes
    const p = await Person.open(browser, proxy.base);
    await p.go("/g/" + made.id);
    await p.button("Play White").press("Enter");
    await p.page.waitForSelector('main[data-state="live"]');
    const corner = () => p.page.locator('main [role="gridcell"]').first().getAttribute("data-name");
    assert.equal(await corner(), "a0");
    await p.page.locator('main [role="gridcell"][tabindex="0"]').focus();
    const focused = () => p.page.evaluate(() => document.activeElement?.getAttribute("data-name"));
    const name = await focused();
    await p.page.evaluate(() => [...document.querySelectorAll("button")].find((b) => b.textContent === "Flip board").click()); // by no pointer
    await p.page.waitForFunction(() => document.querySelector('main [role="gridcell"]').getAttribute("data-name") === "h7");
    assert.equal(await focused(), name);
    await p.page.keyboard.press("ArrowRight");
    assert.notEqual(await focused(), name);
    await p.close();
    proxy.stop();
  });

  test("low time is announced, and shown by more than a colour", async () => {
    const made = await (await fetch(server.base + "/api/games", { method: "POST", body: JSON.stringify({ game: "chess", clock: { main: 3600 }, as: "first", name: "Ada" }) })).json();
    const p = await Person.open(browser, server.base);
    await p.context.addCookies([{ name: `quintet_${made.id}_first`, value: made.token, url: server.base }]);
    await p.page.routeWebSocket(/socket/, (ws) => { // the page's time runs ahead of the server's, which it must not learn
      const on = ws.connectToServer();
      on.onMessage((m) => ws.send(m.replace(/,"service":\d+/, "")));
      ws.onMessage((m) => on.send(m));
    });
    await p.page.clock.install();
    await p.go("/g/" + made.id);
    await p.page.waitForSelector("svg.board");
    await fetch(`${server.base}/api/games/${made.id}/seats/second`, { method: "POST", body: '{"name":"Grace"}' });
    await hears(p, "Grace joined as Black.");
    assert.equal(await p.page.locator(".clock.low").count(), 0);
    await p.page.clock.fastForward(3_580_000);
    await hears(p, "You have 30 seconds left.", "[data-hurry]");
    await p.page.locator(".clock.low .glyph.low").waitFor();
    await p.page.getByRole("timer", { name: "White clock" }).filter({ hasText: "low" }).waitFor();
    await accessible(p, "low time");
    await p.shot("low-time");
    await p.context.setOffline(true);
    await p.page.waitForSelector('[data-lost="true"]');
    const left = async () => parseFloat(await p.page.getByRole("timer", { name: "White clock" }).textContent());
    const before = await left();
    while (await left() >= before) await p.page.clock.runFor(100); // it goes on while the connection is gone: that costs time
    await p.close();
  });

  test("a clock stands while the turn is free", async () => {
    const post = async (path, body) => (await fetch(server.base + "/api/games" + path, { method: "POST", body: JSON.stringify(body) })).json();
    const made = await post("", { game: "chess", clock: { main: 12, delay: 100 }, as: "first", name: "Ada" });
    await post(`/${made.id}/seats/second`, { name: "Grace" });
    const p = await Person.open(browser, server.base);
    await p.go("/g/" + made.id);
    const clock = p.page.locator(".clock.runs");
    await clock.waitFor();
    await p.page.waitForTimeout(400);
    assert.equal(await clock.textContent(), "12.0");
    await p.close();
  });

  test("a hidden window keeps its connection, and an attempt to connect that hangs is repeated", async () => {
    const made = await (await fetch(server.base + "/api/games", { method: "POST", body: JSON.stringify({ game: "loa", as: "first", name: "Ada" }) })).json();
    const p = await Person.open(browser, server.base);
    let tries = 0, signs = 0;
    await p.page.routeWebSocket(/socket/, async (ws) => {
      if (++tries === 1) await new Promise(() => {}); // never opened
      ws.connectToServer().onMessage((m) => {
        ws.send(m);
        if (JSON.parse(m).kind === "reply") signs++;
      });
    });
    await p.page.clock.install();
    await p.go("/g/" + made.id);
    await p.page.getByText("Loading the game").waitFor();
    for (let n = 0; tries === 0 && n < 6_000; n++) await p.page.waitForTimeout(20);
    await p.page.clock.fastForward(15_000);
    await p.page.clock.fastForward(1_000);
    await p.page.waitForSelector("svg.board");
    assert.equal(tries, 2);
    for (let i = 0; i < 3; i++) { // timers of hidden windows run once a minute
      const before = signs;
      await p.page.clock.fastForward(60_000);
      for (let n = 0; signs === before && n < 6_000; n++) await p.page.waitForTimeout(20);
    }
    assert.equal(await p.page.locator('[data-lost="true"]').count(), 0);
    assert.equal(tries, 2);
    await p.close();
  });

  test("refusals of the server are shown in the page's words", async () => {
    const g = await two("loa");
    await play(g, spread, 1);
    await g.ada.page.evaluate((id) => fetch(`/api/games/${id}/resign`, { method: "POST" }), g.id); // in another window, so to say
    await g.grace.page.waitForSelector(".over");
    const answers = await g.grace.page.evaluate(async (id) => {
      const say = async (path, body) => (await (await fetch(`/api/games/${id}/${path}`, { method: "POST", body: JSON.stringify(body) })).json()).reason;
      return [await say("moves", { move: "b0b2", ply: 1 }), await say("accept", {}), await say("claim", {})];
    }, g.id);
    assert.deepEqual(answers, ["over", "answer.nothing", "over"]);
    await finish(null, g);
  });

  test("a move that the server cannot write yet is reported, and played once it can", async () => {
    const g = await two("othello", { size: 6 });
    let full = true;
    await g.ada.page.routeWebSocket(/socket/, (ws) => {
      const proxy = ws.connectToServer();
      ws.onMessage((m) => {
        const frame = JSON.parse(m);
        if (frame.do !== "move" || !full) return proxy.send(m);
        const problem = { code: "unavailable", reason: "full", error: "the disk is full", retry_after: 5 };
        ws.send(JSON.stringify({ kind: "reply", ref: frame.ref, status: 503, problem }));
      });
    });
    await g.ada.go(g.path);
    await g.ada.ready(0);
    await g.ada.byMouse(await server.view(g.id), (await server.view(g.id)).legal[0]);
    await g.ada.page.getByRole("alert").filter({ hasText: "disk is full" }).waitFor();
    assert.equal((await server.view(g.id)).ply, 0);
    full = false;
    await server.until(g.id, (v) => v.ply === 1, "ply 1");
    await g.ada.page.getByRole("alert").filter({ hasText: "disk is full" }).waitFor({ state: "detached" });
    await finish(null, g);
  });

  test("a move crosses a slow and broken connection exactly once", async () => {
    const g = await two("connect6", { size: 9 });
    const cdp = await g.ada.context.newCDPSession(g.ada.page);
    await cdp.send("Network.enable");
    await cdp.send("Network.emulateNetworkConditions", { offline: false, latency: 400, downloadThroughput: 20_000, uploadThroughput: 20_000 });
    await play(g, spread, 3);
    await g.ada.context.setOffline(true);
    await g.ada.page.waitForSelector('[data-lost="true"]');
    await accessible(g.ada, "the sign that the connection is gone");
    await g.ada.context.setOffline(false);
    await g.ada.page.waitForSelector('[data-lost="false"]', { state: "attached" });
    await hears(g.ada, "Connected again.");
    const v = await play(g, spread, 3);
    assert.equal(v.ply, 6);
    await finish(null, g);
  });
}
