// Whether the opponent is there: the page says so, and what may be done about one
// who has gone. It learns all that by events, without fetching the game.

import { test } from "node:test";
import assert from "node:assert/strict";
import { accessible, browser, finish, play, server, spread, two } from "./common.mjs";
import { faults } from "./faults.mjs";
import { covering, sizes } from "./layout.mjs";
import { Person } from "./person.mjs";
import { opened } from "./seats.mjs";

/** tapped opens a window that a test tells, as the server would, who is there. */
async function tapped(path, cookies) {
  const p = await Person.open(browser, server.base, { name: "Grace" });
  await p.context.addCookies(cookies);
  await p.page.routeWebSocket(/socket/, (ws) => {
    const on = ws.connectToServer();
    on.onMessage((m) => {
      if (m.startsWith('{"kind":"presence"')) return;
      ws.send(m);
      if (p.said && m.includes('"presence"')) ws.send(p.said); // a new connection begins with a state
    });
    ws.onMessage((m) => on.send(m));
    p.say = (m) => ws.send(p.said = JSON.stringify(m));
  });
  await p.go(path);
  return p;
}

const here = { here: true, away: 0, claimwin: 60_000, calloff: 60_000 };

export default function () {
  test("a player who leaves is away, and one who comes back is here", async () => {
    const g = await two("othello", { size: 6 });
    const seat = g.ada.page.getByRole("region", { name: "White player" });
    await seat.getByText("here", { exact: true }).waitFor();
    await g.grace.go("/");
    await seat.getByText(/^away for \d+ seconds?$/).waitFor();
    assert.match(await g.ada.page.locator("[data-announce]").textContent(), /Grace is away/);
    await g.grace.go(g.path);
    await seat.getByText("here", { exact: true }).waitFor();
    await accessible(g.ada, "presence");
    await finish(null, g);
  });

  test("the win may be claimed when the time is over, and the server has the last word", async () => {
    const g = await two("loa");
    await play(g, spread, 1);
    await g.ada.close();
    const p = await tapped(g.path, await g.grace.context.cookies());
    await play({ ...g, ada: g.grace }, spread, 1); // it is the other side's turn
    await p.ready(2);
    const tell = (claimwin, calloff) => p.say({ kind: "presence", presence: { first: { here: false, away: 40_000, claimwin, calloff }, second: here } });
    tell(20_000, 20_000);
    await p.page.getByText("Ada has been away for 40 seconds.").waitFor();
    await p.page.getByText(/You may claim the win in (19|20) seconds/).waitFor();
    await p.shot("opponent-away");
    assert.equal(await p.button("Claim the win").count(), 0);
    tell(1_000, 1_000);
    await p.button("Cancel game").waitFor();
    await p.shot("opponent-gone");
    await accessible(p, "opponent gone");
    await p.resize(390, 844);
    await p.shot("opponent-gone-phone");
    await p.resize(667, 375);
    await p.shot("opponent-gone-landscape");
    await p.button("Claim the win").click();
    await p.page.getByRole("alert").getByText("Your opponent has not been away for long enough.").waitFor();
    p.say({ kind: "presence", presence: { first: here, second: here } });
    await p.button("Claim the win").waitFor({ state: "detached" });
    await Promise.all([p.close(), g.grace.close()]);
  });

  test("a premove can be cancelled while the opponent is away, on every screen", async () => {
    const g = await opened({ game: "chess" });
    const p = await tapped("/g/" + g.id, [{ name: `quintet_${g.id}_second`, value: g.tokens[1], url: server.base }]);
    await p.ready(0);
    const tell = (wait) => p.say({ kind: "presence", presence: { first: { here: false, away: 40_000, claimwin: wait, calloff: wait }, second: here } });
    const cancel = p.button("Cancel it"), found = [];
    for (const [width, height] of sizes) {
      const tops = new Set();
      await p.resize(width, height);
      for (const [state, wait, shown] of [["away", 290_000, p.page.getByText(/You may claim the win in \d+ (seconds|minutes)/)], ["gone", 0, p.button("Claim the win")]]) {
        tell(wait);
        await shown.waitFor();
        for (const c of ["e7", "e5"]) await p.cell(c).locator(".ground").click({ force: true });
        await cancel.waitFor();
        assert.ok(await shown.isVisible(), `${state}, ${width}x${height}`);
        tops.add(Math.round(await cancel.evaluate((e) => e.getBoundingClientRect().top + scrollY)));
        for (const f of [...await faults(p, [".absence p", ".absence button"]), ...await covering(p)]) found.push(`${state}, ${width}x${height}: ${f}`);
        await p.shot(`premove-${state}-${width}x${height}`);
        await cancel.click();
        await cancel.waitFor({ state: "detached" });
        for (const f of await covering(p)) found.push(`${state} without a premove, ${width}x${height}: ${f}`);
        await p.shot(`no-premove-${state}-${width}x${height}`);
      }
      if (tops.size > 1) found.push(`${width}x${height}: the button moves when the win may be claimed`);
    }
    assert.deepEqual(found, []);
    await accessible(p, "opponent gone");
    await p.close();
  });

  test("offers, refusals and take-backs are shown without fetching the game", async () => {
    const g = await two("othello", { size: 6 });
    await play(g, spread, 3);
    let fetched = 0;
    for (const p of [g.ada, g.grace]) await p.page.route(/\/api\/games\/[^/]+$/, (r) => { fetched++; return r.continue(); });
    await g.ada.offer();
    await g.grace.button("Decline").click();
    await g.ada.button("Take back").click();
    await g.grace.button("Accept").click();
    for (const p of [g.ada, g.grace]) await p.ready(2);
    const v = await play(g, spread, 2);
    await g.ada.button("Resign").click();
    await g.ada.button("Resign as Black").click();
    for (const p of [g.ada, g.grace]) await p.page.waitForSelector('main[data-state="over"]');
    await g.ada.button("Rematch, colours swapped").click();
    await g.grace.button("Accept").waitFor();
    assert.equal(fetched, 0, "times the game was fetched");
    assert.equal(v.ply, 4);
    await finish(null, g);
  });
}
