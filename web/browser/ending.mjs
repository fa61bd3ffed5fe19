// The end of a game is an event: it is said on the board, what decided it is
// highlighted, and another game is within reach.

import { test } from "node:test";
import assert from "node:assert/strict";
import { accessible, browser, server } from "./common.mjs";
import { Person } from "./person.mjs";
import { opened, request, seated } from "./seats.mjs";

const won = (p) => p.page.locator("main .cell.won").evaluateAll((list) => list.map((e) => e.dataset.name).sort());

export default function () {
  for (const [game, body, moves, last, says, cells] of [
    ["connect6", { options: { size: "9" } }, ["A0", "A8", "B8", "B0", "C0", "C8", "D8", "D0", "E0", "E8", "G8"], "F0", "You won", ["A0", "B0", "C0", "D0", "E0", "F0"]],
    ["chess", {}, ["e2e4", "f7f5", "d1h5", "a7a6"], "h5e8", "You won", ["e8"]],
    ["othello", { position: "1OX5/8/8/8/8/8/8/8 X" }, [], "a1", "You won 3–0", ["a1", "b1"]],
  ]) {
    test(`${game}: the end is said on the board, and what decided it is highlighted`, async () => {
      const g = await opened({ game, ...body });
      await g.plays(...moves);
      const p = await seated(g, { width: 390, height: 844 });
      await p.ready(moves.length);
      assert.equal(await p.page.locator(".ending").count(), 0);
      await g.plays(last);
      await p.page.locator(".ending .verdict", { hasText: says }).waitFor();
      assert.equal(await p.page.locator(".verdict").textContent(), says);
      assert.deepEqual(await won(p), cells);
      await accessible(p, "the end of " + game);
      await p.shot(`end-${game}`);
      for (const name of ["Rematch, colours swapped", "Share", "One move back"]) { // within reach, without scrolling
        const box = await p.button(name).boundingBox();
        assert.ok(box.y + box.height <= 844, `${name} is at ${box.y}`);
      }
      await p.page.waitForTimeout(900);
      await p.button("One move back").click();
      await p.page.locator(".ending").waitFor({ state: "detached" });
      assert.deepEqual(await won(p), []);
      await p.close();
    });
  }

  test("the loser sees the result, and a resignation shows no score", async () => {
    const g = await opened({ game: "othello" });
    const p = await seated(g, {}, 1);
    await p.ready(0);
    await g.post("resign", {}, 0);
    await p.page.locator(".verdict", { hasText: /^You won$/ }).waitFor();
    await p.go("/g/" + g.id);
    await p.page.waitForSelector('main[data-state="over"]');
    assert.equal(await p.page.locator(".ending").count(), 0, "it is an event, not a state");
    await p.close();
  });

  test("a game that begins alerts players in other windows: by the title, a sound and, if allowed, a notification", async () => {
    const made = await request("", { game: "loa", as: "first", name: "Ada" });
    const p = await Person.open(browser, server.base, { permissions: ["notifications"] });
    await p.context.addCookies([{ name: `quintet_${made.id}_first`, value: made.token, url: server.base }]);
    await p.page.addInitScript(() => {
      window.told = [];
      window.Notification = class { static permission = "granted"; constructor(text) { window.told.push(text); } };
      window.away = (hidden) => { Object.defineProperty(document, "hidden", { value: hidden, configurable: true }); document.dispatchEvent(new Event("visibilitychange")); };
    });
    await p.go("/g/" + made.id);
    await p.page.waitForSelector(".invite");
    await p.page.evaluate(() => window.away(true));
    await request(`/${made.id}/seats/second`, { name: "Grace" });
    await p.page.waitForFunction(() => document.title.startsWith("Your game has begun"));
    assert.deepEqual(await p.page.evaluate(() => window.told), ["Your game of Lines of Action has begun."]);
    await p.page.evaluate(() => window.away(false));
    await p.page.waitForFunction(() => document.title.startsWith("Your turn"));
    await p.close();
  });
}
