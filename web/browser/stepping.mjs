// Every move is shown, the game can be stepped through, illegal moves are explained,
// and chess has the notation and marks that players expect.

import { test } from "node:test";
import assert from "node:assert/strict";
import { accessible, browser, server, setUp } from "./common.mjs";
import { cutOff, sizes } from "./layout.mjs";
import { Person } from "./person.mjs";
import { opened, request, seated } from "./seats.mjs";
import { demo } from "./demo.mjs";

const at = (p) => p.page.locator(".steps .at").textContent();

/** black opens a game in which a window has the first seat and an engine the second. */
async function againstEngine(screen, prepare) {
  const made = await request("", { game: "othello", seats: { first: "open", second: "level:1" }, as: "first", name: "Ada" });
  const p = await Person.open(browser, server.base, screen);
  await prepare?.(p);
  await p.context.addCookies([{ name: `quintet_${made.id}_first`, value: made.token, url: server.base }]);
  await p.page.clock.install();
  await p.go("/g/" + made.id);
  await p.ready(0);
  await p.page.clock.pauseAt(Date.now() + 60_000);
  const v = await server.view(made.id);
  await p.byMouse(v, v.legal[0]);
  await server.until(made.id, (w) => w.ply === 2, "the engine's reply");
  return p;
}

export default function () {
  test("an engine's reply comes no sooner than half a second after one's own move was seen, unless that is switched off", async () => {
    const p = await againstEngine();
    await p.ready(1); // the page's time stands: the reply is here, and waits
    await p.page.waitForTimeout(500);
    assert.equal(await at(p), "1 move");
    assert.equal(await p.page.locator("main .board .front .stone").count(), 5);
    await p.page.clock.runFor(600);
    await p.ready(2);
    await p.close();
    const hasty = await againstEngine({}, (q) => q.context.addInitScript(() => localStorage.setItem("quintet.pace", "false")));
    await hasty.ready(2); // no time has passed on the page
    await hasty.close();
  });

  test("after the mouse, arrows, the wheel and space step through the game; after Tab, arrows go from cell to cell", async () => {
    const g = await opened({ game: "othello" });
    await g.plays("f4", "f3", "e3");
    const p = await seated(g, {}, 1);
    await p.ready(3);
    const key = async (name, text) => { await p.page.keyboard.press(name); assert.equal(await at(p), text, name); };
    await p.cell("a1").click(); // illegal, and the focus is on the board
    await key("ArrowLeft", "2 of 3");
    await key("Home", "0 of 3");
    await key("ArrowRight", "1 of 3");
    await key("End", "3 moves");
    await p.page.mouse.wheel(0, -120);
    await p.page.getByText("2 of 3").waitFor();
    await p.page.mouse.wheel(0, 120);
    await p.ready(3);
    await p.page.clock.install();
    await p.page.clock.pauseAt(Date.now() + 60_000);
    await key(" ", "0 of 3");
    for (const text of ["1 of 3", "2 of 3", "3 moves"]) {
      await p.page.clock.runFor(900);
      assert.equal(await at(p), text);
    }
    await p.page.keyboard.press("ArrowDown"); // now the board is used by keys
    const cell = await p.focus();
    await key("ArrowRight", "3 moves");
    assert.notEqual(await p.focus(), cell);
    assert.deepEqual((await server.view(g.id)).ply, 3);
    await p.close();
  });

  test("an illegal move shakes the board, and the rules say why", async () => {
    for (const [game, clicks, why] of [
      ["othello", ["a1"], "A disc on a1 would enclose none of White's."],
      ["loa", ["a2", "b4"], "A2 and b4 are not on one row, column or diagonal."],
      ["chess", ["e2", "e5"], "A pawn moves one square ahead (two from home), and captures diagonally ahead."],
    ]) {
      const g = await opened({ game });
      const p = await seated(g);
      await p.page.evaluate(() => { // it shakes for less than a second: too short to be looked for on a busy machine
        window.shaken = [];
        new MutationObserver((list) => { for (const { target } of list) if (target.matches(".cell.bad")) window.shaken.push(target.dataset.name); }).observe(document.querySelector("main"), { subtree: true, attributeFilter: ["class"] });
      });
      for (const c of clicks) await p.cell(c).click();
      await p.page.waitForFunction((cell) => window.shaken.includes(cell), clicks[0]);
      await p.page.getByRole("alert").filter({ hasText: why }).waitFor();
      assert.equal((await server.view(g.id)).ply, 0);
      await p.shot(`illegal-${game}`);
      await p.close();
    }
    const p = await seated(await opened({ game: "loa" }));
    const v = await server.view(p.id);
    await p.byMouse({ ...v }, { from: v.board.cells.findIndex((c) => c === "1o"), to: v.board.cells.findIndex((c) => c === "") }, true); // dragged
    await p.page.locator(".trouble").waitFor();
    await p.close();
  });

  test("chess starts without halting, and the other rule is called the course's", async () => {
    const p = await Person.open(browser, server.base);
    await p.go("/new?game=chess");
    await p.more();
    const rule = p.page.getByLabel("Who may stop and count the pieces");
    assert.equal(await rule.inputValue(), "none");
    await p.page.locator("option", { hasText: "A player on their own turn (the course's rule)" }).waitFor({ state: "attached" });
    await setUp(p, "chess");
    assert.equal((await server.view(p.id)).options.halt, "none");
    await p.close();
  });

  test("an attacked king is marked, and what that means is said the first time", async () => {
    const g = await opened({ game: "chess" });
    await g.plays("e2e4", "f7f5", "d1h5");
    const p = await seated(g, {}, 1);
    await p.page.locator('main .cell.attacked[data-name="e8"]').waitFor();
    await p.page.getByRole("gridcell", { name: /e8, Black king.*attacked/ }).waitFor();
    await p.page.getByText("This king is attacked").waitFor();
    await accessible(p, "an attacked king");
    await p.shot("attacked");
    await p.go("/g/" + g.id);
    await p.page.locator('main .cell.attacked[data-name="e8"]').waitFor();
    assert.equal(await p.page.getByText("This king is attacked").count(), 0, "it is said once");
    await g.plays("g7g6");
    await p.page.locator("main .cell.attacked").waitFor({ state: "detached" });
    await p.close();
  });

  test("chess is written in standard algebraic notation, which is also read; what cannot be read moves nothing", async () => {
    const g = await opened({ game: "chess" });
    const p = await seated(g);
    const type = async (text) => { await p.page.locator("#typed").fill(text); await p.page.keyboard.press("Enter"); };
    const listed = () => p.page.locator(".moves .move").allTextContents();
    await type("Nf6");
    await p.page.getByRole("alert").filter({ hasText: "Nf6" }).waitFor();
    await type("nf3");
    await p.ready(1);
    await g.plays("e7e5");
    await p.ready(2);
    await type("Nxe5");
    await p.ready(3);
    await g.plays("d8e7");
    await p.ready(4);
    await type("b1c3"); // the long form still is
    await p.ready(5);
    await g.plays("e7e5");
    await p.ready(6);
    assert.deepEqual(await listed(), ["Nf3", "e5", "Nxe5", "Qe7", "Nc3", "Qxe5"]);
    assert.equal(await p.page.locator(".captured").first().getAttribute("aria-label"), "Captured: White knight, ahead by 2");
    await p.shot("san");
    await p.close();
  });

  test("the page writes the moves of long games of chess as their PGN does", async () => {
    for (const seed of [1, 2, 3]) {
      const g = await opened({ game: "chess", options: { halt: "none" } });
      for (let ply = 0, n = seed; ply < 90; ply++) {
        const v = await server.view(g.id);
        if (v.state === "over") break;
        n = (n * 1103515245 + 12345) % 2147483648;
        await g.post("moves", { move: v.legal[n % v.legal.length].move, ply }, v.turn === "first" ? 0 : 1);
      }
      await g.post("resign", {}, 0);
      const pgn = await (await fetch(`${server.base}/api/games/${g.id}/record?form=pgn`)).text();
      const written = pgn.replace(/\[[^\]]*\]/g, "").replace(/\{[^}]*\}/g, "").split(/\s+/).filter((w) => w && !/^\d+\.*$|^(1-0|0-1|1\/2-1\/2|\*)$/.test(w)).map((w) => w.replace(/^\d+\.+/, ""));
      const p = await seated(g);
      await p.page.locator(".moves .move:enabled").first().waitFor();
      await p.page.waitForFunction(() => ![...document.querySelectorAll(".moves .move")].some((b) => b.disabled));
      const listed = await p.page.locator(".moves .move").allTextContents();
      assert.deepEqual(listed.map((m) => (m === "pass" ? "--" : m)), written);
      assert.ok(listed.length > 10 && listed.some((m) => m.includes("x")));
      await p.close();
    }
  });

  test("lists of moves scroll to the current move after steps, and when a phone is rotated", async () => {
    const list = demo.chess.moves.split(" ").slice(0, 60), g = await opened({ game: "chess" });
    await g.plays(...list);
    for (const path of [`/g/${g.id}`, `/analysis/chess?moves=${list.join("+")}`]) {
      const p = await Person.open(browser, server.base, { hasTouch: true });
      await p.go(path);
      await p.page.locator('.moves [aria-current]:not([data-node="n0"])').waitFor();
      await p.page.keyboard.press("Home");
      const top = () => p.page.locator(".moves .list").evaluate((e) => e.scrollTop);
      for (const [width, height] of sizes) {
        await p.resize(width, height);
        await p.page.keyboard.press("End");
        assert.equal(await cutOff(p), 0, `${path}: the newest move at ${width}x${height}`);
        await p.resize(height, width);
        assert.equal(await cutOff(p), 0, `${path}: the newest move, rotated from ${width}x${height}`);
        await p.page.evaluate(() => { // in the page: twenty keys of a browser take a second
          for (let i = 0; i < 20; i++) document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true, cancelable: true }));
          return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        });
        assert.equal(await cutOff(p), 0, `${path}: twenty moves back at ${height}x${width}`);
        const before = await top(), high = await p.page.locator(".moves .list").evaluate((e) => e.clientHeight);
        await p.page.keyboard.press("ArrowRight");
        if (high > 120) assert.equal(await top(), before, `${path}: a step to the next row, which is in view, scrolls at ${height}x${width}`);
        await p.page.keyboard.press("Home");
        assert.equal(await top(), 0, `${path}: the start at ${height}x${width}`);
      }
      await p.close();
    }
  });

  test("a premove is a translucent piece on its target, and moves nothing on the page", async () => {
    const g = await opened({ game: "chess" });
    const p = await seated(g, {}, 1);
    for (const [width, height] of sizes) {
      await p.resize(width, height);
      const top = () => p.page.evaluate(() => Math.round(document.querySelector(".steps").getBoundingClientRect().top + scrollY));
      const before = await top();
      for (const c of ["e7", "e5"]) await p.cell(c).locator(".ground").click({ force: true });
      await p.button("Cancel it").waitFor();
      assert.equal(await top(), before, `${width}x${height}`);
      await p.button("Cancel it").click();
      await p.button("Cancel it").waitFor({ state: "detached" });
    }
    for (const c of ["e7", "e5"]) await p.cell(c).click();
    const ghost = p.cell("e5").locator(".ghost .man.black");
    await ghost.waitFor();
    assert.ok(await ghost.evaluate((e) => +getComputedStyle(e.parentElement).opacity) < 0.8);
    await p.shot("premove");
    await p.close();
  });

  test("the right button draws arrows and circles, which play nothing; a click takes them away", async () => {
    const g = await opened({ game: "loa" });
    const p = await seated(g);
    const middle = async (name) => { const b = await p.cell(name).locator(".ground").boundingBox(); return [b.x + b.width / 2, b.y + b.height / 2]; };
    const draw = async (from, to) => {
      await p.page.mouse.move(...await middle(from));
      await p.page.mouse.down({ button: "right" });
      await p.page.mouse.move(...await middle(to), { steps: 3 });
      await p.page.mouse.up({ button: "right" });
    };
    const drawn = () => p.page.locator("main .drawn > *").evaluateAll((list) => list.map((e) => e.tagName));
    await draw("a2", "c4");
    await draw("d4", "d4");
    assert.deepEqual(await drawn(), ["path", "circle"]);
    await p.shot("arrows");
    await draw("a2", "c4"); // again: it goes
    assert.deepEqual(await drawn(), ["circle"]);
    await p.cell("e4").click();
    assert.deepEqual(await drawn(), []);
    assert.equal((await server.view(g.id)).ply, 0);
    await p.close();
  });
}
