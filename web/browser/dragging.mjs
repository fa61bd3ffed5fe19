// Dragging pieces by finger, keeping them in hand while events arrive, dropping them.

import { test } from "node:test";
import assert from "node:assert/strict";
import { browser, server } from "./common.mjs";
import { Person } from "./person.mjs";

const post = async (path, body, token) => (await fetch(server.base + "/api/games" + path, { method: "POST", body: JSON.stringify(body), headers: token ? { Authorization: "Bearer " + token } : {} })).json();

/** against opens a game that one person plays in a browser; what the other does is asked of the server. */
async function against(body, screen = {}) {
  const made = await post("", { as: "first", name: "Ada", ...body });
  const other = await post(`/${made.id}/seats/second`, { name: "Grace" });
  const p = await Person.open(browser, server.base, screen);
  await p.context.addCookies([{ name: `quintet_${made.id}_first`, value: made.token, url: server.base }]);
  await p.go("/g/" + made.id);
  await p.ready(0);
  const plays = async (move) => post(`/${made.id}/moves`, { move, ply: (await server.view(made.id)).ply }, other.token);
  return { p, id: made.id, token: made.token, other: other.token, plays };
}

const phone = { width: 390, height: 844, hasTouch: true, isMobile: true };
const inHand = (p) => p.page.locator('main [aria-selected="true"]').evaluateAll((list) => list.map((e) => e.dataset.name));

export default function () {
  test("on a phone, a piece is dragged to its target, now and as a premove, and the page does not scroll", async () => {
    const { p, id, plays } = await against({ game: "loa" }, phone);
    await p.drag("a2", "c4");
    assert.deepEqual((await server.until(id, (v) => v.ply === 1, "ply 1")).moves.map((m) => m.toLowerCase()), ["a2c4"]);
    await p.ready(1);
    await p.drag("a4", "c6");
    await p.page.getByText("Your next move is set.").waitFor();
    await p.shot("drag-390");
    await plays("b0b2");
    assert.deepEqual((await server.until(id, (v) => v.ply === 3, "ply 3")).moves.map((m) => m.toLowerCase()), ["a2c4", "b0b2", "a4c6"]);
    assert.equal(await p.page.evaluate(() => scrollY), 0);
    assert.deepEqual(p.errors, []);
    await p.close();
  });

  test("a cancelled touch keeps the piece in hand and sets no premove", async () => {
    const { p, id } = await against({ game: "loa" }, phone);
    await p.cell("a2").tap();
    await p.drag("a3", "b5", { cancel: true });
    assert.deepEqual(await inHand(p), ["a2"]);
    await p.cell("c2").tap();
    await server.until(id, (v) => v.ply === 1, "ply 1");
    await p.ready(1);
    await p.drag("a3", "b5", { cancel: true });
    await p.cell("d4").tap();
    assert.deepEqual(await inHand(p), []);
    assert.equal(await p.page.getByText("Your next move is set.").count(), 0);
    await p.close();
  });

  test("a piece stays in hand whatever arrives, unless it is no longer one's own", async () => {
    const { p, id, other, plays } = await against({ game: "chess" });
    await p.cell("e2").click();
    await post(`/${id}/offer`, {}, other);
    await p.page.getByRole("group", { name: "offers a draw" }).waitFor();
    assert.deepEqual(await inHand(p), ["e2"]);
    await p.cell("e4").click();
    await p.ready(1);
    await p.cell("d2").click(); // for later
    await plays("d7d5");
    await p.ready(2);
    assert.deepEqual(await inHand(p), ["d2"]);
    await p.cell("d4").click();
    await p.ready(3);
    await p.cell("e4").click();
    await plays("d5e4");
    await p.ready(4);
    assert.deepEqual(await inHand(p), [], "a piece that has been captured is in hand");
    assert.equal((await server.view(id)).ply, 4);
    await p.close();
  });

  test("a take-back on the cell of a move in flight leaves that move possible", async () => {
    const { p, id, plays } = await against({ game: "chess", position: "4k3/8/3p4/4p3/3P1P2/8/8/4K3 w" });
    let held = [];
    await p.page.routeWebSocket(/socket/, (ws) => {
      const way = ws.connectToServer();
      ws.onMessage((m) => (held ? held.push(() => way.send(m)) : way.send(m)));
    });
    await p.go("/g/" + id);
    await p.ready(0);
    for (const cell of ["d4", "e5", "f4", "e5"]) await p.cell(cell).click();
    await p.page.getByText("Your next move is set.").waitFor();
    for (const go of held.splice(0)) go();
    held = null;
    await server.until(id, (v) => v.ply === 1, "ply 1");
    await plays("d6e5");
    assert.deepEqual((await server.until(id, (v) => v.ply === 3, "ply 3")).moves, ["d4e5", "d6e5", "f4e5"]);
    await p.close();
  });

  test("dots say where a stone may go as long as that is not everywhere", async () => {
    const hints = async (body) => {
      const { p } = await against(body, phone);
      const [dots, said] = [await p.page.locator("main .hint").count(), await p.page.getByRole("gridcell", { name: "can be played" }).count()];
      await p.shot(`dots-${body.game}-${dots}`);
      await p.page.locator(".facts", { hasText: body.position ? "4×4" : "9×9" }).waitFor({ state: "attached" }); // the board's own size, not an option's
      await p.close();
      return [dots, said];
    };
    assert.deepEqual(await hints({ game: "othello", position: "XOO1/XOO1/XOO1/XXXX X" }), [3, 3], "few cells are empty, and nearly all can be played");
    assert.deepEqual(await hints({ game: "connect6", options: { size: "9" } }), [0, 0]);
  });

  test("a premove can be started while the other side can only pass", async () => {
    const { p, id } = await against({ game: "loa", position: "WB6/BB6/8/5B2/8/8/6BB/6BW B" });
    const move = (await server.view(id)).legal.find((m) => m.from === 29);
    await p.byMouse(await server.view(id), move);
    await p.ready(1);
    const v = await server.view(id), [cell] = Person.cellsOf(v, { to: move.to });
    assert.deepEqual(v.legal.map((m) => m.move), ["pass"]);
    await p.cell(cell).click();
    assert.deepEqual(await inHand(p), [cell]);
    await p.close();
  });
}
