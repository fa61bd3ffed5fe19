// Setting up a game, on every kind of screen.

import { test } from "node:test";
import assert from "node:assert/strict";
import { accessible, browser, play, server, setUp, spread } from "./common.mjs";
import { Person } from "./person.mjs";

export default function () {
  test("othello begins with either start, and a friend plays on the same board", async () => {
    const p = await Person.open(browser, server.base);
    await p.go("/new?game=othello");
    await p.page.getByRole("radio", { name: "Two players, one device" }).check();
    await p.more();
    await p.page.locator("select", { hasText: "standard" }).selectOption("White on d4 (standard)");
    await p.shot("othello-start");
    await p.page.locator("form.setup button.big").click();
    await p.page.waitForURL(/\/g\//);
    await p.page.waitForSelector("svg.board");
    const v = await server.view(p.id);
    assert.equal(v.options.start, "standard");
    assert.deepEqual(v.legal.map((m) => m.move).sort(), ["c4", "d3", "e6", "f5"]);
    await p.byMouse(v, v.legal.find((m) => m.move === "f5"));
    await p.ready(1);
    assert.deepEqual(p.errors, []);
    await p.close();
  });

  test("a link is copied where there is no clipboard, as on plain http in a local network, too", async () => {
    for (const way of ["by the clipboard", "without one", "not at all"]) {
      const p = await Person.open(browser, server.base, { permissions: ["clipboard-read", "clipboard-write"] });
      await p.page.addInitScript((way) => {
        window.board = navigator.clipboard;
        if (way !== "by the clipboard") Object.defineProperty(Navigator.prototype, "clipboard", { get: () => undefined });
        if (way === "not at all") document.execCommand = () => false;
      }, way);
      await setUp(p, "loa");
      await p.page.evaluate(() => window.board.writeText("nothing"));
      await p.button("Copy link").click();
      await p.page.getByText(way === "not at all" ? "Select the link and copy it." : "Copied.", { exact: true }).waitFor();
      assert.equal(await p.page.evaluate(() => window.board.readText()), way === "not at all" ? "nothing" : p.page.url(), way);
      const selected = await p.page.getByLabel("Link to the game").evaluate((i) => i.value.slice(i.selectionStart, i.selectionEnd));
      if (way !== "by the clipboard") assert.equal(selected, p.page.url());
      await p.close();
    }
  });

  test("pits are chosen by tapping, at random and balanced", async () => {
    const p = await Person.open(browser, server.base);
    await p.go("/new?game=othello");
    await p.page.getByRole("radio", { name: "Two players, one device" }).check();
    await p.more();
    await p.page.getByLabel("Board size").fill("10");
    await p.page.locator(".pits summary").click();
    let asked = 0, answered, free, held = Promise.resolve();
    const late = new Promise((done) => { answered = done; });
    await p.page.route("**/api/replay", async (route) => {
      if (++asked > 1) return held.then(() => route.continue());
      const answer = await route.fetch();
      await p.page.locator('.pits [data-name="e5"]').waitFor({ state: "detached" }); // the board is the later one
      await route.fulfill({ response: answer });
      answered();
    });
    await p.page.getByLabel("Board size").fill("12"); // which is answered late
    await p.page.getByLabel("Board size").fill("4");
    await p.cell("e5").waitFor({ state: "detached" });
    assert.equal(await p.page.locator('.pits [role="gridcell"][tabindex="0"]').count(), 1, "Tab does not come to the board");
    await late;
    await p.page.waitForTimeout(100);
    assert.equal(await p.page.locator('.pits [role="gridcell"]').count(), 16);
    held = new Promise((done) => { free = done; });
    await p.page.getByLabel("Board size").fill("10");
    await p.cell("a2").focus();
    free();
    await p.cell("j10").waitFor();
    assert.equal(await p.focus(), "a2", "the focus does not stay on its cell when the board has another size");
    await p.cell("b3").click();
    await p.cell("c4").click();
    await p.cell("c4").click();
    await p.page.getByText("Pits: 1", { exact: true }).waitFor();
    await p.button("Random").click();
    await p.page.getByText("Pits: 4").waitFor();
    await p.page.getByLabel("How many").fill("6");
    await p.page.getByLabel("How many").press("Enter"); // the game is not begun by it
    await p.page.getByText("Pits: 6").waitFor();
    await p.page.getByLabel("How many").fill("4");
    await p.button("Clear").click();
    await p.page.getByText("Pits: 0").waitFor();
    await p.button("Balanced").click(); // they are still open
    await p.shot("pits");
    await p.page.locator("form.setup button.big").click();
    await p.page.waitForURL(/\/g\//);
    await p.page.waitForSelector("svg.board");
    const v = await server.view(p.id);
    const pits = v.board.cells.flatMap((c, i) => (c === "#" ? [i] : []));
    assert.equal(pits.length, 4);
    assert.deepEqual(pits.map((i) => 99 - i).reverse(), pits, "balanced pits face each other");
    assert.deepEqual(p.errors, []);
    await p.close();
  });

  test("a name with markup is text, and private games are seen by those with the link", async () => {
    const p = await Person.open(browser, server.base, { name: "<img src=x>" });
    await p.go("/new?game=loa");
    await p.page.locator("form.setup button.big").click();
    await p.page.getByRole("alert").filter({ hasText: "A name has 1 to 40 characters" }).waitFor();
    await p.page.waitForFunction(() => document.activeElement?.getAttribute("aria-invalid") === "true"); // it is said at the field, which is opened
    await p.page.locator("form.setup").getByLabel("Your name").fill("Ada");
    await p.page.getByRole("radio", { name: "A friend, by link" }).check();
    await p.more();
    await p.page.getByLabel("Private").check();
    await p.page.locator("form.setup button.big").click();
    await p.page.waitForURL(/key=/);
    const link = await p.page.getByLabel("Link to the game").inputValue();
    await p.go("/");
    await p.page.getByRole("link", { name: /Lines of Action.*Continue/s }).click(); // who comes back still has the whole link
    assert.equal(await p.page.getByLabel("Link to the game").inputValue(), link);
    await p.page.goto(link.split("?")[0]);
    assert.equal(await p.page.getByLabel("Link to the game").inputValue(), link);
    const friend = await Person.open(browser, server.base, { name: "Grace" });
    await friend.go(new URL(link).pathname);
    await friend.page.getByRole("heading", { name: "There is no such game" }).waitFor();
    await friend.page.goto(link);
    await friend.page.getByRole("button", { name: /^Play (Black|White)$/ }).click();
    await friend.page.waitForSelector('main[data-state="live"]');
    await p.button("Resign").click();
    await p.button(/^Resign as/).click();
    await friend.button("Rematch, colours swapped").click();
    await p.button("Accept").click();
    await Promise.all([p, friend].map((x) => x.page.waitForURL((u) => !link.startsWith(u.origin + u.pathname) && u.searchParams.has("key"))));
    const id = p.id + new URL(p.page.url()).search, v = await server.view(id);
    const [first, second] = v.seats.first.name === "Ada" ? [p, friend] : [friend, p];
    await play({ ada: first, grace: second, id }, spread, 2);
    await p.close();
    await friend.close();
  });

  test("options hold with a start position, too, and a player of both sides agrees without asking", async () => {
    const p = await Person.open(browser, server.base);
    await p.go("/new?game=chess");
    await p.page.getByRole("radio", { name: "Two players, one device" }).check();
    await p.more();
    await p.page.getByLabel("Who may stop and count the pieces").selectOption("Both players together");
    await p.page.getByLabel(/^Start position/).fill("4k3/8/8/8/8/8/8/Q3K3 w");
    const play = p.page.locator("form.setup button.big");
    let asked = 0;
    await p.page.route("**/api/games", (route) => (++asked === 1 ? new Promise(() => {}) : route.continue())); // the first is not answered
    await play.click();
    await p.page.waitForFunction(() => document.querySelector("form.setup button.big").disabled);
    await p.page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))); // as if it was left, and come back to
    await play.click();
    await p.page.waitForURL(/\/g\//);
    await p.page.waitForSelector("svg.board");
    assert.equal((await server.view(p.id)).options.halt, "agreed");
    await p.button("Stop and count").click();
    await p.button("Stop the game and count the pieces").click();
    const v = await server.until(p.id, (w) => w.state === "over", "an end");
    assert.deepEqual([v.reason, v.result], ["halt", "first wins"]);
    await p.resize(360, 500);
    await p.go(`/new?from=${p.id}&ply=0`);
    await p.page.locator(".preview svg").waitFor();
    await p.page.route("**/api/games", (route) => route.fulfill({ status: 400, json: { code: "invalid", reason: "start.over", field: "position", error: "over" } })); // as from the last position of another
    await play.click();
    const said = p.page.getByRole("alert").filter({ hasText: "The game is over in this position." });
    await said.waitFor();
    await p.page.waitForFunction((e) => e.getBoundingClientRect().bottom < innerHeight, await said.elementHandle());
    await p.close();
  });

  test("a game is set up by keyboard alone: opponent, clock, size and pits", async () => {
    const p = await Person.open(browser, server.base);
    const key = async (...names) => { for (const n of names) await p.page.keyboard.press(n); };
    /** to presses Tab until an element of a name has the focus. */
    const to = async (name) => {
      const seen = [];
      for (let i = 0; i < 60; i++) {
        await key("Tab");
        const here = await p.page.evaluate(() => {
          const e = document.activeElement;
          return `${e.getAttribute("aria-label") ?? ""} ${e.labels?.[0]?.textContent ?? ""} ${e.textContent.slice(0, 60)} ${e.name ?? ""}`;
        });
        if (name.test(here)) return;
        seen.push(here);
      }
      throw new Error(`Tab does not come to ${name}: ${seen}`);
    };
    /** choose presses the arrow until an option is chosen. Typing its name would fail on a slow machine: a select forgets after a second. */
    const choose = async (option) => {
      const chosen = () => p.page.evaluate(() => document.activeElement.selectedOptions[0].text);
      for (let before; !(await chosen()).startsWith(option); await key("ArrowDown")) {
        assert.notEqual(before, before = await chosen(), `there is no option ${option}`);
      }
    };
    await p.go("/new");
    await p.page.waitForSelector(".tile");
    await to(/game$/);
    await key("ArrowLeft", "ArrowRight"); // away from Othello, and back
    await to(/opponent$/);
    await key("ArrowLeft", "ArrowLeft"); // round to two people here
    await to(/Clock/);
    await choose("3 days");
    await to(/^ *More options/);
    await key("Enter");
    await to(/Board size/);
    await p.page.waitForFunction(() => document.querySelectorAll(".pits [data-cell]").length === 64);
    let answer;
    const held = new Promise((resolve) => { answer = resolve; });
    await p.page.route("**/api/replay", async (r) => { await held; await r.continue(); });
    await key("ArrowRight");
    await to(/Pits/);
    await key("Enter");
    await to(/^[a-j]\d+, /);
    await key("Home");
    answer(); // the board becomes larger, and the focus stays on its cell
    await p.page.waitForFunction(() => document.querySelectorAll(".pits [data-cell]").length === 100);
    await key("PageUp", "Enter", "ArrowRight", " ");
    await p.page.getByText("Pits: 2", { exact: true }).waitFor();
    await to(/^ *Play$|^  Play/);
    await key("Enter");
    await p.page.waitForURL(/\/g\//);
    await p.page.waitForSelector("svg.board");
    const v = await server.view(p.id);
    assert.deepEqual([v.game, v.options.size, v.options.pits, v.clock, v.you, v.state], ["othello", "10", "a1,b1", { days: 3 }, [], "live"]);
    assert.deepEqual(p.errors, []);
    await p.close();
  });

  test("what is wrong with a field is said at the field, and nothing that was typed is lost", async () => {
    const p = await Person.open(browser, server.base);
    await p.go("/new?game=chess");
    await p.page.getByLabel("Clock").selectOption("own");
    await p.page.getByLabel("Minutes").fill("0");
    await p.more();
    const form = p.page.locator("form.setup"), play = form.locator("button.big");
    const position = form.getByLabel(/^Start position/), delay = form.getByLabel("Delay for spectators, in seconds");
    await position.fill("nonsense");
    await delay.fill("9999");
    for (const [field, said, right] of [
      [delay, /up to 3600 seconds/, "0"],
      [form.getByLabel("Minutes"), /A clock has 1 second to 24 hours/, "3"],
      [position, /This is not a valid position/, ""],
    ]) {
      await play.click();
      await form.getByRole("alert").filter({ hasText: said }).waitFor();
      const [wrong, described] = await field.evaluate((e) => [e.getAttribute("aria-invalid"), document.getElementById(e.getAttribute("aria-describedby"))?.textContent]);
      assert.equal(wrong, "true");
      assert.match(described, said);
      await accessible(p, String(said));
      await field.fill(right);
    }
    await p.shot("wrong-field");
    await play.click();
    await p.page.waitForURL(/\/g\//);
    assert.deepEqual((await server.view(p.id)).clock, { main: 180, increment: 3 });
    await p.close();
  });

  test("a spectator on a phone keeps the visible part of a large board while others play", async () => {
    const post = async (path, body, token) => (await fetch(server.base + path, { method: "POST", body: JSON.stringify(body), headers: token ? { Authorization: "Bearer " + token } : {} })).json();
    const made = await post("/api/games", { game: "othello", options: { size: "26" }, as: "first", name: "Ada" });
    await post(`/api/games/${made.id}/seats/second`, { name: "Grace" });
    const p = await Person.open(browser, server.base, { width: 390, height: 844, hasTouch: true, isMobile: true });
    await p.go("/g/" + made.id);
    await p.page.waitForSelector("svg.board");
    await p.cell("m13").tap();
    await p.button("Whole board").waitFor();
    const { legal } = await server.view(made.id);
    await post(`/api/games/${made.id}/moves`, { move: legal[0].move, ply: 0 }, made.token);
    await p.page.locator(".state", { hasText: "White to move" }).waitFor();
    await p.shot("watch-close-390");
    assert.ok((await p.cell("m13").locator(".ground").boundingBox()).width > 40);
    await p.close();
  });

  test("on a phone, the first tap comes closer to small cells, which a finger then hits", async () => {
    const p = await Person.open(browser, server.base, { width: 360, height: 740, hasTouch: true, isMobile: true });
    await setUp(p, "connect6", { opponent: "Two players, one device", colour: "", size: 26 });
    const size = async () => (await p.cell("J9").locator(".ground").boundingBox()).width;
    assert.ok(await size() < 20);
    await p.cell("J9").tap();
    await p.button("Whole board").waitFor();
    assert.ok(await size() > 40, `a cell is ${await size()} pixels wide`);
    assert.equal((await server.view(p.id)).ply, 0);
    await p.shot("closer-360");
    await p.drag("J9", "L9"); // the board is drawn along, and nothing is played
    const [box, svg] = [await p.cell("J9").locator(".ground").boundingBox(), await p.page.locator("main svg.board").boundingBox()];
    assert.ok(box.x - svg.x > svg.width / 2 + 40, "the board is where it was");
    assert.equal((await server.view(p.id)).ply, 0);
    await p.cell("J9").tap();
    await server.until(p.id, (v) => v.ply === 1, "ply 1");
    await p.button("Whole board").waitFor({ state: "detached" }); // it is the other side's turn
    await p.cell("J10").tap();
    await p.button("Whole board").click();
    assert.ok(await size() < 20);
    await p.close();
  });
}
