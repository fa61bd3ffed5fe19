// Tournaments: two people and a level play a round robin of the smallest games, from the form to the podium. Each is free for
// a round. With two levels, all would wait for the game between these, for which busy engines have little time.

import { test } from "node:test";
import assert from "node:assert/strict";
import { accessible, browser, server } from "./common.mjs";
import { faults } from "./faults.mjs";
import { sizes } from "./layout.mjs";
import { Person } from "./person.mjs";

const called = (p, method, path, body) => p.page.evaluate(([m, at, b]) => fetch(at, { method: m, headers: { "Content-Type": "application/json" }, body: JSON.stringify(b) }).then((r) => r.json()), [method, path, body]);

/** resigns waits until the browser has gone to the next game by itself, and resigns it. */
async function resigns(p, before) {
  await p.page.waitForURL((u) => /^\/g\//.test(u.pathname) && u.pathname !== before);
  const { pathname } = new URL(p.page.url());
  await p.page.locator("main[data-state]").waitFor(); // the opponent may have resigned before
  await called(p, "POST", `/api/games/${p.id}/resign`);
  await p.page.locator('main[data-state="over"]').waitFor();
  return pathname;
}

/** fits checks the layout at every size. */
async function fits(p, what) {
  const found = [];
  for (const [width, height] of sizes) {
    await p.resize(width, height);
    for (const f of await faults(p, [])) if (!/^the page scrolls/.test(f)) found.push(`${what}, ${width}x${height}: ${f}`);
    await p.shot(`tour-${what}-${width}x${height}`);
  }
  assert.deepEqual(found, []);
}

export default function () {
  test("two people and a level play a round robin to the podium; the browser goes to each game by itself", async () => {
    const ada = await Person.open(browser, server.base), grace = await Person.open(browser, server.base, { name: "Grace", width: 390, height: 844, colorScheme: "dark" });
    await ada.go("/tournaments");
    await ada.page.locator(".head .who span").waitFor(); // she is a guest: no later answer replaces the cookie of her account
    await called(ada, "POST", "/api/accounts", { name: "Marie Curie", password: "correct horse" });
    await ada.page.reload();
    await ada.page.getByText("Make a tournament").press("Enter");
    await ada.page.getByLabel("Name", { exact: true }).fill("Evening of the club");
    await ada.page.getByRole("radio", { name: "Arena" }).check();
    await ada.page.getByText("More settings").press("Enter");
    await ada.page.getByLabel("Allow berserk").waitFor();
    await ada.page.getByText("More settings").press("Enter");
    await ada.page.getByRole("radio", { name: "Round robin" }).check();
    await ada.page.getByText("More settings").press("Enter");
    await ada.page.getByLabel("Board size").fill("4");
    await ada.page.getByLabel("Seconds between rounds").fill("1");
    await ada.page.getByLabel("Series").fill("Fridays");
    await accessible(ada, "tournaments");
    await fits(ada, "lobby");
    await ada.button("Make the tournament").press("Enter");
    await ada.page.getByRole("heading", { name: "Evening of the club" }).waitFor();
    await ada.button("Join").press("Enter");
    await ada.page.getByText("your next game opens automatically").waitFor();
    await ada.page.getByLabel("Level").selectOption("2");
    await ada.button("Add a level").press("Enter");
    await ada.page.getByRole("rowheader", { name: "Engine, level 2" }).waitFor();
    const path = new URL(ada.page.url()).pathname;
    await grace.go(path);
    await grace.button("Join").press("Enter");
    await grace.button("Withdraw").waitFor();
    await grace.focused("main button"); // that of Join is gone
    await ada.page.getByText("3 players").waitFor(); // the page hears of it
    await accessible(ada, "a tournament before its start");
    await fits(ada, "waiting");
    await ada.button("Start now").press("Enter");
    await Promise.all([ada, grace].map(async (p) => {
      let last;
      for (let game = 1; game <= 2; game++) last = await resigns(p, last); // from the page of the tournament, then from that of the last game
      await p.page.getByRole("link", { name: "Tournament", exact: true }).last().press("Enter");
      await p.page.getByText("The tournament is over").waitFor();
    }));
    assert.equal(await ada.page.locator(".podium li").count(), 3);
    assert.equal(await ada.page.locator(".confetti").isVisible(), false, "confetti in spite of reduced motion");
    await accessible(ada, "a tournament that is over");
    await accessible(grace, "a tournament that is over, on a dark phone");
    await fits(ada, "over");
    await grace.shot("tour-dark-390");
    await grace.page.emulateMedia({ reducedMotion: "no-preference" });
    assert.equal(await grace.page.locator(".confetti").evaluate((e) => getComputedStyle(e).display), "inline");
    await grace.page.route((u) => u.pathname === "/api" + path.replace("tournament", "tournaments"), async (r) => {
      const t = await (await r.fetch()).json();
      await r.fulfill({ json: { ...t, standings: t.standings.map((s) => ({ ...s, withdrawn: true })) } });
    });
    await grace.page.reload();
    await grace.page.getByText("withdrawn").first().waitFor();
    assert.equal(await grace.page.locator("tbody tr").first().evaluate((e) => getComputedStyle(e).opacity), "1", "those who have withdrawn are not seen");
    await ada.page.getByRole("link", { name: "Series: Fridays" }).press("Enter");
    await ada.page.getByRole("rowheader", { name: "Engine, level 2" }).waitFor();
    await accessible(ada, "a series");
    await fits(ada, "series");
    await ada.go(path + "?screen");
    await ada.page.locator(".podium").waitFor();
    assert.equal(await ada.page.locator("button:visible, a:visible, .head:visible").count(), 0, "the projector shows controls");
    await accessible(ada, "the projector");
    await ada.shot("tour-screen");
    assert.deepEqual([...ada.errors, ...grace.errors], []);
    for (const p of [ada, grace]) await p.close();
  });
}
