// The pages of a game that has nothing but rules, in which White moves first: Go runs this with a
// program that has lab/baregame on its list of games.

import { test } from "node:test";
import assert from "node:assert/strict";
import { accessible, browser, server } from "./common.mjs";
import { Person } from "./person.mjs";
import { opened, seated } from "./seats.mjs";

const game = "bare", title = "Three stones";

/** finish closes a window in which nothing may have gone wrong. */
async function finish(p) {
  assert.deepEqual(p.errors, []);
  await p.close();
}

test("the first page offers the game beside the others, and shows its board", async () => {
  const p = await Person.open(browser, server.base);
  await p.go(`/new?game=${game}`);
  await p.page.locator(`.demo svg[data-game="${game}"]`).waitFor();
  const games = await (await fetch(server.base + "/api/setup")).json();
  assert.equal(await p.page.locator(".games .tile").count(), games.games.length);
  await p.page.locator(".games").getByRole("radio", { name: title, checked: true }).waitFor();
  await p.go("/");
  await p.page.locator(".now-games li").first().waitFor();
  assert.equal(await p.page.locator(".now-games li").count(), games.games.length);
  await p.page.locator(".today li").first().waitFor();
  assert.equal(await p.page.locator(".today li").count(), games.games.length - 1, "a puzzle of the day of each game that has any");
  await accessible(p, "the first page with another game");
  await p.shot("bare-home");
  await finish(p);
});

test("White moves first, with light stones, and wins", async () => {
  const g = await opened({ game }), p = await seated(g);
  const v = await server.view(g.id);
  await p.byMouse(v, v.legal.find((m) => m.move === "a1"));
  await p.ready(1);
  assert.equal(await p.page.locator("main .board .front .stone.white").count(), 1, "White's stone is white");
  assert.equal(await p.page.locator(".seat .badge .stone.white, .seat .badge .stone.black").count(), 2);
  await g.plays("a2", "b2", "a3", "c3");
  await p.page.locator(".ending", { hasText: "You won" }).waitFor();
  assert.deepEqual(await p.page.locator("main .cell.won").evaluateAll((list) => list.map((e) => e.dataset.name)), ["c3"]);
  await p.shot("bare-over");
  await finish(p);
});

for (const [page, text] of [["puzzles", `There are no puzzles of ${title} yet.`], ["learn", `There are no lessons of ${title} yet. These are its rules.`]]) {
  test(`${page}: the page says that there are none, and shows the rules`, async () => {
    const p = await Person.open(browser, server.base);
    await p.go(`/${page}/${game}`);
    await p.page.locator('main[data-ready="true"]').getByText(text).waitFor();
    await p.page.getByText("Three in a row, a column or a diagonal win.").waitFor();
    await p.page.getByRole("link", { name: "Play a game" }).waitFor();
    await accessible(p, page);
    await finish(p);
  });
}

test("the editor writes positions with the initials of the sides", async () => {
  const p = await Person.open(browser, server.base);
  await p.go(`/editor/${game}`);
  await p.page.waitForSelector('main[data-ready="true"]');
  assert.equal(await p.page.locator(".palette input").count(), 3, "two stones and the eraser");
  await p.page.locator('main [data-name="b2"] .ground').click({ force: true });
  await p.page.getByRole("radio", { name: "Black", exact: true }).check();
  await p.page.waitForFunction(() => document.querySelector(".text-form textarea").value === "3/1W1/3 B");
  await p.page.locator("#rules-say", { hasText: "8" }).waitFor();
  await finish(p);
});

test("the analysis board shows lines of random games", async () => {
  const p = await Person.open(browser, server.base);
  await p.go(`/analysis/${game}?position=${encodeURIComponent("3/1W1/3 B")}`);
  await p.page.waitForSelector("main[data-ready] svg.board");
  await p.button("Start engine").click();
  await p.page.waitForFunction(() => Number(document.querySelector(".engine-box").dataset.depth) >= 2);
  await finish(p);
});
