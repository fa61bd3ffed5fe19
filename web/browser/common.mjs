// What the tests in the browser share: a server, a browser, and what people do in
// nearly every one of them.

import { after, before } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { inPage, launch, Person } from "./person.mjs";
import { Server } from "./server.mjs";

// Escape axe to ASCII: with a character outside Latin-1, the browser would keep the script in two bytes for each.
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8").replace(/[^\0-\x7f]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
export let server, browser;

/** schemes are what devices ask for that changes colours. */
export const schemes = [{ colorScheme: "dark" }, { forcedColors: "active" }, { contrast: "more" }];

before(async () => { [server, browser] = await Promise.all([Server.start(), launch()]); });
after(async () => { await browser?.close(); await server?.stop(); });

/** setUp opens a game by the form and returns its address. */
export async function setUp(p, game, { opponent = "A friend, by link", colour = "first", size } = {}) {
  await p.go("/new?game=" + game);
  await p.page.getByRole("radio", { name: opponent, exact: true }).check();
  if (colour) await p.page.locator('input[name="colour"]').nth(colour === "first" ? 0 : 2).check();
  if (size) await p.more();
  if (size) await p.page.getByLabel("Board size").fill(String(size));
  await p.page.locator("form.setup button.big").click();
  await p.page.waitForURL(/\/g\//);
  await p.page.waitForSelector("svg.board");
  return new URL(p.page.url()).pathname;
}

/** two opens two windows with a game between them: the first by mouse, the second by keyboard. */
export async function two(game, options = {}) {
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
export async function play({ ada, grace, id }, choose, most) {
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

export const spread = (v, n) => v.legal[(n * 7 + 3) % v.legal.length];
export const named = (list) => (v, n) => v.legal.find((m) => m.move.toLowerCase() === list[n]) ?? assert.fail(`${list[n]} is not legal`);

export async function finish(t, { ada, grace }) {
  assert.deepEqual([...ada.errors, ...grace.errors], []);
  await Promise.all([ada.close(), grace.close()]);
}

/** accessible runs axe on a page. It gets only the violations from the page: to transfer all results takes a sixth of the time. */
export async function accessible(p, what) {
  await p.looks?.();
  if (await p.page.evaluate(() => !("axe" in window))) await (p.page === p.view.page ? inPage(p.view.cdp, axe + "; 0") : p.page.evaluate(axe));
  const list = await p.page.evaluate(async (what) => {
    const style = window.getComputedStyle;
    if (window.undrawn) window.getComputedStyle = (e, ...of) => { // axe skips transparent elements, so report the page as opaque
      const s = style(e, ...of);
      return e !== document.documentElement ? s : new Proxy(s, { get: (s, key) => (key === "opacity" ? "1" : key === "getPropertyValue" ? (name) => (name === "opacity" ? "1" : s.getPropertyValue(name)) : s[key]) });
    };
    const found = await axe.run(document, { resultTypes: ["violations"], preload: false });
    window.getComputedStyle = style;
    return found.violations.map((v) => `${what}: ${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(" | ")}`);
  }, what);
  assert.deepEqual(list, []);
}
