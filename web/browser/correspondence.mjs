// What players with days for a move and challengers use: open challenges, the next game that waits, vacations and
// conditional moves.

import { test } from "node:test";
import assert from "node:assert/strict";
import { accessible, browser, server } from "./common.mjs";
import { Person } from "./person.mjs";

/** signedIn opens a window of somebody with a new account. */
async function signedIn(name, size) {
  const p = await Person.open(browser, server.base, { name: "", ...size });
  await p.context.request.post(server.base + "/api/accounts", { data: { name, password: "correct horse" } });
  p.post = async (path, data) => (await p.context.request.post(server.base + path, { data })).json();
  return p;
}

export default function () {
  test("somebody challenges everybody with some rating, another accepts, and both go from game to game by keys", async () => {
    const [ann, ben] = [await signedIn("Germain"), await signedIn("Lagrange", { width: 390, height: 844 })];
    const games = [];
    for (const days of [3, 1]) {
      const { id } = await ann.post("/api/games", { game: "loa", as: "first", clock: { days } });
      await ben.post(`/api/games/${id}/seats/second`, {});
      games.push(id);
    }
    await ann.go("/");
    await ann.page.getByRole("link", { name: "Challenges" }).press("Enter");
    await ann.page.getByText("No open challenges").waitFor();
    await ann.page.getByLabel("Clock").selectOption("3d");
    await ann.page.getByLabel("Rating from").fill("1400");
    await ann.page.getByLabel("Rating to").fill("1600");
    await accessible(ann, "challenges");
    await ann.button("Post challenge").press("Enter");
    await ann.button("Withdraw your challenge: Othello").waitFor();
    await ann.shot("challenges-wide");
    await ben.go("/challenges");
    await ben.button("Accept the challenge from Germain: Othello").waitFor();
    await accessible(ben, "challenges");
    await ben.shot("challenges-narrow");
    await ben.button("Accept the challenge from Germain: Othello").press("Enter");
    for (const p of [ann, ben]) await p.page.waitForURL(/\/g\//); // the challenger's page follows
    assert.equal(ann.id, ben.id);

    await ben.page.getByRole("button", { name: "Lagrange: your account" }).press("Enter");
    await ben.page.getByText("Vacation", { exact: true }).press("Enter");
    await ben.page.getByText("30 days left.").waitFor();
    await ben.button("Go on vacation").press("Enter");
    await ben.page.getByText(/On vacation until .* 23 days left/).waitFor();
    await accessible(ben, "a vacation");
    await ben.shot("vacation-narrow");

    await ann.go("/@Germain");
    const waiting = ann.page.locator("section", { hasText: "Games where it is your turn" }).locator("li a");
    await waiting.first().waitFor();
    assert.equal(await waiting.first().getAttribute("href"), "/g/" + games[1]); // which has less time
    await ann.shot("turns-wide");
    await waiting.first().press("Enter");
    await ann.button("Next game where it is your turn (N)").waitFor();
    await ann.page.locator(".seat").getByText(/^back on/).waitFor();
    await ann.shot("next-wide");
    await ann.page.keyboard.press("n");
    await ann.page.waitForURL((url) => !url.pathname.endsWith(games[1]));
    await ben.go("/g/" + games[0]);
    await ben.button("Next game where it is your turn (N)").waitFor();
    await ben.page.getByText("Conditional moves: 0").press("Enter");
    await ben.page.getByLabel("Moves in turn: theirs, yours, …").fill("a1c1");
    await ben.page.keyboard.press("Enter");
    await ben.page.getByRole("alert").getByText("a line must end with your move").waitFor();
    await ben.page.getByLabel("Moves in turn: theirs, yours, …").fill("a1c1 b0b2");
    await ben.page.keyboard.press("Enter");
    await ben.page.getByRole("button", { name: "Remove a1c1 b0b2" }).waitFor();
    await accessible(ben, "a game of days");
    await ben.shot("conditional-narrow");
    await ann.go("/g/" + games[0]);
    await ann.page.getByLabel("Type a move").fill("a1c1");
    await ann.page.keyboard.press("Enter");
    await ann.ready(2); // the server has answered
    await ben.shot("next-narrow");
    assert.deepEqual([...ann.errors, ...ben.errors], []);
    await Promise.all([ann.close(), ben.close()]);
  });

  test("what was learnt in one browser is known in another of the same account, and not by the next account", async () => {
    const p = await signedIn("Ramanujan");
    await p.context.addInitScript(() => { if (!localStorage.getItem("quintet.lessons")) localStorage.setItem("quintet.lessons", '{"loa":[0,1]}'); });
    const stored = (n) => p.page.waitForResponse((r) => r.url().endsWith("/api/account/progress") && r.ok()).then((r) => r.json()).then((all) => assert.deepEqual(all.lessons.loa ?? [], n));
    await Promise.all([stored([0, 1]), p.go("/learn")]);
    const other = await Person.open(browser, server.base, { name: "" });
    await other.context.request.post(server.base + "/api/sessions", { data: { name: "Ramanujan", password: "correct horse" } });
    await other.go("/learn");
    await other.page.waitForFunction(() => JSON.parse(localStorage.getItem("quintet.lessons")).loa?.length === 2);
    await other.context.request.post(server.base + "/api/accounts", { data: { name: "Hardy", password: "correct horse" } });
    await other.go("/learn");
    await other.page.waitForFunction(() => localStorage.getItem("quintet.progressOf") === '"Hardy"' && !JSON.parse(localStorage.getItem("quintet.lessons")).loa);
    assert.deepEqual([...p.errors, ...other.errors], []);
    await Promise.all([p.close(), other.close()]);
  });
}
