// Setting up a game, on every kind of screen.

import { test } from "node:test";
import assert from "node:assert/strict";
import { accessible, browser, server, setUp } from "./common.mjs";
import { Person } from "./person.mjs";

export default function () {
  test("pits are chosen by tapping, at random and balanced", async () => {
    const p = await Person.open(browser, server.base);
    await p.go("/?game=othello");
    await p.page.getByRole("radio", { name: "Two people here" }).check();
    await p.page.getByLabel("Board size").fill("10");
    await p.page.locator(".pits summary").click();
    await p.cell("b3").click();
    await p.cell("c4").click();
    await p.cell("c4").click();
    await p.page.getByText("1 pit", { exact: true }).waitFor();
    await p.button("Random").click();
    await p.page.getByText("4 pits").waitFor();
    await p.button("Balanced").click();
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
    await p.go("/?game=loa");
    await p.page.locator("form.setup button.big").click();
    await p.page.getByRole("alert").filter({ hasText: "A name has 1 to 40 characters" }).waitFor();
    await p.page.waitForFunction(() => document.activeElement?.getAttribute("aria-invalid") === "true"); // it is said at the field, which is opened
    await p.page.locator("form.setup").getByLabel("Your name").fill("Ada");
    await p.page.getByRole("radio", { name: "A friend, by link" }).check();
    await p.page.getByLabel("Private").check();
    await p.page.locator("form.setup button.big").click();
    await p.page.waitForURL(/key=/);
    const link = await p.page.getByLabel("Link to the game").inputValue();
    const friend = await Person.open(browser, server.base, { name: "Grace" });
    await friend.go(new URL(link).pathname);
    await friend.page.getByRole("heading", { name: "There is no such game" }).waitFor();
    await friend.page.goto(link);
    await friend.page.getByRole("button", { name: /^Play (Black|White)$/ }).click();
    await friend.page.waitForSelector('main[data-state="live"]');
    await p.close();
    await friend.close();
  });

  test("a game is set up by keyboard alone: opponent, clock, size and pits", async () => {
    const p = await Person.open(browser, server.base);
    const key = async (...names) => { for (const n of names) await p.page.keyboard.press(n); };
    /** to goes on with Tab until something of a name has the focus. */
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
    await p.go("/");
    await p.page.waitForSelector(".tile");
    await to(/game$/);
    await key("ArrowRight"); // Othello
    await to(/opponent$/);
    await key("ArrowLeft", "ArrowLeft"); // round to two people here
    await to(/Clock/);
    await p.page.keyboard.type("3 days");
    await to(/Board size/);
    await key("ArrowRight");
    await to(/Pits/);
    await key("Enter");
    await to(/^[a-j]\d+, /);
    await key("Home", "PageUp", "Enter", "ArrowRight", " ");
    await p.page.getByText("2 pits", { exact: true }).waitFor();
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
    await p.go("/?game=chess");
    await p.page.getByLabel("Clock").selectOption("own");
    await p.page.getByLabel("Minutes").fill("0");
    await p.page.locator(".setup > details summary").last().click();
    const form = p.page.locator("form.setup"), play = form.locator("button.big");
    const position = form.getByLabel(/^Start from a position/), delay = form.getByLabel("Seconds by which spectators are behind");
    await position.fill("nonsense");
    await delay.fill("9999");
    for (const [field, said, right] of [
      [delay, /up to 3600 seconds/, "0"],
      [form.getByLabel("Minutes"), /A clock has 1 second to 24 hours/, "3"],
      [position, /This is no position of the game/, ""],
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

  test("who watches on a phone keeps the part of a large board that is looked at while others play", async () => {
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
    await setUp(p, "connect6", { opponent: "Two people here", colour: "", size: 26 });
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
