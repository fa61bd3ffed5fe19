// The analysis board: a tree of variations by mouse, touch and keys; the engine's lines.

import { test } from "node:test";
import assert from "node:assert/strict";
import { accessible, browser, schemes, server } from "./common.mjs";
import { faults } from "./faults.mjs";
import { sizes } from "./layout.mjs";
import { Person } from "./person.mjs";
import { opened } from "./seats.mjs";

const games = ["neighbors", "othello", "loa", "connect6", "chess"];
const facts = async (q) => (await fetch(server.base + "/api/analysis/position", { method: "POST", body: JSON.stringify(q) })).json();
const italian = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6";

/** analysis opens the analysis board. */
async function analysis(path, screen = {}) {
  const p = await Person.open(browser, server.base, screen);
  await p.go(`/analysis/${path}`);
  await ready(p);
  return p;
}

const ready = (p) => p.page.waitForSelector("main[data-ready] svg.board");
const current = (p) => p.page.locator('.tree [aria-current="step"]');
const texts = async (p) => (await p.page.locator(".tree .row").allTextContents()).map((t) => t.replace("Variation: ", "("));
const depth = (p, least) => p.page.waitForFunction((n) => Number(document.querySelector(".engine-box").dataset.depth) >= n, least);

/** typed plays a move by its notation. */
async function typed(p, move) {
  const before = await p.page.locator(".tree").textContent();
  await p.page.getByLabel("Type a move").fill(move);
  await p.page.keyboard.press("Enter");
  await p.page.waitForFunction((old) => document.querySelector(".tree").textContent !== old, before);
}

