// Without a network: a game on this device, its review, an analysis; and an update of what is kept.

import { test } from "node:test";
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { accessible, browser, server } from "./common.mjs";
import { Person } from "./person.mjs";

/** small chooses a small board in a new window. */
async function small(base, game = "othello") {
  const p = await Person.open(browser, base, { fresh: true });
  await p.context.addInitScript((game) => {
    localStorage.setItem("quintet.choices", JSON.stringify({ game, opponent: "engine", level: "1", colour: "first", "options.othello": '{"size":"4"}' }));
    localStorage.setItem("quintet.pace", "false");
  }, game);
  return p;
}

/** installed opens the page of games on this device, and waits until everything is kept. */
async function installed(base, game) {
  const p = await small(base, game);
  await p.go("/device");
  await p.page.locator('[data-offline="ready"]').waitFor();
  await p.page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  return p;
}

/** begins begins the game that is chosen. */
async function begins(p) {
  await p.page.locator("form.setup button.big").click();
  await p.page.locator('main[data-state="live"] :is(.cell.legal, .cell.takes)').first().waitFor();
}

/** answered waits until something can be played after so many moves, or the game is over. */
const answered = (p, plies) => p.page.waitForFunction((n) => document.querySelectorAll(".moves .move").length > n && (document.querySelector('main[data-state="over"]') || document.querySelector("main :is(.cell.legal, .cell.takes)")), plies);

/** plays plays the first legal move, and waits for the answer. */
async function plays(p) {
  const plies = await p.page.locator(".moves .move").count();
  await p.page.locator("main .cell.legal").first().click();
  await answered(p, plies);
}

/** full makes the storage of a page full. */
const full = () => { Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); }; };

const isOver = (p) => p.page.locator('main[data-state="over"]').count();

/** updating is a proxy to the server whose service worker is that of another version once it is told so. */
async function updating() {
  const to = { other: false };
  const proxy = createServer(async (q, answer) => {
    const got = await fetch(server.base + q.url, { method: q.method, headers: { cookie: q.headers.cookie ?? "" } }).catch(() => null);
    if (!got) return answer.destroy();
    const data = Buffer.from(await got.arrayBuffer()), isWorker = q.url === "/sw.js";
    answer.writeHead(got.status, { "Content-Type": got.headers.get("content-type"), "Content-Security-Policy": got.headers.get("content-security-policy") ?? "" });
    answer.end(isWorker && to.other ? data.toString().replace(/"version":"\w+"/, '"version":"0123456789ab"') : data);
  }).listen(0, "127.0.0.1").unref();
  await once(proxy, "listening");
  return { to, base: `http://127.0.0.1:${proxy.address().port}`, stop: () => { proxy.close(); proxy.closeAllConnections(); } };
}

