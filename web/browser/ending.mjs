// The end of a game is an event: it is said on the board, what decided it is
// highlighted, and another game is within reach.

import { test } from "node:test";
import assert from "node:assert/strict";
import { accessible, browser, server } from "./common.mjs";
import { sizes } from "./layout.mjs";
import { Person } from "./person.mjs";
import { opened, request, seated } from "./seats.mjs";
import { demo } from "./demo.mjs";

const won = (p) => p.page.locator("main .cell.won").evaluateAll((list) => list.map((e) => e.dataset.name).sort());

/** covered are the cells that decided the game and of which the result covers a tenth or more. */
const covered = async (p) => {
  await p.page.locator(".ending div").evaluate((e) => Promise.all(e.getAnimations().map((a) => a.finished)));
  return p.page.evaluate(() => {
    const b = document.querySelector(".ending div").getBoundingClientRect();
    return [...document.querySelectorAll("main .cell.won")].filter((e) => {
      const c = e.querySelector(".ground").getBoundingClientRect();
      const area = Math.max(0, Math.min(b.right, c.right) - Math.max(b.left, c.left)) * Math.max(0, Math.min(b.bottom, c.bottom) - Math.max(b.top, c.top));
      return area >= c.width * c.height / 10;
    }).map((e) => e.dataset.name);
  });
};

export default function () {
  test("after a loss one sees the decisive move, or tries the level below; after a win, the next level", async () => {
    for (const [wins, button, review] of [[false, "Play level 2", "See the decisive move"], [true, "Play level 4", "Review this game"]]) {
      const made = await request("", { game: "chess", position: "k7/8/8/8/8/8/8/Q3K3 w", clock: { main: 300 }, seats: { second: "level:3" }, as: "first", name: "Ada" });
      const p = await seated({ id: made.id, tokens: [made.token] }, { width: 390, height: 844 });
      await p.ready(0);
      await request(`/${made.id}/moves`, { move: wins ? "a1a8" : "e1e2", ply: 0 }, made.token);
      if (!wins) await request(`/${made.id}/resign`, {}, made.token);
      await p.page.locator(".ending", { hasText: wins ? "You won" : "You lost" }).waitFor();
      assert.equal(await p.page.locator(".sparks i").count() > 0, wins);
      await p.button(review).waitFor();
      await p.shot(`after-${wins ? "win" : "loss"}`);
      await p.button(button).click();
      await p.page.waitForURL((u) => !u.pathname.endsWith(made.id));
      const v = await server.view(p.id);
      assert.deepEqual([v.seats.second.engine, v.clock, v.start], [button.replace("Play level ", "level:"), { main: 300 }, (await server.view(made.id)).start]);
      await p.close();
    }
  });

  for (const [game, body, moves, last, says, status, cells] of [
    ["connect6", { options: { size: "9" } }, ["A4", "A8", "B8", "B4", "C4", "C8", "D8", "D4", "E4", "E8", "G8"], "F4", "You won", "Black wins: six in a row", ["A4", "B4", "C4", "D4", "E4", "F4"]],
    ["chess", {}, ["e2e4", "f7f5", "d1h5", "a7a6"], "h5e8", "You won", "White wins: the king is captured", ["e8"]],
    ["othello", { position: "1OX5/8/8/8/8/8/8/8 X" }, [], "a1", "You won 3–0", "Black wins: 3 discs to 0", ["a1", "b1"]],
    ["loa", { position: "BB6/8/2B5/8/8/8/8/W2W4 B" }, [], "c2c1", "You won", "Black wins: all pieces in one group", ["a0", "b0", "c1"]],
    ["neighbors", { position: "B7/1B6/8/2BW4/8/8/8/W7 B" }, [], "c3c2", "You won", "Black wins: all pieces in one group", ["a0", "b1", "c2"]],
  ]) {
    test(`${game}: the end is said on the board, with what brought it, and what decided it is highlighted and not covered`, async () => {
      const g = await opened({ game, ...body });
      await g.plays(...moves);
      const p = await seated(g, { width: 390, height: 844 });
      await p.ready(moves.length);
      assert.equal(await p.page.locator(".ending").count(), 0);
      await g.plays(last);
      await p.page.locator(".ending .verdict", { hasText: says }).waitFor();
      assert.equal(await p.page.locator(".verdict").textContent(), says);
      assert.deepEqual(await won(p), cells);
      assert.equal(await p.page.locator(".state").textContent(), status);
      assert.deepEqual(await covered(p), []);
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

  test("the result covers nothing of what decided the game at any size, turned or not, in the loser's longer words either", async () => {
    const moves = demo.neighbors.moves.split(" "), g = await opened({ game: "neighbors" });
    await g.plays(...moves.slice(0, -1));
    const p = await seated(g);
    await p.ready(moves.length - 1);
    await g.plays(moves.at(-1));
    await p.page.locator(".ending", { hasText: "White has all pieces in one group" }).waitFor();
    for (const turned of [false, true]) {
      for (const [width, height] of sizes) {
        await p.resize(width, height);
        assert.deepEqual(await covered(p), [], `${width}x${height}${turned ? ", turned" : ""}`);
      }
      await p.page.evaluate(() => [...document.querySelectorAll("button")].find((b) => b.textContent === "Flip board").click()); // not by the mouse, which would close the result
    }
    await p.close();
  });

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
