// The tests in the browser. Go runs them (go test ./web/browser) and tells them by
// QUINTET, CHROMIUM and SHOTS what to use and where screenshots go.

import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { launch, Person } from "./person.mjs";
import { Server } from "./server.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let server, browser;

before(async () => { [server, browser] = await Promise.all([Server.start(), launch()]); });
after(async () => { await browser?.close(); await server?.stop(); });

/** setUp opens a game by the form of the first page and returns its address. */
async function setUp(p, game, { opponent = "A friend, by link", colour = "first", size } = {}) {
  await p.go("/?game=" + game);
  await p.page.getByRole("radio", { name: opponent, exact: true }).check();
  if (colour) await p.page.locator('input[name="colour"]').nth(colour === "first" ? 0 : 2).check();
  if (size) await p.page.getByLabel("Board size").fill(String(size));
  await p.page.locator("form.setup button.big").click();
  await p.page.waitForURL(/\/g\//);
  await p.page.waitForSelector("svg.board");
  return new URL(p.page.url()).pathname;
}

/** two opens two windows with a game between them: the first by mouse, the second by keyboard. */
async function two(game, options = {}) {
  const ada = await Person.open(browser, server.base, { name: "Ada" });
  const grace = await Person.open(browser, server.base, { name: "Grace" });
  const path = await setUp(ada, game, options);
  await grace.go(path);
  await grace.page.getByRole("button", { name: /^Play (Black|White)$/ }).press("Enter");
  await grace.page.waitForSelector('main[data-state="live"]');
  await ada.page.waitForSelector('main[data-state="live"]');
  return { ada, grace, id: ada.id, path };
}

/** play plays moves, one side by mouse and the other by keyboard, until enough are played or the game is over. */
async function play({ ada, grace, id }, choose, most) {
  for (let ply = (await server.view(id)).ply, n = 0; n < most; n++) {
    const v = await server.view(id);
    if (v.state === "over") return v;
    const m = choose(v, n);
    const who = v.turn === "first" ? ada : grace;
    await who.ready(ply);
    if (who === ada) await ada.byMouse(v, m, n % 4 === 0);
    else await grace.byKeys(v, m);
    ply = (await server.until(id, (w) => w.ply === ply + 1, `ply ${ply + 1} by ${m.move}`)).ply;
  }
  return server.view(id);
}

const spread = (v, n) => v.legal[(n * 7 + 3) % v.legal.length];
const named = (list) => (v, n) => v.legal.find((m) => m.move.toLowerCase() === list[n]) ?? assert.fail(`${list[n]} is not legal`);

async function finish(t, { ada, grace }) {
  assert.deepEqual([...ada.errors, ...grace.errors], []);
  await Promise.all([ada.close(), grace.close()]);
}

test("the server is killed in mid-game, and the game goes on", async () => {
  const g = await two("othello", { size: 6 });
  const before = await play(g, spread, 5);
  await server.kill();
  await g.ada.page.waitForSelector('[data-lost="true"]');
  await g.ada.shot("connection-lost");
  await server.run();
  for (const p of [g.ada, g.grace]) await p.page.waitForSelector('[data-lost="false"]', { state: "attached" });
  assert.deepEqual((await server.view(g.id)).moves, before.moves);
  const after = await play(g, spread, 4);
  assert.equal(after.ply, 9);
  await finish(null, g);
});

test("a window that was closed comes back, and one without a network catches up", async () => {
  const g = await two("loa");
  await play(g, spread, 2);
  await g.grace.context.setOffline(true);
  await g.grace.page.waitForSelector('[data-lost="true"]');
  await g.ada.page.close();
  g.ada.page = await g.ada.context.newPage();
  await g.ada.go("/");
  await g.ada.page.getByRole("link", { name: /Lines of Action.*Continue/s }).click();
  await g.ada.page.waitForSelector("svg.board");
  await play({ ...g, grace: g.ada }, spread, 1); // Ada moves while Grace is away
  await g.grace.context.setOffline(false);
  await g.grace.ready(3);
  await play(g, spread, 3);
  await finish(null, g);
});

test("offers and take-backs are asked for and answered", async () => {
  const g = await two("neighbors");
  await play(g, spread, 2);
  await g.grace.button("Take back").press("Enter");
  await g.ada.button("Accept").click();
  await server.until(g.id, (v) => v.ply === 1, "ply 1");
  await g.grace.ready(1);
  await g.ada.button("Offer draw").click();
  await g.grace.button("Decline").click();
  await server.until(g.id, (v) => v.asked.first.length === 0, "no offer");
  await g.grace.button("Offer draw").click();
  await g.ada.button("Accept").click();
  const v = await server.until(g.id, (w) => w.state === "over", "a draw");
  assert.equal(v.reason, "agreement");
  await finish(null, g);
});

test("a move that is meant for later is played in its time", async () => {
  const g = await two("chess");
  const put = async (p, ...cells) => { for (const c of cells) await p.cell(c).click(); };
  await put(g.grace, "e7", "e5");
  await g.grace.page.getByText("Your next move is set.").waitFor();
  await put(g.ada, "e2", "e4");
  const v = await server.until(g.id, (w) => w.ply === 2, "ply 2");
  assert.deepEqual(v.moves, ["e2e4", "e7e5"]);
  await finish(null, g);
});

test("an engine answers, and its game can be stepped through, taken back and played on", async () => {
  const p = await Person.open(browser, server.base);
  await setUp(p, "othello", { opponent: "Engine" });
  const g = { ada: p, grace: p, id: p.id };
  for (const ply of [0, 2]) {
    const v = await server.until(g.id, (w) => w.turn === "first" && w.ply === ply, `ply ${ply}`);
    await p.ready(ply);
    await p.byMouse(v, v.legal[0]);
  }
  await p.ready(4);
  await p.button("Take back").click();
  await p.ready(2);
  await p.button("One move back").click();
  await p.page.getByText("1 of 2").waitFor();
  await p.page.getByText("You are looking at an earlier position.").waitFor();
  await p.page.getByRole("link", { name: "Play on from this position" }).click();
  await p.page.getByRole("heading", { name: "Play on from move 1" }).waitFor({ state: "attached" });
  await p.page.getByRole("radio", { name: "Two people here" }).check();
  await p.page.locator("form.setup button.big").click();
  await p.page.waitForURL((u) => u.pathname.startsWith("/g/") && !u.pathname.endsWith(g.id));
  await p.ready(1);
  const v = await server.view(p.id);
  assert.equal(v.ply, 1);
  await p.byKeys(v, v.legal[0]);
  await p.ready(2);
  assert.deepEqual(p.errors, []);
  await p.close();
});

test("engines play each other, and the game is in the list to be watched", async () => {
  const p = await Person.open(browser, server.base);
  await setUp(p, "connect6", { opponent: "Watch engines", colour: "" });
  await server.until(p.id, (v) => v.ply > 4, "five moves");
  const other = await Person.open(browser, server.base);
  await other.go("/");
  await other.page.getByRole("link", { name: /Connect6.*Watch/s }).first().click();
  await other.page.waitForSelector('main[data-state="live"]');
  await p.close();
  await other.close();
});

test("pits are chosen by tapping, at random and balanced", async () => {
  const p = await Person.open(browser, server.base);
  await p.go("/?game=othello");
  await p.page.getByRole("radio", { name: "Two people here" }).check();
  await p.page.getByLabel("Board size").fill("10");
  await p.page.locator(".pits summary").click();
  await p.cell("b3").click();
  await p.cell("c4").click();
  await p.cell("c4").click();
  await p.page.getByText("1 pit", { exact: true }).waitFor();
  await p.button("Random").click();
  await p.page.getByText("4 pits").waitFor();
  await p.button("Balanced").click();
  await p.shot("pits");
  await p.page.locator("form.setup button.big").click();
  await p.page.waitForURL(/\/g\//);
  await p.page.waitForSelector("svg.board");
  const v = await server.view(p.id);
  const pits = v.board.cells.flatMap((c, i) => (c === "#" ? [i] : []));
  assert.equal(pits.length, 4);
  assert.deepEqual(pits.map((i) => 99 - i).reverse(), pits, "balanced pits face each other");
  assert.deepEqual(p.errors, []);
  await p.close();
});

test("a name with markup is text, and private games are seen by those with the link", async () => {
  const p = await Person.open(browser, server.base, { name: "<img src=x>" });
  await p.go("/?game=loa");
  await p.page.locator("form.setup button.big").click();
  await p.page.getByRole("alert").filter({ hasText: "A name has 1 to 40 characters" }).waitFor();
  await p.page.waitForFunction(() => document.activeElement?.getAttribute("aria-invalid") === "true"); // it is said at the field, which is opened
  await p.page.locator("form.setup").getByLabel("Your name").fill("Ada");
  await p.page.getByRole("radio", { name: "A friend, by link" }).check();
  await p.page.getByLabel("Private").check();
  await p.page.locator("form.setup button.big").click();
  await p.page.waitForURL(/key=/);
  const link = await p.page.getByLabel("Link to the game").inputValue();
  const friend = await Person.open(browser, server.base, { name: "Grace" });
  await friend.go(new URL(link).pathname);
  await friend.page.getByRole("heading", { name: "There is no such game" }).waitFor();
  await friend.page.goto(link);
  await friend.page.getByRole("button", { name: /^Play (Black|White)$/ }).click();
  await friend.page.waitForSelector('main[data-state="live"]');
  await p.close();
  await friend.close();
});

test("on a phone, the first tap comes closer to small cells, which a finger then hits", async () => {
  const p = await Person.open(browser, server.base, { width: 360, height: 740, hasTouch: true, isMobile: true });
  await setUp(p, "connect6", { opponent: "Two people here", colour: "", size: 26 });
  const size = async () => (await p.cell("J9").locator(".ground").boundingBox()).width;
  assert.ok(await size() < 20);
  await p.cell("J9").tap();
  await p.button("Whole board").waitFor();
  assert.ok(await size() > 40, `a cell is ${await size()} pixels wide`);
  assert.equal((await server.view(p.id)).ply, 0);
  await p.shot("closer-360");
  await p.drag("J9", "L9"); // the board is drawn along, and nothing is played
  const [box, svg] = [await p.cell("J9").locator(".ground").boundingBox(), await p.page.locator("main svg.board").boundingBox()];
  assert.ok(box.x - svg.x > svg.width / 2 + 40, "the board is where it was");
  assert.equal((await server.view(p.id)).ply, 0);
  await p.cell("J9").tap();
  await server.until(p.id, (v) => v.ply === 1, "ply 1");
  await p.button("Whole board").waitFor({ state: "detached" }); // it is the other side's turn
  await p.cell("J10").tap();
  await p.button("Whole board").click();
  assert.ok(await size() < 20);
  await p.close();
});

/** accessible runs axe on a page. */
async function accessible(p, what) {
  await p.page.evaluate(axe);
  const found = await p.page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  const list = found.violations.map((v) => `${what}: ${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(" | ")}`);
  assert.deepEqual(list, []);
}

for (const width of [390, 768, 1280]) {
  test(`the pages at ${width} pixels, light and dark, pass axe and do not shift`, async () => {
    const ids = {};
    for (const game of ["neighbors", "othello", "loa", "connect6", "chess"]) {
      const r = await fetch(server.base + "/api/games", { method: "POST", body: JSON.stringify({ game, options: game === "connect6" ? { size: "11" } : {}, clock: { main: 300, increment: 2 }, seats: { first: "open", second: "level:1" }, as: "first", name: "Ada" }) });
      ids[game] = await r.json();
    }
    for (const colorScheme of ["light", "dark"]) {
      const p = await Person.open(browser, server.base, { width, height: width < 500 ? 844 : 900, colorScheme });
      await p.context.addInitScript(() => {
        window.shift = 0;
        new PerformanceObserver((l) => { for (const e of l.getEntries()) if (!e.hadRecentInput) window.shift += e.value; }).observe({ type: "layout-shift", buffered: true });
      });
      await p.go("/");
      await p.page.waitForSelector(".tile");
      await accessible(p, "home");
      await p.shot(`home-${width}-${colorScheme}`);
      for (const [game, made] of Object.entries(ids)) { // each game in one of the schemes
        if ((Object.keys(ids).indexOf(game) % 2 === 0) !== (colorScheme === "light")) continue;
        await p.context.addCookies([{ name: `quintet_${made.id}_first`, value: made.token, url: server.base }]);
        await p.go("/g/" + made.id);
        await p.page.waitForSelector("svg.board");
        await accessible(p, game);
        await p.shot(`${game}-${width}-${colorScheme}`);
        const shift = await p.page.evaluate(() => window.shift);
        assert.ok(shift < 0.02, `${game}: the layout shifts by ${shift}`);
      }
      assert.deepEqual(p.errors, []);
      await p.close();
    }
  });
}

test("what is opened on the pages passes axe, in every theme, and so does a game that is over", async () => {
  const p = await Person.open(browser, server.base, { width: 390, height: 844 });
  await p.go("/?game=othello");
  await p.page.getByLabel("Board size").fill("6");
  await p.page.locator(".pits summary").click();
  await p.page.getByLabel("Clock").selectOption("own");
  await p.page.locator(".setup > details summary").last().click();
  await accessible(p, "set-up, opened");
  await p.button("Settings").click();
  for (const theme of ["Dark", "High contrast", "Light"]) {
    await p.page.getByRole("radio", { name: theme }).check();
    await accessible(p, `settings, ${theme}`);
  }
  await p.page.getByRole("radio", { name: "High contrast" }).check();
  await p.button("Done").click();
  await p.page.getByLabel("Clock").selectOption("none");
  await p.page.getByRole("radio", { name: "Two people here" }).check();
  await p.page.locator("form.setup button.big").click();
  await p.page.waitForURL(/\/g\//); // the board for choosing pits is on the page before
  await p.page.waitForSelector("svg.board");
  for (let ply = 0; ply < 3; ply++) {
    const v = await server.until(p.id, (w) => w.ply === ply, `ply ${ply}`);
    await p.ready(ply);
    await p.byMouse(v, v.legal[0]);
  }
  await p.ready(3);
  await p.button("Resign").click();
  await p.button(/^Resign as/).click();
  await p.page.locator(".over summary").click();
  await accessible(p, "over");
  await p.shot("over-contrast");
  assert.deepEqual(p.errors, []);
  await p.close();
});

test("a side that must pass is told so, and everybody hears of it", async () => {
  const p = await Person.open(browser, server.base);
  await p.go("/");
  await p.page.locator('input[name="game"][value="loa"]').check();
  await p.page.getByRole("radio", { name: "Two people here" }).check();
  await p.page.locator("form.setup details summary").last().click();
  await p.page.getByLabel(/^Start from a position/).fill("BW6/WW6/8/8/8/8/6WW/6WB B");
  await p.page.locator("form.setup button.big").click();
  await p.page.getByText("Black has no move and must pass.").waitFor();
  await p.shot("pass");
  await p.button("Pass").press("Enter");
  await p.page.locator("[data-announce]", { hasText: "Black passes: no legal move." }).waitFor({ state: "attached" });
  assert.deepEqual((await server.view(p.id)).moves, ["pass"]);
  await p.close();
});

for (const [game, options, choose, most, ends] of [
  ["othello", { size: 4 }, spread, 40, "rules"],
  ["connect6", { size: 7 }, (v) => v.legal.find((m) => m.move.startsWith(v.turn === "first" ? "B" : "E")) ?? v.legal[0], 50, "rules"],
  ["chess", {}, named(["e2e4", "f7f5", "d1h5", "a7a6", "h5e8"]), 5, "rules"],
  ["loa", {}, spread, 10],
  ["neighbors", {}, spread, 10],
]) {
  test(`${game} in two windows, by mouse and by keyboard`, async (t) => {
    const g = await two(game, options);
    await play(g, choose, most);
    await g.grace.shot(`${game}-played`);
    if (!ends) {
      await g.ada.button("Resign").click();
      await g.ada.button(/^Resign as/).click();
    }
    const v = await server.until(g.id, (w) => w.state === "over", "an end");
    assert.equal(v.reason, ends ?? "resignation");
    await g.grace.page.waitForSelector(".over");
    for (const link of await g.grace.page.locator(".forms a").all()) {
      const path = await link.getAttribute("href");
      const r = await g.grace.page.request.get(server.base + path);
      assert.ok(r.ok(), `${path}: ${r.status()} ${await r.text()}`);
    }
    await g.grace.button("Rematch, colours swapped").press("Enter");
    await g.ada.button("Accept").click();
    await Promise.all([g.ada, g.grace].map((p) => p.page.waitForURL((u) => !u.pathname.endsWith(g.id))));
    const next = await server.view(g.ada.id);
    assert.deepEqual([next.seats.first.name, next.seats.second.name], ["Grace", "Ada"]);
    await finish(t, g);
  });
}
