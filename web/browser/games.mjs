// Games between two windows, by mouse and by keyboard, and against engines.

import { test } from "node:test";
import assert from "node:assert/strict";
import { browser, finish, named, play, server, setUp, spread, two } from "./common.mjs";
import { Person } from "./person.mjs";

export default function () {
  test("a window that was closed comes back, and one without a network catches up", async () => {
    const g = await two("loa");
    await play(g, spread, 2);
    await g.grace.context.setOffline(true);
    await g.grace.page.waitForSelector('[data-lost="true"]');
    await g.ada.page.close();
    g.ada.page = await g.ada.context.newPage();
    await g.ada.go("/");
    await g.ada.page.getByRole("link", { name: /Lines of Action.*Your turn/s }).click();
    await g.ada.page.waitForSelector("svg.board");
    await play({ ...g, grace: g.ada }, spread, 1); // Ada moves while Grace is away
    await g.grace.context.setOffline(false);
    await g.grace.ready(3);
    await play(g, spread, 3);
    await finish(null, g);
  });

  test("offers and take-backs are asked for and answered", async () => {
    const g = await two("neighbors");
    await g.grace.button("Resign").press("Enter");
    await g.grace.page.waitForFunction(() => document.activeElement.textContent === "Resign as White");
    await g.grace.page.locator("#typed").focus();
    await play(g, spread, 1); // what the other does leaves the focus where it is: Enter must not resign
    await g.grace.ready(1);
    assert.equal(await g.grace.focus(), "typed");
    await g.grace.button("Cancel").press("Enter");
    assert.equal(await g.grace.focus(), "Resign");
    await play(g, spread, 1);
    await g.grace.button("Take back").press("Enter");
    await g.ada.button("Accept").press("Enter");
    await server.until(g.id, (v) => v.ply === 1, "ply 1");
    await g.ada.page.waitForFunction(() => document.activeElement.getAttribute("role") === "gridcell"); // the button has gone
    await g.grace.ready(1);
    await g.ada.offer();
    await g.grace.button("Decline").click();
    await server.until(g.id, (v) => v.asked.first.length === 0, "no offer");
    await g.grace.offer();
    await g.ada.button("Accept").click();
    const v = await server.until(g.id, (w) => w.state === "over", "a draw");
    assert.equal(v.reason, "agreement");
    await finish(null, g);
  });

  test("a premove is played in its turn, unless it is cancelled or has become illegal", async () => {
    const g = await two("chess");
    const put = async (p, ...cells) => { for (const c of cells) await p.cell(c).click(); };
    const set = g.grace.page.getByText("Your next move is set.");
    await g.grace.page.evaluate(() => document.activeElement.blur());
    await g.grace.page.keyboard.press("ArrowLeft"); // before the first move is nothing
    await put(g.grace, "e7", "e5");
    await set.waitFor();
    await put(g.ada, "e2", "e4");
    const v = await server.until(g.id, (w) => w.ply === 2, "ply 2");
    assert.deepEqual(v.moves, ["e2e4", "e7e5"]);
    await g.grace.ready(2);
    await put(g.grace, "d7", "d5");
    await set.waitFor();
    await g.ada.ready(2);
    await g.ada.button("Take back").click();
    await g.grace.button("Accept").click();
    await g.grace.ready(0);
    await set.waitFor({ state: "detached" });
    await put(g.grace, "e7", "e2"); // as if the pawn were to be taken
    await set.waitFor();
    await g.ada.ready(0);
    await put(g.ada, "d2", "d4");
    await g.grace.page.getByRole("alert").filter({ hasText: "no longer legal and was cancelled" }).waitFor();
    await g.grace.shot("premove-gone");
    await put(g.grace, "e7", "e6");
    assert.deepEqual((await server.until(g.id, (w) => w.ply === 2, "ply 2")).moves, ["d2d4", "e7e6"]);
    await finish(null, g);
  });

  test("a seat that was taken in one window is played in another", async () => {
    const ada = await Person.open(browser, server.base, { name: "Ada" });
    const path = await setUp(ada, "othello", { size: 6 });
    const grace = await Person.open(browser, server.base, { name: "Grace" }), other = await grace.window();
    await Promise.all([grace.go(path), other.go(path)]);
    await other.button("Play White").waitFor();
    await grace.page.route(/seats/, async (route) => { // the event reaches the other window before the cookie
      const q = route.request();
      const r = await fetch(q.url(), { method: q.method(), headers: q.headers(), body: q.postData() });
      await other.page.waitForSelector('main[data-state="live"]');
      await route.fulfill({ status: r.status, headers: Object.fromEntries(r.headers), body: await r.text() });
    });
    await grace.button("Play White").click();
    await other.page.waitForSelector('main[data-state="live"]');
    const g = { ada, grace: other, id: ada.id };
    await play(g, spread, 2);
    await finish(null, { ada, grace });
  });

  test("stones placed faster than answers arrive are all placed, and a double click places one", async () => {
    const post = async (path, body, token) => (await fetch(server.base + "/api/games" + path, { method: "POST", body: JSON.stringify(body), headers: token ? { Authorization: "Bearer " + token } : {} })).json();
    const { id, token } = await post("", { game: "connect6", options: { size: "9" }, as: "first", name: "Ada" });
    const seat = await post(`/${id}/seats/second`, { name: "Grace" });
    const p = await Person.open(browser, server.base);
    await p.context.addCookies([{ name: `quintet_${id}_second`, value: seat.token, url: server.base }]);
    await p.page.routeWebSocket(/socket/, (ws) => {
      const way = ws.connectToServer();
      way.onMessage((m) => setTimeout(() => ws.send(m), 400));
    });
    await p.go("/g/" + id);
    await p.ready(0);
    let v = await server.view(id);
    const others = async () => { // stones of Ada, until it is Grace's turn
      for (v = await server.view(id); v.turn === "first"; v = await server.view(id)) await post(`/${id}/moves`, { move: v.legal[0].move, ply: v.ply }, token);
      await p.ready(v.ply);
    };
    await others();
    for (const m of v.legal.slice(-2)) { // typed
      await p.page.locator("#typed").fill(m.move);
      await p.page.keyboard.press("Enter");
    }
    const typed = v.legal.slice(-2).map((m) => m.move);
    assert.deepEqual((await server.until(id, (w) => w.ply === 3, "ply 3")).moves.slice(1), typed);
    await others();
    const [a, b] = v.legal.slice(-2);
    await p.cell(a.move).dblclick();
    await p.ready(v.ply + 1);
    assert.equal((await server.view(id)).ply, v.ply + 1);
    assert.equal(await p.page.getByText("Your next move is set.").count() + await p.page.locator(".trouble").count(), 0);
    await p.byMouse(v, b);
    await p.ready(v.ply + 2);
    await others();
    const [c, d] = v.legal.slice(-2);
    await p.byMouse(v, c);
    await p.byMouse(v, d);
    await p.shot("second-stone");
    assert.deepEqual((await server.until(id, (w) => w.ply === v.ply + 2, "both stones")).moves.slice(-2), [c.move, d.move]);
    assert.deepEqual(p.errors, []);
    await p.close();
  });

  test("an engine answers, and its game can be stepped through, taken back and played on", async () => {
    const p = await Person.open(browser, server.base);
    await setUp(p, "othello", { opponent: "Engine" });
    const g = { ada: p, grace: p, id: p.id };
    for (const ply of [0, 2]) {
      const v = await server.until(g.id, (w) => w.turn === "first" && w.ply === ply, `ply ${ply}`);
      await p.ready(ply);
      await p.byMouse(v, v.legal[0]);
    }
    await p.ready(4);
    await p.button("Take back").click();
    await p.ready(2);
    await p.button("One move back").click();
    await p.page.getByText("1 of 2").waitFor();
    await p.page.getByText("This is an earlier position.").waitFor();
    await p.page.getByRole("link", { name: "Continue from this position" }).click();
    await p.page.getByRole("heading", { name: "Continue from move 1" }).waitFor({ state: "attached" });
    await p.page.locator(".preview").waitFor(); // it moves what is below
    await p.page.getByRole("radio", { name: "Two players, one device" }).check();
    await p.page.locator("form.setup button.big").click();
    await p.page.waitForURL((u) => u.pathname.startsWith("/g/") && !u.pathname.endsWith(g.id));
    await p.ready(1);
    const v = await server.view(p.id);
    assert.equal(v.ply, 1);
    await p.byKeys(v, v.legal[0]);
    await p.ready(2);
    assert.deepEqual(p.errors, []);
    await p.close();
  });

  test("engines play each other, and the game is in the list to be watched", async () => {
    const p = await Person.open(browser, server.base);
    await setUp(p, "othello", { opponent: "Watch engines", colour: "", size: 14 }); // which takes long enough
    await server.until(p.id, (v) => v.ply > 4, "five moves");
    const other = await Person.open(browser, server.base);
    await other.go("/watch");
    const more = other.page.locator("section", { hasText: "Live now" }).getByRole("button", { name: "Show more" });
    await other.page.locator(`a[href="/g/${p.id}"]`).or(more).first().waitFor();
    if (await more.count() > 0) await more.click(); // games of people come first
    await other.page.locator(`a[href="/g/${p.id}"]`, { hasText: "Watch" }).click();
    await other.page.waitForSelector('main[data-state="live"]');
    await p.close();
    await other.close();
  });

  for (const [game, options, choose, most, ends] of [
    ["othello", { size: 4 }, spread, 40, "rules"],
    ["connect6", { size: 7 }, (v) => v.legal.find((m) => m.move.startsWith(v.turn === "first" ? "B" : "E")) ?? v.legal[0], 50, "rules"],
    ["chess", {}, named(["e2e4", "f7f5", "d1h5", "a7a6", "h5e8"]), 5, "rules"],
    ["loa", {}, spread, 10],
    ["neighbors", {}, spread, 10],
  ]) {
    test(`${game} in two windows, by mouse and by keyboard`, async (t) => {
      const g = await two(game, options);
      await play(g, choose, most);
      await g.grace.shot(`${game}-played`);
      if (!ends) {
        await g.ada.button("Resign").click();
        await g.ada.button(/^Resign as/).click();
      }
      const v = await server.until(g.id, (w) => w.state === "over", "an end");
      assert.equal(v.reason, ends ?? "resignation");
      await g.grace.page.waitForSelector(".over");
      const on = g.grace.page.getByRole("link", { name: "Continue from this position" });
      assert.equal(await on.count(), ends ? 0 : 1, "to play on from an end by the rules");
      await g.grace.button("One move back").click();
      await on.waitFor();
      for (const link of await g.grace.page.locator(".forms a").all()) {
        const path = await link.getAttribute("href");
        const r = await g.grace.page.request.get(server.base + path, { timeout: 240_000 }); // pictures are rendered after all other work
        assert.ok(r.ok(), `${path}: ${r.status()} ${await r.text()}`);
      }
      await g.grace.button("Rematch, colours swapped").press("Enter");
      await g.ada.button("Accept").click();
      await Promise.all([g.ada, g.grace].map((p) => p.page.waitForURL((u) => !u.pathname.endsWith(g.id))));
      const next = await server.view(g.ada.id);
      assert.deepEqual([next.seats.first.name, next.seats.second.name], ["Grace", "Ada"]);
      await play({ ada: g.grace, grace: g.ada, id: g.ada.id }, spread, 2); // Grace by mouse now
      await finish(t, g);
    });
  }
}
