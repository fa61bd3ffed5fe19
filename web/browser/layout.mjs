// The layout of a game at every size: all that is needed to play is in view, nothing
// lies over anything else, and nothing is cut off.

import { test } from "node:test";
import assert from "node:assert/strict";
import { browser, server } from "./common.mjs";
import { opened, request, seated } from "./seats.mjs";
import { demo } from "./demo.mjs";
import { faults } from "./faults.mjs";

export const sizes = [[320, 640], [390, 844], [667, 375], [740, 360], [844, 390], [768, 1024], [1024, 768], [1280, 800], [1920, 1080]];
const games = ["neighbors", "othello", "loa", "connect6", "chess"];

/** covering returns what lies over the buttons to step through the game. */
export const covering = (p) => p.page.evaluate(() => {
  const top = document.querySelector(".steps").getBoundingClientRect().top;
  return [...document.querySelectorAll(".ask, .absence, .status .kings, .status .trouble")].filter((e) => e.getBoundingClientRect().bottom > top + 1).map((e) => `"${e.textContent}" lies over the steps`);
});

/** cutOff returns how many pixels of the current move its list of moves does not show. */
export const cutOff = (p) => p.page.evaluate(() => {
  const now = document.querySelector(".moves [aria-current]").getBoundingClientRect(), list = document.querySelector(".moves .list").getBoundingClientRect();
  return Math.max(0, list.top - now.top, now.bottom - list.bottom);
});

/** capturing are moves of chess in which each side captures several men. */
const capturing = demo.chess.moves.split(" ").slice(0, 46).join(" ");

const needed = [".head .icon", "main svg.board", ".clock", ".state", ".steps button", ".bar.actions .act"];

