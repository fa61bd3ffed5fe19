// What screen readers announce: turns, steps through a game, the connection.

import { test } from "node:test";
import assert from "node:assert/strict";
import { browser, server, setUp, spread, two, play, finish } from "./common.mjs";
import { Person } from "./person.mjs";
import { opened, seated } from "./seats.mjs";

const hears = (p, text, where = "[data-announce]") => p.page.locator(where, { hasText: text }).waitFor({ state: "attached" });

export default function () {
  test("a forced pass is announced, and so is a stone that is left to place", async () => {
    const post = async (path, body, token) => (await fetch(server.base + "/api/games" + path, { method: "POST", body: JSON.stringify(body), headers: token ? { Authorization: "Bearer " + token } : {} })).json();
    const p = await Person.open(browser, server.base);
    const watch = async (made, side) => {
      await p.context.addCookies([{ name: `quintet_${made.id}_${side}`, value: made.token, url: server.base }]);
      await p.go("/g/" + made.id);
      await p.page.waitForSelector("svg.board");
    };
    const pass = await post("", { game: "loa", position: "BW6/WW6/8/5W2/8/8/6WW/6WB W", as: "first", name: "Ada" });
    const white = await post(`/${pass.id}/seats/second`, { name: "Grace" });
    await watch(pass, "first");
    const { legal } = await server.view(pass.id);
    await post(`/${pass.id}/moves`, { move: legal.find((m) => m.from === 29).move, ply: 0 }, white.token);
    await hears(p, "Your turn Black has no legal move and passes.");
    const six = await post("", { game: "connect6", options: { size: "9" }, as: "second", name: "Ada" });
    const black = await post(`/${six.id}/seats/first`, { name: "Grace" });
    await watch(six, "second");
    await post(`/${six.id}/moves`, { move: "E5", ply: 0 }, black.token);
    await hears(p, /Your turn$/);
    await p.byMouse(await server.view(six.id), { to: 0 });
    await hears(p, /^White played .*\. 1 stone to place$/);
    await p.close();
  });

  test("steps through a game are announced, and the list of moves is one stop of Tab", async () => {
    const p = await Person.open(browser, server.base);
    await setUp(p, "othello", { opponent: "Two players, one device", colour: "", size: 6 });
    for (let ply = 0; ply < 4; ply++) {
      await p.ready(ply);
      await p.byMouse(await server.until(p.id, (v) => v.ply === ply, `ply ${ply}`), (await server.view(p.id)).legal[0]);
    }
    await p.ready(4);
    const { moves } = await server.view(p.id);
    assert.equal(await p.page.locator("[data-stepped]").textContent(), "");
    await p.button("One move back").click();
    await hears(p, `Move 3: Black ${moves[2]}`, "[data-stepped]");
    await p.button("To the start").click();
    await hears(p, "The start of the game", "[data-stepped]");
    assert.equal(await p.page.locator('.moves .list [tabindex="0"], .moves .list[tabindex]').count(), 1);
    await p.page.locator('.moves .list [tabindex="0"]').focus();
    for (const key of ["ArrowRight", "ArrowRight"]) await p.page.keyboard.press(key);
    await hears(p, `Move 2: White ${moves[1]}`, "[data-stepped]");
    await p.page.waitForFunction((text) => document.activeElement.textContent === text, moves[1]); // the voice may come first
    await p.page.keyboard.press("End");
    await hears(p, `Move 4: White ${moves[3]}`, "[data-stepped]");
    await p.shot("stepped");
    assert.deepEqual(p.errors, []);
    await p.close();
  });

  test("the step buttons keep the focus at both ends of a game", async () => {
    const g = await opened({ game: "othello" });
    await g.plays("f4", "f3");
    const p = await seated(g);
    await p.ready(2);
    for (const [name, end] of [["One move back", 0], ["One move forward", 2], ["To the start", 0], ["To the newest move", 2]]) {
      await p.button(name).focus();
      for (let i = 0; i < 3; i++) await p.page.keyboard.press("Enter");
      await p.ready(end);
      await p.focused(`[aria-label="${name}"]`);
      assert.ok(await p.button(name).isDisabled(), `${name} leads nowhere at ${end}`);
    }
    await p.close();
  });

  test("a lost connection is announced in the live region already in use", async () => {
    const g = await two("loa");
    await play(g, spread, 1);
    const line = g.ada.page.locator(".lost");
    const heard = () => line.evaluate((e) => [getComputedStyle(e).display !== "none", e.getAttribute("role"), e.textContent]);
    assert.deepEqual(await heard(), [true, "status", ""]);
    const node = await line.elementHandle();
    await g.ada.context.setOffline(true);
    await g.ada.page.waitForSelector('[data-lost="true"]');
    assert.match(await node.evaluate((e) => e.textContent), /^Connection lost/);
    await g.ada.shot("lost-line");
    await g.ada.context.setOffline(false);
    await g.ada.page.waitForSelector('[data-lost="false"]', { state: "attached" });
    await finish(null, g);
  });
}