export default function () {
  for (const game of games) {
    test(`analysis of ${game}: moves on the board, the engine's lines, and a line of it played`, async () => {
      const p = await analysis(game);
      let moves = [];
      for (let ply = 0; ply < 3; ply++) {
        const v = await facts({ game, moves });
        const m = v.legal[(5 * ply + 3) % v.legal.length];
        await p.page.waitForFunction((n) => document.querySelector(".steps[data-legal] .at")?.textContent === `Move ${n}`, ply);
        await p.byMouse(v, m, ply === 1);
        moves = [...moves, m.move];
        await p.page.waitForFunction((n) => document.querySelector(".steps .at").textContent === `Move ${n}`, ply + 1);
      }
      await p.page.getByRole("combobox", { name: "Lines" }).selectOption("3");
      await p.button("Start engine").click();
      await depth(p, 2);
      const values = game === "othello" ? await p.page.locator(".cell .value").count() : 0;
      assert.equal(await p.page.locator(".engine-lines li").count(), 3);
      if (game === "othello") assert.equal(values, (await facts({ game, moves })).legal.length, "each legal move has its value");
      assert.match(await p.page.locator(".gauge").getAttribute("aria-label"), /^Winning chances of (Black|White): \d+\s?%$/);
      await accessible(p, `analysis of ${game}`);
      await p.shot(`analysis-${game}`);
      await p.page.locator(".engine-lines li").first().locator("button").first().click();
      await p.page.waitForFunction(() => document.querySelector(".steps .at").textContent === "Move 4");
      await p.button("Stop engine").click();
      assert.deepEqual(p.errors, []);
      await p.close();
    });
  }

  test("variations: played, marked, commented, promoted, deleted; comments are text, and a reload loses nothing", async () => {
    const p = await analysis(`chess?moves=${italian.replaceAll(" ", "+")}`);
    assert.deepEqual(await texts(p), ["Start", "1.e4e52.Nf3Nc63.Bb5a64.Ba4Nf6"]);
    await p.page.getByRole("button", { name: "Nc6", exact: true }).click();
    await typed(p, "Bc4");
    await typed(p, "f8c5");
    await p.page.getByRole("button", { name: /^Interesting move/ }).click();
    assert.deepEqual(await texts(p), ["Start", "1.e4e52.Nf3Nc63.Bb5", "(3.Bc4Bc5!?", "3…a64.Ba4Nf6"]);
    await p.page.getByLabel("Comment").fill("<img src=x onerror=alert(1)> **Italian**");
    await p.page.getByLabel("Type a move").focus(); // a field that is left keeps its text
    await p.page.locator(".tree .comment", { hasText: "<img src=x onerror=alert(1)> **Italian**" }).waitFor();
    assert.equal(await p.page.locator(".panel img").count(), 0);
    await p.button("Promote variation").click();
    assert.deepEqual((await texts(p))[1], "1.e4e52.Nf3Nc63.Bc4");
    await p.page.locator('button[aria-disabled="true"]', { hasText: "Promote variation" }).waitFor();
    await p.page.reload();
    await ready(p);
    assert.equal(await current(p).textContent(), "Bc5!?");
    await p.page.getByRole("button", { name: "Bc4", exact: true }).click();
    await p.button("Delete from here").click();
    assert.deepEqual(await texts(p), ["Start", "1.e4e52.Nf3Nc63.Bb5a64.Ba4Nf6"]);
    assert.equal(await current(p).textContent(), "Nc6");
    await p.page.getByLabel("Type a move").fill("Ke4");
    await p.page.keyboard.press("Enter");
    await p.page.locator(".trouble", { hasText: /\w/ }).waitFor();
    assert.deepEqual(p.errors, []);
    await p.close();
  });

  test("keys alone: the board, the variations, the engine, glyphs and arrows", async () => {
    const p = await analysis("loa");
    await p.hears();
    const v = await facts({ game: "loa" });
    const [first, second] = [v.legal[4], v.legal[9]];
    await p.byKeys(v, first);
    await p.page.waitForFunction((m) => document.querySelector('.tree [aria-current="step"]').textContent === m, first.move);
    await p.button("One move back").press("Enter");
    await p.byKeys(v, second);
    await p.page.waitForFunction((m) => document.querySelector('.tree [aria-current="step"]').textContent === m, second.move);
    await current(p).focus();
    await p.page.keyboard.press("ArrowUp");
    assert.equal(await current(p).textContent(), first.move);
    assert.equal(await p.focus(), first.move, "the focus goes along");
    assert.match(await p.page.locator('aside > [role="status"]').textContent(), new RegExp(`^Move 1: ${first.move}\\.`));
    await p.page.keyboard.press("ArrowDown");
    await p.page.keyboard.press("Home");
    assert.equal(await current(p).textContent(), "Start");
    await p.page.keyboard.press("End");
    assert.equal(await current(p).textContent(), first.move);
    await p.button("To the start").press("Enter");
    assert.ok(await p.button("To the start").evaluate((e) => e === document.activeElement), "a step that goes no further keeps the focus");
    await p.button("To the end of the line").press("Enter");
    await current(p).focus();
    await p.page.keyboard.press("ArrowDown");
    await p.button("Promote variation").press("Enter");
    await p.heard(new RegExp(`^The variation with ${second.move} is now the main line\\.$`));
    assert.ok(await p.button("Promote variation").evaluate((e) => e === document.activeElement), "a button that can do no more keeps the focus");
    await current(p).focus();
    await p.page.keyboard.press("ArrowDown");
    for (let i = 0; i < 2; i++) { // what is wrong is announced each time
      await p.page.getByLabel("Type a move").fill("a1a1");
      await p.page.keyboard.press("Enter");
      await p.heard(/^There is no piece on a1|a1/);
    }
    await p.button("Mistake (?)").press("Enter");
    assert.equal(await current(p).textContent(), first.move + "?");
    await p.button("Start engine").press("Enter");
    const search = await p.heard(/^Best: \w+ .*, [+-]?\d+\.\d\d, depth \d+$/);
    assert.ok(!search.some((t) => /positions/.test(t)), `the depths are announced: ${JSON.stringify(search)}`);
    assert.deepEqual(await p.page.locator(".engine-lines li").first().locator(".move").evaluateAll((l) => l.filter((m) => m.tabIndex === 0).map((m) => l.indexOf(m))), [0], "a line is one stop of Tab");
    await p.page.locator(".engine-lines .move").first().press("Enter");
    await p.focused('.tree [aria-current="step"]');
    await p.button("Stop engine").press("Enter");
    await p.page.getByRole("radio", { name: "Blue" }).press("Space");
    await p.page.locator('main [role="gridcell"][tabindex="0"]').focus();
    await p.walk("c3");
    await p.page.keyboard.press("Enter");
    await p.walk("e5");
    await p.page.keyboard.press("Enter");
    assert.equal(await p.page.locator(".drawn path.blue").count(), 1);
    await p.heard(/^Drawn: Blue arrow from c3 to e5\.$/);
    await p.page.keyboard.press("Enter");
    await p.page.keyboard.press("Enter");
    assert.equal(await p.page.locator(".drawn circle.blue").count(), 1);
    await accessible(p, "analysis with arrows");
    await p.shot("analysis-arrows");
    assert.deepEqual(p.errors, []);
    await p.close();
  });

  test("a finger plays variations, asks the engine, marks and draws on a phone", async () => {
    const p = await analysis("loa", { width: 390, height: 844, hasTouch: true, isMobile: true });
    const tap = (cell) => p.cell(cell).locator(".ground").tap({ force: true });
    const at = (text) => p.page.waitForFunction((t) => document.querySelector('.tree [aria-current="step"]').textContent === t, text);
    for (const [from, to] of [["a1", "c1"], ["a2", "c2"]]) {
      await p.page.locator(".steps[data-legal] .at", { hasText: "Move 0" }).waitFor();
      await tap(from);
      await tap(to);
      await at(from + to);
      if (to === "c1") await p.button("One move back").tap();
    }
    assert.deepEqual(await texts(p), ["Start", "1.a1c1", "(1.a2c2"]);
    await p.button("Promote variation").tap();
    await p.page.waitForFunction(() => document.querySelectorAll(".tree .row")[1].textContent === "1.a2c2");
    await p.button("Good move (!)").tap();
    await at("a2c2!");
    await p.page.getByRole("radio", { name: "Red" }).tap();
    await tap("h1");
    await tap("e4");
    await p.page.locator(".drawn path.red").waitFor();
    await p.button("Start engine").tap();
    await depth(p, 2);
    await p.page.locator(".engine-lines .move").first().tap();
    await p.page.locator(".steps .at", { hasText: "Move 2" }).waitFor();
    await p.button("Stop engine").tap();
    await accessible(p, "analysis on a phone");
    await p.shot("analysis-phone");
    assert.deepEqual(p.errors, []);
    await p.close();
  });

  test("the right button draws arrows, which belong to the move", async () => {
    const p = await analysis("chess?moves=e2e4");
    const draw = async (from, to) => {
      const at = async (c) => { const b = await p.cell(c).locator(".ground").boundingBox(); return [b.x + b.width / 2, b.y + b.height / 2]; };
      await p.page.mouse.move(...await at(from));
      await p.page.mouse.down({ button: "right" });
      await p.page.mouse.move(...await at(to));
      await p.page.mouse.up({ button: "right" });
    };
    await draw("g8", "f6");
    await p.page.keyboard.down("Shift");
    await draw("e4", "e4");
    await p.page.keyboard.up("Shift");
    assert.deepEqual([await p.page.locator(".drawn path.green").count(), await p.page.locator(".drawn circle.red").count()], [1, 1]);
    await p.button("One move back").click();
    assert.equal(await p.page.locator(".drawn").count(), 0);
    await p.button("One move forward").click();
    await draw("g8", "f6");
    assert.equal(await p.page.locator(".drawn path").count(), 0, "the same once more takes it away");
    await p.close();
  });

  test("the end of a game of Othello is solved, and a win is shown as proved", async () => {
    const p = await analysis("othello?position=4/1XO1/1OX1/4+X");
    await p.button("Start engine").click();
    await p.page.locator(".worth.proved", { hasText: /^solved: [+-]?\d+$/ }).first().waitFor();
    await p.page.getByText("all proved").waitFor();
    await p.shot("analysis-solved");
    await p.go("/analysis/chess?position=4k3/8/4Q3/8/8/8/8/4K3+w");
    await ready(p);
    await p.button("Start engine").click();
    await p.page.locator(".worth.proved", { hasText: "wins in 1" }).first().waitFor();
    assert.equal(await p.page.locator(".gauge").getAttribute("aria-label"), "Winning chances of White: 100%");
    await p.close();
  });

  test("the place in the queue of the engine is shown and announced", async () => {
    const p = await analysis("loa");
    await p.hears();
    await p.page.evaluate(() => {
      const real = window.fetch, place = new TextEncoder().encode('{"place":3}\n');
      window.fetch = (...question) => (String(question[0]).endsWith("/lines") ? Promise.resolve(new Response(new ReadableStream({ start: (c) => c.enqueue(place) }))) : real(...question));
    });
    await p.button("Start engine").click();
    await p.heard(/^Waiting for the engine: number 3 in the queue$/);
    assert.equal(await p.page.locator(".engine-box > .note").first().textContent(), "Waiting for the engine: number 3 in the queue");
    await p.close();
  });

  test("a hidden page, a step and the switch end the search", async () => {
    const p = await analysis("connect6");
    const asked = [], ended = [];
    const lines = (r) => r.url().endsWith("/api/analysis/lines");
    p.page.on("request", (r) => { if (lines(r)) asked.push(r); });
    p.page.on("requestfailed", (r) => { if (lines(r)) ended.push(r); });
    const until = async (list, n) => {
      for (let i = 0; list.length < n && i < 750; i++) await p.page.waitForTimeout(20);
      assert.ok(list.length >= n, `${list.length} requests, want ${n}`);
    };
    const hide = (hidden) => p.page.evaluate((h) => {
      Object.defineProperty(document, "hidden", { value: h, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
    await p.button("Start engine").click();
    await depth(p, 1);
    await hide(true);
    await until(ended, 1);
    assert.equal(asked.length, 1);
    await hide(false);
    await until(asked, 2);
    await typed(p, "J9");
    await until(ended, 2);
    await until(asked, 3);
    await p.page.getByLabel("Comment").fill("A comment is no other position.");
    await p.button("Good move (!)").click();
    await p.page.locator(".tree .comment").waitFor();
    await p.button("Stop engine").click();
    await until(ended, 3);
    assert.equal(asked.length, 3);
    await p.close();
  });

  test("the engine is refused for a game in progress, in a sentence, and the board still works", async () => {
    const g = await opened({ game: "othello" });
    await g.plays(..."e3 f3 f4 f5 e6 d3 c3 c4 g5".split(" "));
    const p = await analysis(`othello?from=${g.id}`);
    await p.button("Start engine").click();
    await p.page.getByText("A game in progress is within a few moves of this position. The engine looks at it when that game has moved on or is over.").waitFor();
    await accessible(p, "an analysis that is refused");
    await g.post("resign", {}, 0);
    await p.button("Stop engine").click();
    await p.button("Start engine").click();
    await depth(p, 1);
    await p.close();
  });

  test("the analysis board shows the opening book, where it has the position", async () => {
    const p = await analysis("othello");
    const book = (text) => p.page.waitForFunction((t) => document.querySelector(".book")?.textContent.match(new RegExp(t)), text);
    await book(/^Book, depth \d+: [a-h][1-8]\s[+\-−]?\d\.\d\d/.source);
    await p.shot("analysis-book");
    await p.go("/analysis/othello?position=4/1XO1/1OX1/4+X");
    await book("^Not in the opening book$");
    await p.go("/analysis/loa");
    assert.equal(await p.page.locator(".book").count(), 0);
    await p.close();
  });

  test("the end of a game, its review and the editor lead to the analysis board", async () => {
    const g = await opened({ game: "othello" });
    await g.plays(..."e3 f3 f4 f5 e6 d3".split(" "));
    await g.post("resign", {}, 0);
    const p = await Person.open(browser, server.base);
    await p.go("/g/" + g.id);
    await p.page.locator("main").getByRole("link", { name: "Analyse" }).click(); // not the one in the header
    await ready(p);
    assert.equal(await current(p).textContent(), "d3");
    await p.go("/g/" + g.id);
    await p.button("Review this game").click();
    await p.page.getByRole("link", { name: "Analyse with variations" }).click();
    await ready(p);
    assert.equal(await current(p).textContent(), "d3");
    await p.page.getByRole("link", { name: "Change the position" }).click();
    await p.page.locator("main").getByRole("link", { name: "Analyse" }).click(); // not the one in the header
    await ready(p);
    assert.equal(await current(p).textContent(), "Start");
    assert.equal((await p.go("/analysis/go")).status(), 404);
    await p.close();
  });

  test("the analysis board fits every screen, and passes axe in every theme", async () => {
    for (const path of [`chess?moves=${italian.replaceAll(" ", "+")}`, "othello"]) {
      const p = await analysis(path, { hasTouch: true });
      await p.page.getByRole("combobox", { name: "Lines" }).selectOption("5");
      await p.button("Start engine").tap();
      await depth(p, 2);
      await p.button("Stop engine").tap(); // the lines stay
      const found = [];
      for (const [width, height] of sizes) {
        await p.resize(width, height);
        await p.page.evaluate(() => { scrollTo(0, 0); document.querySelector(".panel").scrollTop = 0; });
        for (const f of await faults(p, ["main svg.board", ...(height < 400 ? [".steps button"] : [])])) found.push(`${path}, ${width}x${height}: ${f}`);
        if (width === 320 || height === 390) await accessible(p, `${path}, ${width}x${height}`);
        await p.shot(`analysis-${path.split("?")[0]}-${width}x${height}`);
      }
      assert.deepEqual(found, []);
      await p.close();
    }
    const p = await analysis("othello?moves=e3+f3");
    await p.button("Start engine").click();
    await depth(p, 2);
    for (const screen of schemes) {
      await p.prefers(screen);
      await accessible(p, `analysis, ${JSON.stringify(screen)}`);
      await p.shot(`analysis-${Object.values(screen)[0]}`);
    }
    await p.close();
  });

  test("all lines are preloaded, so that a step to a variation needs no answer of the server", async () => {
    const p = await analysis("othello");
    const nodes = await grown(80), leaves = nodes.filter((n) => !nodes.some((m) => m.parent === n.id));
    let lines = 0;
    p.page.on("response", (r) => { if (r.url().endsWith("/api/replay")) lines++; });
    await reloaded(p, nodes);
    for (let i = 0; i < 150 && lines <= leaves.length; i++) await p.page.waitForTimeout(100);
    assert.equal(lines, 1 + leaves.length, "the start and every line are loaded");
    await p.page.route("**/api/**", (r) => r.abort());
    const last = leaves.at(-1), moves = [];
    for (let n = last; n.parent; n = nodes.find((m) => m.id === n.parent)) moves.unshift(n.move);
    await p.page.locator(`.tree [data-node="${last.id}"]`).click();
    const { cells } = (await facts({ game: "othello", moves })).board;
    await p.page.waitForFunction((n) => document.querySelector(".steps .at").textContent === `Move ${n}`, moves.length);
    for (const [side, code] of [["black", "1o"], ["white", "2o"]]) {
      assert.equal(await p.page.locator(`main .board .front .stone.${side}`).count(), cells.filter((c) => c === code).length);
    }
    await p.close();
  });

  test("a step in a tree of 500 moves changes little of the page, and an edit draws few of its rows", async (t) => {
    const p = await analysis("othello");
    await reloaded(p, await grown(500));
    assert.equal(await p.page.locator(".tree .move").count(), 500);
    await p.page.evaluate(() => {
      window.changed = 0;
      new MutationObserver((list) => { window.changed += list.length; }).observe(document.querySelector(".tree"), { subtree: true, childList: true, attributes: true, characterData: true });
    });
    const cdp = await p.context.newCDPSession(p.page);
    await cdp.send("Performance.enable", { timeDomain: "threadTicks" }); // processor time: other work of the machine does not count
    const spent = async () => (await cdp.send("Performance.getMetrics")).metrics.find((m) => m.name === "TaskDuration").value * 1000;
    const times = [];
    for (let i = 0; i < 40; i++) {
      const before = await spent();
      await p.page.keyboard.press(i < 20 ? "ArrowRight" : "ArrowLeft");
      await p.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))); // until it is painted
      times.push(await spent() - before);
      const changed = await p.page.evaluate(() => { const n = window.changed; window.changed = 0; return n; });
      assert.ok(changed >= 2 && changed <= 4, `step ${i} changes ${changed} parts of the move list`);
    }
    const first = Math.max(...times.slice(0, 5)); // the other lines are not loaded yet
    times.sort((a, b) => a - b);
    t.diagnostic(`a step in a tree of 500 moves: median ${times[20].toFixed(1)} ms, worst ${times[39].toFixed(1)} ms, worst of the first five ${first.toFixed(1)} ms of processor time`);
    await p.page.keyboard.press("ArrowRight");
    await cdp.send("Profiler.enable");
    await cdp.send("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    await p.button("Mistake (?)").click();
    await p.page.waitForFunction(() => document.querySelector('.tree [aria-current="step"]').textContent.endsWith("?"));
    const { result } = await cdp.send("Profiler.takePreciseCoverage");
    const calls = Math.max(...result.flatMap((s) => s.functions.map((f) => f.ranges[0].count)));
    t.diagnostic(`an edit calls one function ${calls} times`);
    assert.ok(calls < 8000, `an edit calls one function ${calls} times, as if all rows were drawn`);
    await p.close();
  });
}

/** reloaded reloads the page with a tree, as if it had been left with it. */
async function reloaded(p, nodes) {
  await p.page.evaluate((draft) => {
    addEventListener("pagehide", () => sessionStorage.setItem(`quintet.analysis:${location.pathname}`, JSON.stringify(draft)));
  }, { start: { game: "othello" }, nodes, at: "root" });
  await p.page.reload();
  await ready(p);
}

/** grown makes a tree of so many nodes: a main line, and variations from everywhere. */
async function grown(size) {
  const nodes = [{ id: "root", comment: "", glyph: "", shapes: [], order: 0 }], paths = { root: [] };
  for (let i = 1; nodes.length < size; i++) {
    const from = i === 1 ? "root" : nodes[(i * 37) % nodes.length].id;
    let moves = paths[from], parent = from;
    for (let n = 0; n < (i === 1 ? 40 : 12) && nodes.length < size; n++) {
      const v = await facts({ game: "othello", moves });
      const used = new Set(nodes.filter((x) => x.parent === parent).map((x) => x.move));
      const m = v.legal.find((l, k) => !used.has(l.move) && k >= (i + n) % Math.max(1, v.legal.length - 1)) ?? v.legal.find((l) => !used.has(l.move));
      if (!m) break;
      moves = [...moves, m.move];
      const id = `n${nodes.length}`;
      nodes.push({ id, parent, move: m.move, san: m.san, from: m.from, to: m.to, comment: nodes.length % 9 === 0 ? "A comment" : "", glyph: "", shapes: [], order: used.size });
      paths[id] = moves;
      parent = id;
    }
  }
  return nodes;
}
