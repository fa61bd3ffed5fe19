// Setting up a game, on every kind of screen.

import { test } from "node:test";
import assert from "node:assert/strict";
import { browser, server, setUp } from "./common.mjs";
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