export default function () {
  test("in aeroplane mode, a whole game, its review and an analysis", async () => {
    const p = await installed(server.base);
    await p.context.setOffline(true);
    do { // the first page needs the server, so that of games on this device is shown instead, once the service worker is offline, too
      await p.go("/");
      await p.page.locator("main:is(.home, .here)").waitFor();
    } while (await p.page.locator("main.home").count());
    await accessible(p, "device");
    await p.resize(1920, 1080); // where the rules of a game stand beside its board
    assert.equal(await p.page.locator(".tile .about").first().evaluate((e) => getComputedStyle(e).position), "static", "what is said of a game lies over its board");
    await p.resize(1280, 900);
    await begins(p);
    await p.button("Hint").click();
    await p.page.getByText(/^Hint: \w\d$/).waitFor({ state: "attached" });
    await plays(p);
    const plies = await p.page.locator(".moves .move").count();
    await p.button("Take back").click();
    await p.page.waitForFunction((n) => document.querySelectorAll(".moves .move").length < n, plies);
    while (!await isOver(p)) await plays(p);
    await p.page.getByRole("link", { name: "Review this game" }).click();
    await p.page.locator('main[data-state="done"]').waitFor();
    await p.page.getByRole("link", { name: "Analyse" }).last().click();
    await p.page.locator("main svg.board").waitFor();
    await p.go("/analysis/neighbors");
    await p.button("Start engine").click();
    await p.page.locator(".engine-lines .move").first().waitFor();
    await p.go("/device");
    assert.match(await p.page.locator(".games-here li a").textContent(), /^Othello · Ada – Engine, level 1 · /);
    await p.context.setOffline(false);
    const made = []; // studies, the first of which the page does not hear of
    await p.page.route("**/api/studies", async (r) => {
      const response = await r.fetch();
      made.push((await response.json()).id);
      await (made.length > 1 ? r.fulfill({ response }) : r.abort());
    });
    await p.page.locator(".games-here li a").click();
    await p.button("Upload as a study").click();
    await p.page.getByRole("alert").filter({ hasText: "cannot be reached" }).waitFor();
    await p.button("Upload as a study").click();
    await p.page.getByRole("link", { name: "Open the study" }).waitFor();
    assert.equal(made.length, 2);
    assert.equal(made[0], made[1], "the second attempt makes another study");
    await p.close();
  });

  test("a browser without enough storage says so; after storage is cleared, an open game is saved again and a closed one is reported missing", async () => {
    const p = await small(server.base), cdp = await p.context.newCDPSession(p.page);
    await cdp.send("Storage.overrideQuotaForOrigin", { origin: server.base, quotaSize: 100_000 });
    await p.go("/device");
    await p.page.getByText("This browser cannot open this page without a network.").waitFor();
    await begins(p);
    await plays(p);
    await p.context.setOffline(true);
    const clear = () => cdp.send("Storage.clearDataForOrigin", { origin: server.base, storageTypes: "all" });
    await p.page.evaluate(() => localStorage.setItem("other", "1"));
    await clear();
    await p.page.waitForFunction(() => localStorage.getItem("other") === null);
    await plays(p);
    const moves = await p.page.locator(".moves .move").allTextContents(), address = p.page.url();
    await p.context.setOffline(false);
    await p.page.reload();
    await p.page.locator(".moves .move").nth(moves.length - 1).waitFor();
    assert.deepEqual(await p.page.locator(".moves .move").allTextContents(), moves, "the game that is open is not stored again");
    await p.go("/healthz");
    await clear();
    await p.page.goto(address);
    await p.page.getByText("This game is not on this device.").waitFor();
    await p.close();
  });

  test("a new version keeps settings and games; what cannot be stored or understood is not lost silently", async () => {
    const { to, base, stop } = await updating(), p = await installed(base, "neighbors"); // without the weights of Othello
    await p.page.evaluate(() => localStorage.setItem("quintet.device.newer", '{"v":2}'));
    await begins(p);
    await p.page.getByRole("textbox").fill("c0c2");
    await p.page.keyboard.press("Enter");
    await answered(p, 1); // and the engine has replied
    const before = await p.page.evaluate(() => JSON.stringify(Object.entries(localStorage).sort()));
    to.other = true;
    await p.page.evaluate(async () => { await (await navigator.serviceWorker.getRegistration()).update(); });
    await p.page.getByText("A new version is ready.").waitFor();
    const changed = p.page.waitForEvent("load");
    await p.button("Reload").click();
    await changed;
    await p.page.locator('main[data-state="live"] :is(.cell.legal, .cell.takes)').first().waitFor();
    assert.equal(await p.page.evaluate(() => JSON.stringify(Object.entries(localStorage).sort())), before);
    assert.deepEqual((await p.page.evaluate(() => caches.keys())).sort(), ["quintet-files", "quintet-pages-0123456789ab-en"]);
    const other = await p.page.evaluate(() => { // another window has stored the game, and this one has not heard of it
      const key = Object.keys(localStorage).find((k) => /^quintet.device.(?!newer)/.test(k)), g = JSON.parse(localStorage.getItem(key));
      localStorage.setItem(key, JSON.stringify({ ...g, updated: "2026-11-27T12:00:00.000Z", seats: { ...g.seats, first: { name: "Zoe" } } }));
      return [key, localStorage.getItem(key)];
    });
    await p.button("Take back").click();
    await p.page.locator(".seat .name", { hasText: "Zoe" }).waitFor();
    assert.equal(await p.page.evaluate(([key]) => localStorage.getItem(key), other), other[1], "the other window's game is overwritten");
    await p.page.evaluate(full);
    await p.button("Take back").click();
    await p.page.getByText("This browser cannot store the game").waitFor();
    const download = p.page.waitForEvent("download");
    await p.button("Download the record").click();
    assert.match((await download).suggestedFilename(), /^neighbors-\w+\.txt$/);
    p.page.on("dialog", (d) => d.accept()); // the page asks before it is left
    await p.go("/device");
    await p.page.getByText("Another version of Quintet stored this game").waitFor();
    assert.equal(await p.page.evaluate(() => localStorage.getItem("quintet.device.newer")), '{"v":2}');
    await p.page.evaluate(full);
    await begins(p); // a game can be played all the same
    await p.page.getByText("This browser cannot store the game").waitFor();
    await p.close();
    stop();
  });
}
