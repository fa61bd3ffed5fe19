// Games between two windows, by mouse and by keyboard, and against engines.

import { test } from "node:test";
import assert from "node:assert/strict";
import { browser, finish, named, play, server, setUp, spread, two } from "./common.mjs";
import { Person } from "./person.mjs";

export default function () {
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
    await setUp(p, "othello", { opponent: "Watch engines", colour: "", size: 14 }); // which takes long enough
    await server.until(p.id, (v) => v.ply > 4, "five moves");
    const other = await Person.open(browser, server.base);
    await other.go("/");
    await other.page.locator(`a[href="/g/${p.id}"]`, { hasText: "Watch" }).click();
    await other.page.waitForSelector('main[data-state="live"]');
    await p.close();
    await other.close();
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
}
