// Reviews: from a game that is over to its mistakes, by mouse, touch and keys.

import { test } from "node:test";
import assert from "node:assert/strict";
import { accessible, browser, server } from "./common.mjs";
import { faults } from "./faults.mjs";
import { cutOff } from "./layout.mjs";
import { Person } from "./person.mjs";

const moves = "d3 c3 c4 c5 d6 e3 f3 f4 b5 a6 f2 d2 f6 b6".split(" ");

/**
 * over opens a game, plays the moves and resigns. Its start, which is not the usual one,
 * keeps its positions apart from those of other tests' games, and the engine assesses
 * nothing that is on the board of a game in progress.
 */
async function over() {
  const post = async (path, body, token) => (await fetch(server.base + path, { method: "POST", body: JSON.stringify(body), headers: token ? { Authorization: `Bearer ${token}` } : {} })).json();
  const made = await post("/api/games", { game: "othello", options: { start: "standard" }, seats: { first: "open", second: "open" }, as: "first", name: "Ada" });
  const sat = await post(`/api/games/${made.id}/seats/second`, { name: "Grace" });
  for (const [i, move] of moves.entries()) await post(`/api/games/${made.id}/moves`, { move, ply: i }, [made.token, sat.token][i % 2]);
  await post(`/api/games/${made.id}/resign`, {}, made.token);
  return made.id;
}

let last = Promise.resolve();

/** alone runs one thing after another: while a game is in progress, no review of another with its positions can begin. */
const alone = (run) => (last = last.catch(() => {}).then(run));

