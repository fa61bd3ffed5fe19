// The tests in the browser. Go runs them (go test ./web/browser) and tells them by
// QUINTET, CHROMIUM and SHOTS what to use and where screenshots go. Those that kill
// the server come first, by themselves; the others run side by side.

import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { browser, finish, play, server, spread, two } from "./common.mjs";
import accounts from "./accounts.mjs";
import correspondence from "./correspondence.mjs";
import analysis from "./analysis.mjs";
import announcements from "./announcements.mjs";
import appearance from "./appearance.mjs";
import classes from "./classes.mjs";
import device from "./device.mjs";
import dragging from "./dragging.mjs";
import editor from "./editor.mjs";
import ending from "./ending.mjs";
import games from "./games.mjs";
import golden from "./golden.mjs";
import home from "./home.mjs";
import languages from "./languages.mjs";
import layout from "./layout.mjs";
import learn from "./learn.mjs";
import otherPlayers from "./otherplayers.mjs";
import offline from "./offline.mjs";
import pages from "./pages.mjs";
import presence from "./presence.mjs";
import reconnecting from "./reconnecting.mjs";
import review from "./review.mjs";
import screenReader from "./screenreader.mjs";
import setup from "./setup.mjs";
import stepping from "./stepping.mjs";
import study from "./study.mjs";
import tournaments from "./tournaments.mjs";
import { Person } from "./person.mjs";

test("the server is killed in mid-game, and the game continues after its restart", async () => {
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

test("a reused window keeps nothing of its last use", async () => {
  const left = (p) => p.page.evaluate(() => [document.cookie, ...[localStorage, sessionStorage].flatMap((s) => Object.entries(s))].join());
  const dark = (p) => p.page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  const before = await Person.open(browser, server.base, { name: "Euler", colorScheme: "dark" });
  await before.hears();
  await before.context.addInitScript(() => { document.cookie = "kept=1"; localStorage.setItem("kept", "1"); sessionStorage.setItem("kept", "1"); });
  await before.page.route("**/about", (r) => r.fulfill({ body: "another page" }));
  await before.window();
  await (await before.context.newCDPSession(before.page)).send("Emulation.setUserAgentOverride", { userAgent: "Euler's" });
  await before.go("/healthz");
  assert.match(await left(before), /kept.*kept.*kept/);
  assert.ok(await dark(before));
  await before.context.setOffline(true);
  await before.close();
  const p = await Person.open(browser, server.base, { name: "Gauss", width: 390, height: 844 });
  assert.ok(p.page === before.page, "the window is not reused");
  assert.equal(p.context.pages().length, 1);
  await p.go("/about");
  await p.page.getByRole("heading", { level: 1 }).waitFor();
  assert.ok(!(await left(p)).includes("kept"), await left(p));
  assert.match(await left(p), /Gauss/);
  assert.ok(!await dark(p), "the window is still dark");
  assert.deepEqual(await p.page.evaluate(() => [innerWidth, "heard" in window, navigator.userAgent.startsWith("Euler")]), [390, false, false]);
  await p.page.clock.install();
  await p.close();
  const next = await Person.open(browser, server.base);
  assert.ok(next.page !== p.page, "a window whose clock was replaced is reused");
  await next.close();
});

describe("side by side", { concurrency: 3 }, () => {
  for (const tests of [accounts, correspondence, classes, languages, layout, home, stepping, ending, appearance, pages, device, analysis, editor, games, golden, reconnecting, offline, dragging, learn, presence, review, setup, screenReader, study, tournaments, announcements, otherPlayers]) tests();
});