export default function () {
  for (const game of games) {
    test(`${game} fits every screen: board, clocks, status and buttons are in view, and none lies over another`, async () => {
      for (const body of [{ clock: { main: 5400, increment: 2 } }, {}]) {
        const g = await opened({ game, ...body });
        const p = await seated(g, { hasTouch: true });
        if (game === "chess" && body.clock) { // the header says that there is a challenge, too
          await p.page.route("**/api/account", async (r) => r.fulfill({ json: { ...await (await r.fetch()).json(), challenges: 1 } }));
          await p.page.reload();
          await p.page.locator(".head .due").waitFor();
        }
        const found = [];
        for (const [width, height] of sizes) {
          await p.resize(width, height);
          for (const f of await faults(p, needed)) found.push(`${width}x${height}${body.clock ? "" : " without a clock"}: ${f}`);
          if (body.clock) await p.shot(`fits-${game}-${width}x${height}`);
        }
        assert.deepEqual(found, []);
        await p.close();
      }
    });
  }

  test("invitations, offers, questions, errors and the end fit every screen, too", async () => {
    const made = await request("", { game: "othello", as: "first", name: "Ada" });
    const waiting = await seated({ id: made.id, tokens: [made.token] }, { hasTouch: true });
    await waiting.page.locator(".invite").waitFor();
    const g = await opened({ game: "chess", options: { halt: "claim" }, clock: { main: 300 } });
    const p = await seated(g, { hasTouch: true });
    const found = [];
    const look = async (state) => {
      for (const [width, height] of sizes) {
        await p.resize(width, height);
        for (const f of [...await faults(p, needed), ...await covering(p)]) found.push(`${state}, ${width}x${height}: ${f}`);
        await p.shot(`fits-${state}-${width}x${height}`);
      }
    };
    for (const [width, height] of sizes) {
      await waiting.resize(width, height);
      for (const f of await faults(waiting, ["main svg.board", ".state"])) found.push(`invitation, ${width}x${height}: ${f}`);
    }
    await waiting.close();
    await g.post("offer", {}, 1);
    await p.page.getByRole("group", { name: "offers a draw" }).waitFor();
    await look("offer");
    await p.button("Resign").click();
    await look("question");
    for (const [width, height] of sizes) {
      await p.resize(width, height);
      const high = await p.page.locator(".ask .danger").evaluate((e) => e.offsetHeight);
      if (high > 46) found.push(`the question has two lines at ${width}x${height}`);
    }
    await p.button("Resign as White").click();
    await p.page.waitForSelector('main[data-state="over"]');
    await look("over");
    await g.post("rematch", {}, 1);
    await p.button("Accept").waitFor();
    await look("rematch");
    await p.close();
    const attacks = await opened({ game: "chess" });
    await attacks.plays("e2e4", "f7f5", "d1h5");
    const attacked = await seated(attacks, { hasTouch: true }, 1);
    await attacked.page.locator(".kings").waitFor();
    for (const [width, height] of sizes) {
      await attacked.resize(width, height);
      for (const f of await covering(attacked)) found.push(`an attacked king, ${width}x${height}: ${f}`);
    }
    assert.deepEqual(found, []);
    await attacked.close();
  });

  test("the list of a game that is over shows the newest move on a phone on its side", async () => {
    const g = await opened({ game: "neighbors", clock: { main: 300 } });
    await g.plays(...demo.neighbors.moves.split(" ").slice(0, 12));
    await g.post("resign", {}, 0);
    const p = await seated(g, { hasTouch: true });
    await p.page.locator(".moves [aria-current]").waitFor();
    const found = [];
    for (const [width, height] of sizes.filter(([w, h]) => h < 400)) {
      await p.resize(width, height);
      for (const f of await faults(p, [...needed, ".review", ".moves [aria-current]"])) found.push(`${width}x${height}: ${f}`);
      if (await cutOff(p) > 0) found.push(`${width}x${height}: the newest move is cut off`);
    }
    assert.deepEqual(found, []);
    await p.close();
  });

  for (const screen of [{}, { forcedColors: "active" }]) test(`names and clocks stay in view while the connection is lost${screen.forcedColors ? ", in forced colours too" : ""}`, async () => {
    const g = await opened({ game: "connect6", clock: { main: 300 } });
    const p = await seated(g, { hasTouch: true, ...screen });
    await p.context.setOffline(true);
    await p.page.waitForSelector('.lost[data-lost="true"]');
    for (const [width, height] of sizes) {
      await p.resize(width, height);
      assert.deepEqual(await p.page.evaluate(() => {
        const a = document.querySelector('.lost[data-lost="true"]').getBoundingClientRect();
        if (a.width === 0) return ["the notice is hidden"];
        return [...document.querySelectorAll(".seat .name, .clock, svg.board[role=grid], .steps, .bar.actions")].filter((e) => {
          const b = e.getBoundingClientRect();
          return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
        }).map((e) => e.getAttribute("class"));
      }), [], `${width}x${height}: the notice covers these`);
    }
    await p.close();
  });

  test("a player's name, side and clock are whole beside many captured men and an offer, and the clock has one line", async () => {
    const g = await opened({ game: "chess", clock: { main: 5400 } });
    await g.plays(...capturing.split(" "));
    await g.post("offer", {}, 1);
    const p = await seated(g, { hasTouch: true });
    await p.page.locator(".captured").first().waitFor();
    const found = [];
    for (const [width, height] of sizes) {
      await p.resize(width, height);
      found.push(...await p.page.evaluate(() => [...document.querySelectorAll(".seat")].flatMap((seat) => {
        const name = seat.querySelector(".name"), clock = seat.querySelector(".clock"), list = [];
        if (name.scrollWidth > name.clientWidth || name.clientWidth === 0) list.push(`the name ${name.textContent} is cut off`);
        if (clock.clientHeight > 3 * parseFloat(getComputedStyle(clock).fontSize)) list.push("the clock has two lines");
        for (const man of seat.querySelectorAll(".captured svg:not(.again)")) {
          const { width, height } = man.getBoundingClientRect();
          if (height < 17 || width < 12) list.push(`a captured man has ${width} by ${height} pixels`);
        }
        for (const tag of seat.querySelectorAll(".tag")) {
          const [a, b] = [tag.getBoundingClientRect(), tag.parentElement.getBoundingClientRect()];
          if (a.right > b.right + 1 && a.left < b.right && getComputedStyle(tag.parentElement).textOverflow !== "ellipsis") list.push(`"${tag.textContent}" is cut off`);
        }
        return list;
      })).then((list) => list.map((f) => `${width}x${height}: ${f}`)));
    }
    assert.deepEqual(found, []);
    await p.close();
  });

  test("a question never lies under the finger that has just tapped: nothing moves, and a second tap does nothing", async () => {
    for (const [width, height] of [[390, 844], [667, 375], [1280, 800]]) {
      const g = await opened({ game: "chess" });
      const p = await seated(g, { width, height, hasTouch: true });
      for (const text of ["Offer draw", "Resign"]) {
        const box = () => p.button(text).boundingBox();
        const before = await box(), at = [before.x + before.width / 2, before.y + before.height / 2];
        await p.page.mouse.dblclick(...at);
        await p.page.locator(".ask.sure").waitFor();
        assert.deepEqual(await box(), before, `${text} moves at ${width}x${height}`);
        await p.page.touchscreen.tap(...at);
        await p.page.touchscreen.tap(...at);
        const question = await p.page.locator(".ask.sure").boundingBox();
        assert.ok(question.y + question.height <= before.y, "the question lies over the button");
        const v = await server.view(g.id);
        assert.deepEqual([v.state, v.asked.first], ["live", []]);
        await p.button("Cancel").click();
        await p.page.locator(".ask.sure").waitFor({ state: "detached" });
      }
      await p.close();
    }
  });

  test("only chess is rotated for its second side; any board can be turned", async () => {
    for (const [game, corner, turned] of [["othello", "a1", "h8"], ["loa", "a0", "h7"], ["connect6", "A0", "S18"], ["chess", "h1", "a8"]]) {
      const g = await opened({ game });
      const p = await seated(g, {}, 1);
      const first = () => p.page.locator('main [role="gridcell"]').first().getAttribute("data-name");
      assert.equal(await first(), corner, game);
      assert.match(await p.page.locator(".seat").last().textContent(), /Grace/, "one's own name is below");
      await p.button("Flip board").click();
      assert.equal(await first(), turned, game);
      await p.close();
    }
  });
}