/** reviewed opens the review of a new game, by its button, and waits until it is done. */
async function reviewed(p, press) {
  await alone(async () => {
    await p.go("/g/" + await over());
    await press(p.button("Review this game"));
    await p.page.waitForURL(/\/review\//);
    await p.page.waitForSelector("main[data-state]");
  });
  await p.page.waitForSelector('main[data-state="done"]');
}

export default function () {
  test("a game is reviewed, and its mistakes are tried again by mouse", async () => {
    const p = await Person.open(browser, server.base);
    await reviewed(p, (b) => b.click());
    assert.match(await p.page.locator(".news").textContent(), /Turning point: \d+[.…] \w+\. (Black|White) went/);
    assert.deepEqual(await p.page.locator(".seat .name").allTextContents(), ["Grace (White)", "Ada (Black)"]);
    assert.match(await p.page.locator(".panel > .facts").first().textContent(), /^Othello · White wins by resignation · .*20\d\d$/);
    assert.match(await p.page.getByRole("link", { name: "The game" }).getAttribute("href"), /^\/g\//);
    const marked = p.page.locator(".moves .move.mistake, .moves .move.blunder, .moves .move.inaccuracy");
    assert.ok(await marked.count() > 0);
    await marked.first().click();
    assert.match(await p.page.locator(".verdict-text").textContent(), /loses \d+\s?% of the winning chances\. \w+ was better/);
    await p.page.locator(".pv .move").first().click();
    await p.page.waitForSelector('.pv .move[aria-current="step"]');
    await p.button("Back to the game").click();
    await accessible(p, "review");
    await p.shot("review-1280");
    await p.page.getByRole("button", { name: /^Retry Black's mistakes|^Retry White's mistakes/ }).first().click();
    await p.page.waitForSelector("svg.board.lively");
    const text = await p.page.locator(".verdict-text").textContent();
    const wrong = /played \d+[.…] (\w+)\./.exec(text)[1];
    await p.cell(wrong).click();
    await p.page.waitForSelector(".verdict-text.wrong, .verdict-text.solved, main .trouble");
    assert.ok(await p.page.locator(".verdict-text.wrong").isVisible(), await p.page.locator(".verdict-box").textContent());
    await p.button("Hint").click();
    const cell = /uses (\w+)\./.exec(await p.page.locator('.verdict-box .hint').textContent())[1];
    await accessible(p, "retry");
    await p.shot("review-retry");
    await p.cell(cell).click();
    await p.page.waitForSelector(".verdict-text.solved");
    await p.button("Stop").click();
    assert.deepEqual(p.errors, []);
    await p.close();
  });

  test("an error while mistakes are retried is shown, and the next click works", async () => {
    const p = await Person.open(browser, server.base);
    await reviewed(p, (b) => b.click());
    const refuse = (path, answers) => p.page.route(path, (r) => r.fulfill({ status: 503, json: { error: "busy", reason: "busy" } }), { times: answers });
    const trouble = p.page.locator("main .trouble"), busy = "Too many records and pictures are being made. Try again in a moment.";
    const told = async () => { await trouble.waitFor(); assert.equal(await trouble.textContent(), busy); };
    await refuse("**/api/replay", 1);
    const retry = p.page.getByRole("button", { name: /^Retry .* mistakes/ }).first();
    await retry.click();
    await told();
    await retry.click();
    await p.page.waitForSelector("svg.board.lively");
    assert.equal(await trouble.count(), 0);
    const wrong = /played \d+[.…] (\w+)\./.exec(await p.page.locator(".verdict-text").textContent())[1];
    await refuse("**/try", 1);
    await p.cell(wrong).click();
    await told();
    assert.equal(await p.page.locator(".ghost").count(), 0, "the refused move is not on the board");
    await p.cell(wrong).click();
    await p.page.locator(".ghost").waitFor();
    await p.page.waitForSelector(".verdict-text.wrong");
    await refuse("**/api/replay", 1);
    await p.button("Show the solution").click();
    await told();
    await p.button("Show the solution").click();
    await p.page.waitForSelector(".verdict-text.shown");
    assert.deepEqual(p.errors, []);
    await p.close();
  });

  test("a review of chess names moves in SAN, and is ready when its state says so", async () => {
    const p = await Person.open(browser, server.base);
    const { id } = await (await fetch(server.base + "/api/reviews", { method: "POST", body: JSON.stringify({ record: '[Game "chess"]\n\n1. a2a3 h7h6 2. b1c3 g8f6 3. c3b5 f6h5 4. b5c7 *' }) })).json();
    let answer;
    const asked = new Promise((done) => { answer = done; });
    await p.page.route("**/api/replay", async (r) => { await asked; await r.continue(); });
    await p.go("/review/" + id);
    await p.page.locator(".state", { hasText: "Review" }).waitFor();
    assert.equal(await p.page.locator('main[data-state="done"]').count(), 0);
    answer();
    await p.page.waitForSelector('main[data-state="done"]');
    const moves = await p.page.locator(".moves .move").evaluateAll((list) => list.map((e) => e.firstChild.textContent));
    assert.deepEqual(moves, ["a3", "h6", "Nc3", "Nf6", "Nb5", "Nh5", "Nxc7+"]);
    assert.match(await p.page.locator(".verdict-text").textContent(), /^4\. Nxc7\+ is /);
    await p.close();
  });

  test("a review is gone through by keys alone", async () => {
    const p = await Person.open(browser, server.base);
    await p.hears();
    await reviewed(p, (b) => b.press("Enter"));
    const progress = await p.heard(/^The review is ready\. Turning point: \d+[.…] \w+/);
    assert.ok(progress.length <= 3, `the progress is announced as ${JSON.stringify(progress)}`);
    const slider = p.page.getByRole("slider");
    await slider.focus();
    await p.page.keyboard.press("Home");
    assert.equal(await slider.getAttribute("aria-valuenow"), "0");
    for (const n of ["1", "2"]) {
      await p.page.keyboard.press("ArrowRight");
      assert.equal(await slider.getAttribute("aria-valuenow"), n);
    }
    assert.match(await slider.getAttribute("aria-valuetext"), /winning chances/);
    await p.button("One move forward").press("Enter");
    await p.heard(/^2\. c4 is /);
    await p.button("To the start").press("Enter");
    await p.heard(/^The start of the game\.$/);
    assert.ok(await p.button("To the start").evaluate((e) => e === document.activeElement), "a step that goes no further keeps the focus");
    await p.button("Show").press("Enter");
    await p.heard(/^\d+[.…] \w+ is an? (inaccuracy|mistake|blunder)/);
    await p.page.locator(".pv .move").first().press("Enter");
    await p.heard(/^Best line, move 1: \w+$/);
    await p.button("Back to the game").press("Enter");
    await p.focused('.moves [aria-current="step"]');
    const cell = '[role="gridcell"]';
    const retry = p.page.getByRole("button", { name: /^Retry .* mistakes/ }).first();
    await retry.press("Enter");
    await p.focused(cell);
    await p.heard(/^Mistake 1 of \d+\. \w+ played \d+[.…] \w+\. Find a better move\.$/);
    await p.button("Hint").press("Enter");
    await p.heard(/^The best move uses \w+\.$/);
    await p.focused(cell);
    await p.button("Show the solution").press("Enter");
    await p.heard(/^The best move was \w+\.$/);
    await p.focused(".verdict-box .main");
    await p.button("Stop").press("Enter");
    await p.focused('.moves [aria-current="step"]');
    await p.page.reload();
    const ready = (await p.heard(/^The review is ready\. Turning point: \d+[.…] \w+/)).filter((t) => t.startsWith("The review is ready"));
    assert.equal(ready.length, 1, `the review is announced as ${JSON.stringify(ready)}`);
    assert.deepEqual(p.errors, []);
    await p.close();
  });

  test("a pasted record is reviewed, and nonsense is refused in a sentence", async () => {
    const p = await Person.open(browser, server.base);
    await p.go("/review");
    const field = p.page.getByLabel("Record of the game");
    await field.fill("<b>nonsense</b>");
    await p.button("Review").click();
    assert.match(await p.page.locator("#field-record-wrong").textContent(), /This record cannot be used: the record cannot be read: /);
    await accessible(p, "a record to review");
    await p.shot("review-submit");
    await p.page.locator('input[type="file"]').setInputFiles({ name: "long.sgf", mimeType: "text/plain", buffer: Buffer.alloc(10 << 20, "x") });
    await p.page.getByText("This is too long for one game").waitFor();
    await field.fill(`[Game "othello"]\n[Setup "start=standard"]\n[First "<i>Ada</i>"]\n[Date "2026.05.03"]\n\n1. ${moves.join(" ")} *`);
    await p.page.locator("button.main:enabled").waitFor(); // a key press on a disabled button is lost
    await p.button("Review").press("Enter");
    await p.page.waitForURL(/\/review\/\w+/).catch(async (e) => { throw new Error(`the page shows: ${await p.page.locator("main").innerText()}`, { cause: e }); });
    await p.page.waitForSelector('main[data-state="done"]');
    assert.deepEqual(await p.page.locator(".seat .name").allTextContents(), ["White", "<i>Ada</i> (Black)"]);
    assert.equal(await p.page.locator(".panel > .facts").first().textContent(), "Othello · 2026.05.03");
    assert.deepEqual(p.errors, []);
    await p.close();
  });

  test("a review continues after a broken connection", async () => {
    const p = await Person.open(browser, server.base);
    await p.page.route("**/api/reviews/*/events", (route) => route.abort(), { times: 1 });
    await reviewed(p, (b) => b.click());
    await p.close();
  });

  test("a review begins by itself when a game with its positions is over", async () => {
    const p = await Person.open(browser, server.base);
    await p.page.clock.install();
    const refused = { status: 409, json: { error: "running", reason: "running.position" } };
    await p.page.route("**/api/reviews/*/events", (route) => route.fulfill(refused), { times: 1 });
    const made = await fetch(server.base + "/api/reviews", { method: "POST", body: JSON.stringify({ record: '[Game "chess"]\n\n1. a2a3 h7h5 2. b1c3 *' }) });
    await p.go("/review/" + (await made.json()).id);
    await p.page.locator("main .trouble").waitFor();
    await p.page.clock.fastForward(20_000);
    await p.page.waitForSelector('main[data-state="done"]');
    assert.equal(await p.page.locator("main .trouble").count(), 0);
    await p.close();
  });

  test("a review at every size by touch", async () => {
    const p = await Person.open(browser, server.base, { width: 390, height: 844, hasTouch: true });
    await reviewed(p, (b) => b.tap());
    await p.page.addStyleTag({ content: ".moves .list { height: 3rem !important; }" }); // as if there were many moves
    for (const [width, height] of [[320, 640], [390, 844], [667, 375], [844, 390], [768, 1024]]) {
      await p.resize(width, height);
      const at = `${width}x${height}`;
      assert.equal(await cutOff(p), 0, `the current move is cut off at ${at}`);
      await p.page.evaluate(() => { document.querySelector(".panel").scrollTop = 0; });
      if (width > height) assert.deepEqual((await faults(p, [".steps button"])).filter((f) => f.startsWith(".steps")), [], `the steps at ${at}`);
      for (const step of ["To the start", "To the newest move"]) await p.button(step).tap();
      await p.page.waitForFunction(() => document.querySelector(".moves [aria-current]").getBoundingClientRect().bottom < document.querySelector(".moves .list").getBoundingClientRect().bottom + 2);
      const chart = await p.page.locator(".chart svg").boundingBox();
      await p.page.touchscreen.tap(chart.x + chart.width / 2, chart.y + chart.height / 2);
      assert.equal(await p.page.getByRole("slider").getAttribute("aria-valuenow"), String(moves.length / 2), at);
      await accessible(p, `review at ${at}`);
      const wide = await p.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `the page is ${wide} pixels too wide at ${at}`);
      const lines = await p.page.evaluate(() => [...document.querySelectorAll(".role")].map((e) => Math.round(e.getBoundingClientRect().height / parseFloat(getComputedStyle(e).lineHeight))));
      assert.deepEqual(lines, [1, 1], `the lines of the counts of mistakes at ${at}`);
      assert.deepEqual(await p.page.evaluate(() => [...document.querySelectorAll(".role")].filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent)), [], `the counts of mistakes are whole at ${at}`);
      await p.shot(`review-${width}`);
    }
    await p.page.getByRole("button", { name: /^Retry .* mistakes/ }).first().tap();
    for (const [width, height] of [[667, 375], [740, 360], [844, 390]]) {
      await p.resize(width, height);
      await p.page.evaluate(() => { document.querySelector(".panel").scrollTop = 0; });
      assert.deepEqual((await faults(p, [".retry button"])).filter((f) => f.startsWith(".retry")), [], `what can be done about a mistake at ${width}x${height}`);
    }
    await p.close();
  });
}
