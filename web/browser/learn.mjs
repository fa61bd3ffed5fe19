// Puzzles and lessons: solved by mouse, by keys, by touch and by typed moves; wrong
// moves are refuted on the board, illegal ones by the rules.

import { test } from "node:test";
import assert from "node:assert/strict";
import { accessible, browser, server } from "./common.mjs";
import { faults } from "./faults.mjs";
import { Person } from "./person.mjs";

const games = ["neighbors", "othello", "loa", "connect6", "chess"];
const get = async (path) => (await fetch(server.base + path)).json();
const replay = async (q) => (await fetch(server.base + "/api/replay", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ ...q, list: true }) })).json();

/** phase waits until the page asks for a move, or says how it was. */
const phase = (p, name) => p.page.locator(`.panel[data-phase="${name}"]`).waitFor();
const news = (p) => p.page.locator(".verdict-line").textContent();

const about = (p) => p.page.locator(".stage .facts").textContent();

/** put plays a turn by mouse or by keys, move by move. */
async function put(p, question, moves, by) {
  for (let i = 0; i < moves.length; i++) {
    const before = [...question.moves, ...moves.slice(0, i)];
    await p.page.locator(`.panel[data-phase="asked"][data-ply="${before.length}"]`).waitFor();
    const v = await replay({ ...question, moves: before });
    const m = v.moves.find((l) => l.move === moves[i]);
    assert.ok(m, `${moves[i]} is legal`);
    if (by === "keys") await p.byKeys(v, m);
    else if (by === "touch") for (const c of Person.cellsOf(v, m)) await p.cell(c).locator(".ground").tap({ force: true });
    else await p.byMouse(v, m, i % 2 === 1);
  }
}

/** solve plays the solution of a puzzle. */
async function solve(p, puzzle, by) {
  const question = { game: puzzle.game, position: puzzle.position, moves: [] };
  for (const [i, t] of puzzle.turns.entries()) {
    if (t.moves[0] !== "pass") await put(p, question, t.moves, by);
    question.moves = [...question.moves, ...t.moves, ...(t.reply ?? [])];
  }
  await phase(p, "solved");
}

/** long returns a puzzle of a game with more than one turn, if there is one. */
async function long(game) {
  const { puzzles } = await get(`/api/puzzles?game=${game}`);
  for (const e of puzzles) {
    const p = await get(`/api/puzzles/${e.id}`);
    if (p.turns.length > 1 && p.turns.every((t) => t.moves[0] !== "pass")) return p;
  }
  return assert.fail("no long puzzle");
}

/** GOAL is the task of a puzzle, as it is announced. */
const GOAL = /^(Black|White) to play and win( in (one|\d+) turns?|: find the only move), level \d+$/;

