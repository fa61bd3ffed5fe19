// Two people at one device, and what the form of the first page keeps for them.

import { test } from "node:test";
import assert from "node:assert/strict";
import { accessible, browser, server, setUp } from "./common.mjs";
import { Person } from "./person.mjs";

export default function () {
  test("two people at one device agree on a draw and play again, with colours swapped", async () => {
    const p = await Person.open(browser, server.base, { name: "A name of forty characters, which is all" });
    await setUp(p, "othello", { opponent: "Two players, one device", colour: "", size: 6 });
    const id = p.id, before = await server.view(id);
    assert.deepEqual([before.seats.first.name, before.seats.second.name], ["A name of forty characters, which is a 1", "A name of forty characters, which is a 2"]);
    await p.byMouse(before, before.legal[0]);
    await p.ready(1);
    await p.button("Draw").click();
    await p.button("Cancel").click();
    await p.button("Draw").click();
    await p.shot("both-draw");
    await p.button("Both agree to a draw").click();
    const v = await server.until(id, (w) => w.state === "over", "a draw");
    assert.deepEqual([v.result, v.reason], ["draw", "agreement"]);
    await p.button("Rematch, colours swapped").click();
    await p.page.waitForURL((u) => !u.pathname.endsWith(id));
    await p.ready(0);
    const next = await server.view(p.id);
    assert.deepEqual([next.before, next.state, next.unlisted, next.seats.first.name], [id, "live", true, v.seats.second.name]);
    await p.byMouse(next, next.legal[0]); // both seats are theirs again
    await p.ready(1);
    await p.byMouse(await server.view(p.id), (await server.view(p.id)).legal[0]);
    await p.ready(2);
    assert.deepEqual(p.errors, []);
    await p.close();
  });

  test("the options of each game are those that were chosen last, and tiles have one name", async () => {
    const p = await Person.open(browser, server.base);
    await setUp(p, "othello", { opponent: "Two players, one device", colour: "", size: 6 });
    await p.button("Resign").click();
    await p.button(/^Resign as/).click();
    await p.page.getByRole("link", { name: "New game" }).click();
    const size = p.page.getByLabel("Board size");
    await p.more();
    await size.waitFor();
    assert.equal(await size.inputValue(), "6");
    await p.page.getByRole("radio", { name: "Connect6", exact: true }).check();
    assert.equal(await size.inputValue(), "19");
    await p.page.getByRole("radio", { name: "Othello", exact: true }).check();
    assert.equal(await size.inputValue(), "6");
    await p.page.locator("form.setup button.big").click();
    await p.page.waitForURL(/\/g\//);
    assert.equal((await server.view(p.id)).options.size, "6");
    await p.close();
  });

  test("pits that leave no move are not looked for in the position", async () => {
    const p = await Person.open(browser, server.base);
    const pits = "b1,c1,a2,d2,a3,d3,b4,c4";
    await p.context.addInitScript((text) => localStorage.setItem("quintet.choices", JSON.stringify({ "options.othello": text })), JSON.stringify({ size: "4", pits }));
    await p.go("/new?game=othello");
    await p.more();
    await p.page.getByText("Pits: 8").waitFor();
    await p.page.locator("form.setup button.big").click();
    await p.page.getByRole("alert").filter({ hasText: "The game is over in this position." }).waitFor();
    assert.equal(await p.page.locator(".setup details[open] [aria-invalid=true]").count(), 0);
    await accessible(p, "pits that leave no move");
    await p.shot("pits-over");
    await p.close();
  });

  test("one second is one", async () => {
    const made = await (await fetch(server.base + "/api/games", { method: "POST", body: JSON.stringify({ game: "loa", delay: 1, as: "first", name: "Ada" }) })).json();
    const p = await Person.open(browser, server.base);
    await p.go("/g/" + made.id);
    await p.page.locator(".facts", { hasText: "shown 1 second later" }).waitFor();
    await p.close();
  });
}