export default function () {
  for (const game of games) {
    test(`puzzles of ${game}: a wrong move is refuted on the board, the right ones solve it`, async () => {
      const p = await Person.open(browser, server.base);
      await p.hears();
      const puzzle = await long(game);
      await p.go(`/puzzles/${game}?id=${puzzle.id}`);
      await phase(p, "asked");
      await p.heard(GOAL);
      assert.match(await about(p), /^level \d+$/); // a theme would give the solution away
      const question = { game, position: puzzle.position, moves: [] };
      const { moves: legal } = await replay(question);
      const first = puzzle.turns[0];
      const wrong = first.moves.length > 1
        ? legal.map((m) => m.move).filter((m) => !first.moves.includes(m)).slice(-2)
        : [first.refutations.find((r) => r.moves && r.reply.length > 0).moves[0]];
      await put(p, question, wrong, "mouse");
      await phase(p, "wrong");
      assert.match(await news(p), game === "chess" ? /^Not [KQRBN]?[a-h]?x?[a-h][1-8]\+?: (Black|White) replies [KQRBN]?[a-h]?[1-8]?x?[a-h][1-8]\+?\.$/ : /^Not .+: (Black|White) replies/);
      await p.shot(`puzzle-${game}-wrong`);
      await p.button("Try again").press("Enter");
      await p.focused('[role="gridcell"]');
      await solve(p, puzzle, game === "othello" || game === "connect6" ? "keys" : "mouse");
      assert.equal(await news(p), puzzle.turns.length < puzzle.wins_in ? "Solved. Nothing stops the win now." : "Solved.");
      assert.match(await about(p), /^(Win in|Endgame).* · level \d+$/);
      await accessible(p, `puzzles of ${game}`);
      const kept = await p.page.evaluate(() => JSON.parse(localStorage.getItem("quintet.puzzles")));
      assert.deepEqual(kept, { [game]: { [puzzle.id]: false } });
      await p.heard(/^Solved\./);
      await p.page.getByRole("button", { name: "Next puzzle" }).press("Enter");
      await p.page.waitForFunction((id) => !location.search.includes(id), puzzle.id);
      await phase(p, "asked");
      await p.heard(GOAL);
      await p.focused('[role="gridcell"]');
      assert.deepEqual(p.errors, []);
      await p.close();
    });

    test(`lessons of ${game}: every step, at the first try`, async () => {
      const p = await Person.open(browser, server.base);
      const { steps } = await get(`/api/lessons?game=${game}`);
      await p.hears();
      await p.go(`/learn/${game}`);
      for (const [i, s] of steps.entries()) {
        await phase(p, "asked");
        assert.equal(await news(p), s.task);
        const told = await p.heard(new RegExp(`^Step ${i + 1} of ${steps.length}: `));
        assert.ok(told.some((t) => t.includes(s.text) && t.endsWith(s.task)), JSON.stringify(told));
        if (i > 0) await p.focused('[role="gridcell"]');
        for (const illegal of s.illegal ?? []) {
          await p.page.getByLabel("Type a move").fill(illegal.move);
          await p.page.keyboard.press("Enter");
          await p.page.locator(".panel .trouble", { hasText: illegal.why }).waitFor();
          await p.page.getByLabel("Type a move").fill("");
        }
        const question = { game, position: s.position, moves: [] };
        const turn = s.turns?.[0] ?? (await replay(question)).moves.slice(0, game === "connect6" && i > 0 ? 2 : 1).map((m) => m.move);
        await put(p, question, turn, i % 2 ? "mouse" : "keys");
        await phase(p, "done");
        assert.equal(await news(p), s.done);
        if (i < steps.length - 1) await p.page.getByRole("button", { name: "Next step" }).press("Enter");
      }
      await accessible(p, `lessons of ${game}`);
      await p.shot(`lesson-${game}`);
      assert.deepEqual(await p.page.evaluate(() => JSON.parse(localStorage.getItem("quintet.lessons"))), { [game]: steps.map((_, i) => i) });
      await p.page.getByRole("link", { name: "Solve puzzles" }).click();
      await phase(p, "asked");
      assert.deepEqual(p.errors, []);
      await p.close();
    });
  }

  test("a legal move that misses the goal of a lesson gets the hint", async () => {
    const p = await Person.open(browser, server.base);
    await p.go("/learn/chess");
    await phase(p, "asked");
    await p.page.getByLabel("Type a move").fill("e1e2");
    await p.button("Play").click();
    await phase(p, "missed");
    assert.match(await news(p), /rook on a1/);
    await p.button("Try again").click();
    await phase(p, "asked");
    await p.close();
  });

  test("hint, solution, level and skip; what was shown is not solved", async () => {
    const p = await Person.open(browser, server.base);
    await p.go("/puzzles/loa");
    await phase(p, "asked");
    await p.button("Hint").click();
    assert.match(await news(p), /^Move the piece on [a-h][0-7]\.$/);
    await p.button("Show solution").press("Enter");
    await phase(p, "shown");
    await p.focused(".panel .main");
    assert.match(await news(p), /^The solution is /);
    assert.deepEqual(await p.page.evaluate(() => Object.values(JSON.parse(localStorage.getItem("quintet.puzzles")).loa)), [null], "tried, not solved");
    await p.page.locator(".progress").getByText(/^0\/\d+$/).waitFor();
    await p.page.getByLabel("Difficulty").focus();
    await p.page.getByLabel("Difficulty").selectOption("hard");
    await phase(p, "asked");
    await p.focused("select");
    await p.page.locator(".facts", { hasText: /level ([789]|10)$/ }).waitFor();
    const before = p.page.url();
    await p.button("Skip").click();
    await p.page.waitForFunction((url) => location.href !== url, before);
    await p.close();
  });

  test("a finger solves a puzzle on a phone", async () => {
    const p = await Person.open(browser, server.base, { width: 390, height: 844, hasTouch: true, isMobile: true });
    const puzzle = await long("loa");
    await p.go(`/puzzles/loa?id=${puzzle.id}`);
    await solve(p, puzzle, "touch");
    assert.match(await news(p), /^Solved on the first try\./);
    await accessible(p, "puzzles on a phone");
    await p.close();
  });

  const screens = [[320, 640], [390, 844], [667, 375], [844, 390], [768, 1024], [1280, 720], [1920, 1080]];
  for (const [n, path] of ["/puzzles/connect6", "/puzzles/chess", "/learn/loa"].entries()) {
    test(`${path} at every size`, async () => {
      const p = await Person.open(browser, server.base);
      await p.go(path);
      await phase(p, "asked");
      for (const [i, [width, height]] of screens.entries()) {
        await p.resize(width, height);
        const seen = await p.page.evaluate(() => {
          const inView = (e) => { const b = e.getBoundingClientRect(); return b.left >= 0 && b.right <= innerWidth + 1 && b.top >= 0; };
          const news = document.querySelector(".verdict-line").getBoundingClientRect(), board = document.querySelector(".boardbox").getBoundingClientRect();
          return {
            wide: document.documentElement.scrollWidth <= innerWidth, board: inView(document.querySelector("svg.board")), goal: inView(document.querySelector(".goal")),
            rows: new Set([...document.querySelectorAll(".training .bar button")].map((e) => `${Math.round(e.getBoundingClientRect().top)} ${e.offsetHeight}`)).size <= 1,
            apart: news.bottom <= board.top + 1 || news.top >= board.bottom - 1 || news.left >= board.right - 1,
          };
        });
        assert.deepEqual(seen, { wide: true, board: true, goal: true, rows: true, apart: true }, `${width}x${height}`);
        if (i % 3 === n) await accessible(p, `${path} at ${width}x${height}`); // every size with one page
        await p.shot(`learn-${path.slice(1).replace("/", "-")}-${width}x${height}`);
      }
      assert.deepEqual(p.errors, []);
      await p.close();
    });
  }

  test("a run has three minutes: solved puzzles are counted, the next one comes by itself, and the best result is kept; themes are chosen", async () => {
    const p = await Person.open(browser, server.base), { puzzles } = await get("/api/puzzles?game=loa");
    await p.page.clock.install();
    await p.go("/puzzles/loa?id=nope");
    await p.page.getByText("There is no such puzzle.").waitFor();
    await phase(p, "asked");
    await p.page.getByLabel("Theme").selectOption("Capture");
    await p.page.waitForFunction((ids) => ids.includes(new URL(location.href).searchParams.get("id")), puzzles.filter((e) => e.themes.includes("capture")).map((e) => e.id));
    await p.button("Three-minute run").click();
    await p.page.waitForFunction((ids) => ids.includes(new URL(location.href).searchParams.get("id")), puzzles.filter((e) => e.difficulty === 1).map((e) => e.id));
    await phase(p, "asked");
    assert.equal(await p.button("Hint").count(), 0, "there is help in a run");
    const id = new URL(p.page.url()).searchParams.get("id");
    await solve(p, await get(`/api/puzzles/${id}`), "mouse");
    await p.page.locator(".run", { hasText: "1 solved" }).waitFor();
    await p.page.waitForFunction((old) => new URL(location.href).searchParams.get("id") !== old, id);
    await p.shot("run");
    await p.page.clock.fastForward(181_000);
    await p.page.getByText("You solved 1 puzzle. Your best: 1.").waitFor();
    await p.close();
  });

  test("the header leads to both, and an unknown game to a page that says so", async () => {
    const p = await Person.open(browser, server.base, { width: 390, height: 844 });
    await p.go("/");
    await p.button("Menu").press("Enter");
    await p.resize(1280, 800); // where the parts stand in the header, which has no menu
    assert.deepEqual((await faults(p, [".nav a"])).filter((f) => !/page scrolls/.test(f)), []);
    await p.resize(390, 844);
    await p.button("Menu").press("Enter");
    await p.page.getByRole("link", { name: "Puzzles", exact: true }).click();
    await p.page.getByRole("link", { name: "Chess", exact: true }).click();
    await phase(p, "asked");
    assert.equal(await p.page.title(), "Puzzles of Chess");
    await p.page.getByRole("link", { name: "Learn the rules of Chess" }).click();
    await phase(p, "asked");
    assert.equal((await p.go("/puzzles/go")).status(), 404);
    assert.equal((await p.go("/learn/go")).status(), 404);
    await p.close();
  });

  test("the board of a puzzle and its panel stand in the middle of a wide page, and what is to be done begins at the board's edge", async () => {
    const p = await Person.open(browser, server.base, { width: 1920, height: 1080 });
    for (const path of ["/puzzles/chess", "/learn/othello", "/editor/chess", "/analysis/chess"]) {
      await p.resize(1920, 1080);
      await p.go(path);
      await p.page.locator("main svg.board").waitFor();
      const [board, panel] = [await p.page.locator(".boardbox").boundingBox(), await p.page.locator(".panel").boundingBox()];
      assert.ok(Math.abs(board.x - (1920 - panel.x - panel.width)) < 40, `${path}: ${board.x} pixels are left free, and ${1920 - panel.x - panel.width} right`);
      if (/analysis/.test(path)) {
        await p.resize(390, 844);
        const [name, badge] = [await p.page.locator(".name").first().boundingBox(), await p.page.locator(".badge").first().boundingBox()];
        assert.ok(Math.abs(name.y + name.height / 2 - badge.y - badge.height / 2) < 3, "a name without a line below it stands in the middle");
      }
      if (!/learn|puzzles/.test(path)) continue;
      for (const [width, height] of [[390, 844], [1280, 800]]) {
        await p.resize(width, height);
        const [goal, box] = [await p.page.locator(".goal p").boundingBox(), await p.page.locator(".boardbox").boundingBox()];
        assert.ok(Math.abs(goal.x - box.x) < 4, `${path} at ${width}: the prompt begins at ${goal.x}, the board at ${box.x}`);
      }
    }
    await p.close();
  });

  test("chess says who is ahead, not sums with a king's 1000 in them", async () => {
    const p = await Person.open(browser, server.base);
    for (const path of ["/analysis/chess", "/editor/chess"]) {
      await p.go(path);
      await p.page.getByText(/equal material/).waitFor();
      await p.go(path + "?position=k7/8/8/8/8/8/8/KQ6+w+-+-+0+1");
      await p.page.getByText(/White is ahead by 9/).waitFor();
      assert.doesNotMatch(await p.page.locator("main").textContent(), /10\d\d|1128/, path);
    }
    await p.close();
  });

  test("a puzzle of the day is solved from the first page: it is ticked there, the streak grows, and the first try is rated", async () => {
    const p = await Person.open(browser, server.base), { day, puzzles } = await get("/api/puzzles/today");
    const [loa, othello] = ["loa", "othello"].map((game) => puzzles.find((e) => e.game === game).id);
    const yesterday = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
    await p.context.addInitScript((last) => { if (!localStorage.getItem("quintet.streak")) localStorage.setItem("quintet.streak", JSON.stringify({ last, run: 4, best: 9 })); }, yesterday);
    await p.go("/");
    await p.page.getByText("4 days in a row").waitFor();
    await p.page.getByRole("link", { name: "Lines of Action: solve the puzzle of the day" }).click();
    await phase(p, "asked");
    assert.ok(p.page.url().endsWith(loa));
    const figures = () => p.page.locator(".progress dd").allTextContents();
    const puzzle = await get(`/api/puzzles/${loa}`), { puzzles: all } = await get("/api/puzzles?game=loa");
    assert.deepEqual(await figures(), ["1000", `0/${all.length}`, "4days"]);
    await solve(p, puzzle, "mouse");
    const gain = Math.round(40 * (1 - 1 / (1 + 10 ** ((500 + 150 * puzzle.difficulty - 1000) / 400))));
    assert.deepEqual(await figures(), [`${1000 + gain}+${gain}`, `1/${all.length}`, "5days"]);
    await accessible(p, "progress");
    await p.page.reload(); // solved again, it changes nothing
    await phase(p, "asked");
    await solve(p, puzzle, "mouse");
    assert.equal((await figures())[0], `${1000 + gain}+${gain}`);
    await p.page.locator(".dailies").getByRole("link", { name: "Othello" }).click();
    await phase(p, "asked");
    assert.ok(p.page.url().endsWith(othello));
    await p.button("Hint").click();
    const { difficulty } = await get(`/api/puzzles/${othello}`); // of the day: nothing is lost by the hardest
    const loss = Math.round(40 / (1 + 10 ** ((500 + 150 * difficulty - 1000) / 400)));
    assert.equal((await figures())[0], `${1000 - loss}${loss > 0 ? "−" : "+"}${loss}`, "a puzzle with a hint counts as not solved");
    assert.equal(JSON.parse(await p.page.evaluate(() => localStorage.getItem("quintet.streak"))).best, 9);
    await p.go("/");
    await p.page.getByRole("link", { name: "Lines of Action: solved" }).waitFor();
    await p.page.getByText("5 days in a row").waitFor();
    await p.page.getByRole("link", { name: "Othello: solve the puzzle of the day" }).waitFor();
    await accessible(p, "the puzzles of the day");
    assert.deepEqual(p.errors, []);
    await p.close();
  });

  test("a streak ends with a day without a puzzle, and the first page does without the puzzles of the day", async () => {
    const p = await Person.open(browser, server.base), { day } = await get("/api/puzzles/today");
    const before = new Date(Date.parse(day) - 2 * 86_400_000).toISOString().slice(0, 10);
    await p.context.addInitScript((last) => localStorage.setItem("quintet.streak", JSON.stringify({ last, run: 4, best: 9 })), before);
    await p.go("/");
    await p.page.getByText("Puzzles of the day").waitFor();
    assert.equal(await p.page.getByText(/days? in a row/).count(), 0);
    await p.page.route("**/api/puzzles/today", (r) => r.abort());
    await p.page.reload();
    await p.page.getByRole("heading", { name: "Open seats" }).waitFor();
    assert.equal(await p.page.getByText("Puzzles of the day").count(), 0);
    await p.close();
  });
}
