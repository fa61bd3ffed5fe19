// The first page: an opponent at once, lists that are worth coming back to, and few bytes.
// And the form for a game, all of it in view.

import { test } from "node:test";
import assert from "node:assert/strict";
import { accessible, browser, server, setUp } from "./common.mjs";
import { faults } from "./faults.mjs";
import { sizes } from "./layout.mjs";
import { Person } from "./person.mjs";
import { opened, request } from "./seats.mjs";

const ended = 40; // characters that the limit does not affect

export default function () {
  test("the form fits every screen, its button covers nothing, and all of it is in view at 1280 by 800 and on a phone on its side", async () => {
    const p = await Person.open(browser, server.base, { hasTouch: true });
    const found = [];
    for (const game of ["othello", "chess"]) {
      await p.go("/new?game=" + game);
      await p.page.locator(".demo svg.board").waitFor();
      for (const [width, height] of sizes) {
        await p.resize(width, height);
        for (const f of (await faults(p, width === 1280 || height < 400 ? ["form.setup button.big"] : [])).filter((f) => !/page scrolls/.test(f))) found.push(`${game}, ${width}x${height}: ${f}`);
        const at = (selector) => p.page.locator(selector).first().boundingBox();
        const [logo, title, colour, clock] = [await at(".brand"), await at("h1"), await at(".pair .choice label"), await at(".pair select")];
        if (height < 400) assert.ok(title.y < logo.y + logo.height && title.x > logo.x + logo.width, `${width}x${height}: the title is not beside the logo`);
        else if (width < 1600) assert.ok(Math.abs(logo.x - title.x) < 1, `${width}x${height}: the logo begins at ${logo.x}, the title at ${title.x}`);
        if (clock.x > colour.x + 1) assert.ok(Math.abs(colour.y - clock.y) < 2, `${width}x${height}: the colour is at ${colour.y}, the clock at ${clock.y}`);
        await p.shot(`form-${game}-${width}x${height}`);
      }
    }
    assert.deepEqual(found, []);
    await p.close();
  });

  test("the first page and the other pages that lead on fit every screen; a link to the form with a position shows it", async () => {
    const p = await Person.open(browser, server.base, { hasTouch: true });
    await p.page.route(/\/api\/games\?/, (r) => r.fulfill({ json: { games: [] } })); // lists are as long as there are games
    const found = [];
    for (const path of ["/", "/watch", "/puzzles", "/about"]) {
      await p.go(path);
      await p.page.locator("main svg.board, main p").first().waitFor();
      for (const [width, height] of path === "/" ? [[320, 568], ...sizes] : [[320, 568], [844, 390], [1280, 800]]) {
        await p.resize(width, height);
        for (const f of (await faults(p, path === "/" && width === 390 ? [".speed", ".foot a"] : [])).filter((f) => !/page scrolls/.test(f))) found.push(`${path}, ${width}x${height}: ${f}`);
        await p.shot(`place${path.replace("/", "-")}-${width}x${height}`);
      }
      await accessible(p, path);
    }
    assert.deepEqual(found, []);
    await p.go("/new?game=chess&position=4k3/8/8/8/8/8/8/Q3K3+w");
    await p.page.locator(".preview svg").waitFor();
    await p.close();
  });

  test("two people who press the same of several games play each other; one who waits is counted, and is offered an engine", async () => {
    const ada = await Person.open(browser, server.base, { name: "Ada Now", width: 390, height: 844 }), grace = await Person.open(browser, server.base, { name: "Grace Now" });
    await ada.go("/");
    await ada.page.getByRole("button", { name: /^Neighbors, 10\+5/ }).press("Enter");
    await ada.page.getByRole("button", { name: /^Connect6, 10\+5/ }).click();
    await ada.page.getByText("Looking for an opponent: Neighbors, Connect6").waitFor();
    await accessible(ada, "a search");
    await grace.go("/");
    await grace.page.getByRole("button", { name: "Connect6, 10+5, 1 waiting" }).waitFor();
    await accessible(grace, "somebody waits");
    await ada.page.getByRole("button", { name: /^Play an engine, level \d+: Neighbors$/ }).waitFor(); // after ten seconds
    await ada.shot("search");
    await ada.button("Cancel").press("Enter");
    await ada.page.waitForFunction(() => document.activeElement.matches(".speed")); // the button of a game that was searched for
    await ada.page.getByText("Choose a game and a clock.").waitFor();
    await grace.page.getByRole("button", { name: "Connect6, 10+5", exact: true }).click(); // nobody waits any more
    await grace.page.getByText("nobody else is waiting").waitFor();
    await ada.page.getByRole("button", { name: /^Connect6, 10\+5/ }).click();
    for (const p of [ada, grace]) {
      await p.page.waitForURL(/\/g\//);
      await p.page.waitForSelector('main[data-state="live"]');
    }
    const v = await server.view(ada.id);
    assert.deepEqual([v.game, v.clock, grace.id], ["connect6", { main: 600, increment: 5 }, ada.id]);
    assert.deepEqual([v.seats.first.name, v.seats.second.name].sort(), ["Ada Now", "Grace Now"]);
    await ada.button("Resign").waitFor(); // both have a seat
    await grace.button("Resign").click();
    await grace.button(/^Resign as/).click();
    for (const p of [ada, grace]) await p.close();
  });

  test("the engine that is offered plays, with the clock that was chosen", async () => {
    const p = await Person.open(browser, server.base);
    await p.page.route("**/api/seeks", (r) => (r.request().method() === "GET" ? r.continue() : r.fulfill({ contentType: "application/x-ndjson", body: '{"kind":"waiting","others":2}\n{"kind":"level","want":0,"level":"level:2"}\n' })));
    await p.go("/");
    await p.page.getByRole("button", { name: /^Othello, 3\+2/ }).click();
    await p.page.getByText("2 others are waiting").waitFor();
    await p.button("Play an engine, level 2: Othello").click();
    await p.page.waitForURL(/\/g\//);
    const v = await server.view(p.id);
    assert.deepEqual([v.clock, Object.values(v.seats).map((s) => s.engine ?? "").sort()], [{ main: 180, increment: 2 }, ["", "level:2"]]);
    await p.close();
  });

  test("the first page shows the best live game, move by move, and can stop it", async () => {
    const g = await opened({ game: "chess", clock: { main: 300 } });
    const p = await Person.open(browser, server.base);
    const row = await server.view(g.id);
    await p.page.route(/\/api\/games\?state=live/, (r) => r.fulfill({ json: { games: [row] } }));
    await p.go("/");
    await p.page.locator(`.tv a[href="/g/${g.id}"] svg.board`).waitFor();
    const last = () => p.page.locator(".tv .pieces, .tv svg.board").first().evaluate((e) => e.outerHTML.length);
    const before = await last();
    await p.page.locator(".tv").getByRole("button", { name: "Stop the game" }).click();
    await g.plays("e2e4");
    await p.page.waitForTimeout(1_200);
    assert.equal(await last(), before, "the stopped board moves");
    await p.page.locator(".tv").getByRole("button", { name: "Continue the game" }).click();
    await p.page.waitForFunction((n) => document.querySelector(".tv svg.board").outerHTML.length !== n, before);
    await p.close();
  });

  test("in lists, long names and results are shown whole", async () => {
    const p = await Person.open(browser, server.base, { hasTouch: true });
    const long = "Wilhelmina-Alexandra von Hohenzollern-Si"; // forty characters, which is all
    const view = await server.view((await opened({ game: "othello" })).id);
    const row = { ...view, state: "over", result: "first wins", reason: "abandonment", watching: 12, updated: new Date(Date.now() - 600_000).toISOString(), seats: { first: { name: long }, second: { name: long.toUpperCase() } } };
    await p.page.route(/\/api\/games\?/, (r) => r.fulfill({ json: { games: [row] } }));
    await p.go("/watch");
    await p.page.locator(".list-card li").first().waitFor();
    for (const [width, height] of sizes) {
      await p.resize(width, height);
      const cut = await p.page.evaluate(() => [...document.querySelectorAll(".list-card .line, .list-card .line > *")].filter((e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== "visible" || e.getBoundingClientRect().right > e.closest("li").getBoundingClientRect().right).map((e) => e.textContent));
      assert.deepEqual(cut, [], `${width}x${height}`);
    }
    await p.close();
  });

  test("the first page loads no texts of other pages until Settings needs them; other pages preload theirs", async () => {
    const p = await Person.open(browser, server.base, { fresh: true });
    const asked = [];
    p.page.on("request", (r) => { if (/words\./.test(r.url())) asked.push(new URL(r.url()).pathname.split("/").pop()); });
    await p.go("/");
    await p.page.locator(".tv svg.board").waitFor();
    assert.deepEqual(asked, []);
    await p.button("Settings").click();
    await p.page.getByRole("dialog").getByText("High contrast").waitFor();
    assert.deepEqual(asked, ["words.en.game.js"]);
    const { id } = await opened({ game: "loa" });
    for (const [path, parts] of [["/", []], ["/new", ["form"]], ["/watch", ["index"]], ["/g/" + id, ["game"]], ["/puzzles/loa", ["game", "study"]]]) {
      const html = await (await fetch(server.base + path)).text();
      assert.deepEqual([...html.matchAll(/modulepreload" href="\S+words\.en\.(\w+)\.js/g)].map((m) => m[1]), parts, path);
    }
    await p.close();
  });

  test("the first page is at most 65,500 bytes over the wire", async () => {
    const p = await Person.open(browser, server.base, { fresh: true });
    const cdp = await p.context.newCDPSession(p.page);
    await cdp.send("Network.enable");
    const sizes = {}, urls = {};
    cdp.on("Network.responseReceived", (e) => { urls[e.requestId] = e.response.url; });
    cdp.on("Network.loadingFinished", (e) => { if (urls[e.requestId] && !/board\.svg|\/api\/games\?/.test(urls[e.requestId])) sizes[new URL(urls[e.requestId]).pathname] = e.encodedDataLength; }); // lists are as long as there are games
    await p.go("/");
    await p.page.locator(".tv svg.board").waitFor();
    await p.page.waitForLoadState("networkidle");
    const all = Object.values(sizes).reduce((a, b) => a + b, 0);
    assert.ok(all > 10_000 && all <= 65_500, `${all} bytes: ${JSON.stringify(sizes)}`);
    const { id } = await opened({ game: "chess" });
    for (const path of [`/api/games/${id}`, `/api/games/${id}/board.svg`, "/"]) {
      assert.equal((await fetch(server.base + path)).headers.get("content-encoding"), "gzip", path);
    }
    await p.close();
  });

  test("finished games stay in one's list, newest first, with result and board; those called off do not", async () => {
    const p = await Person.open(browser, server.base);
    const ids = [];
    for (let i = 0; i < 8; i++) {
      const g = await opened({ game: i % 2 ? "loa" : "othello" });
      await p.context.addCookies([{ name: `quintet_${g.id}_first`, value: g.tokens[0], url: server.base }]);
      if (i !== 1) await g.post("resign", {}, i === 7 ? 0 : 1);
      ids.push(g.id);
    }
    const off = await request("", { game: "chess", as: "first", name: "Ada" });
    await p.context.addCookies([{ name: `quintet_${off.id}_first`, value: off.token, url: server.base }]);
    await request(`/${off.id}/resign`, {}, off.token);
    await p.context.addInitScript((list) => { if (!localStorage.getItem("quintet.games")) localStorage.setItem("quintet.games", JSON.stringify(list)); }, [...ids, off.id].map((id) => ({ id, at: 0 })));
    await p.go("/");
    const own = p.page.locator("section", { hasText: "Your finished games" });
    await own.waitFor();
    const rows = () => own.locator("li a").evaluateAll((list) => list.map((a) => [a.getAttribute("href").slice(3), a.querySelectorAll(".line")[2].textContent.split(" · ")[0]]));
    const over = [7, 6, 5, 4, 3, 2, 0].map((i) => [ids[i], i === 7 ? "You lost" : "You won"]);
    await p.page.waitForFunction(() => JSON.parse(localStorage.getItem("quintet.games")).filter((g) => g.over).length === 7);
    await p.go("/"); // now it is known which are over
    await own.waitFor();
    assert.deepEqual(await rows(), over.slice(0, 5));
    assert.equal(await p.page.locator("section", { hasText: "Your games" }).locator("li a").getAttribute("href"), "/g/" + ids[1]);
    await own.getByRole("button", { name: "Show more" }).click();
    await own.locator(`a[href="/g/${ids[0]}"]`).waitFor();
    assert.deepEqual(await rows(), over);
    assert.equal(await own.locator("li svg.board").count(), 7);
    await own.getByRole("link", { name: /^Lines of Action ?, Grace – Ada ?, You lost ?, View$/ }).waitFor(); // its parts do not run together
    await accessible(p, "finished games");
    await p.shot("finished");
    await p.close();
  });

  test("one's games in progress are above all else, and nothing moves when they are loaded", async () => {
    const p = await Person.open(browser, server.base, { width: 390, height: 844 });
    const g = await opened({ game: "loa" });
    await p.context.addCookies([{ name: `quintet_${g.id}_first`, value: g.tokens[0], url: server.base }]);
    await p.context.addInitScript((id) => localStorage.setItem("quintet.games", JSON.stringify([{ id, at: 0 }])), g.id);
    let answer;
    const asked = new Promise((done) => { answer = done; });
    await p.page.route("**/api/games/" + g.id, async (r) => { await asked; await r.fulfill({ json: { ...await (await r.fetch()).json(), updated: new Date(Date.now() - 3_600_000).toISOString(), seats: { first: { name: "A name of forty characters, which is all" }, second: { name: "B" } } } }); });
    await p.page.route(/\/api\/games\?/, (r) => r.fulfill({ json: { games: [] } })); // lists are as long as there are games
    await p.go("/");
    await p.page.locator(".speed").first().waitFor();
    const top = async () => (await p.page.locator(".playnow").boundingBox()).y;
    const before = await top();
    answer();
    const row = p.page.locator(".going li a");
    await row.waitFor();
    assert.ok(Math.abs(await top() - before) < 1, `what is below moves from ${before} to ${await top()}`);
    for (const [width, height] of sizes) {
      await p.resize(width, height);
      const box = await row.boundingBox();
      if (height >= 400) assert.ok(box.y + box.height <= height, `${width}x${height}: the game is at ${box.y}`); // a phone on its side has room for the form alone
      assert.deepEqual((await faults(p, [])).filter((f) => !/page scrolls/.test(f)), [], `${width}x${height}`);
    }
    await accessible(p, "a game in progress");
    await p.close();
  });

  test("games of people come first, and abandoned games against engines are not listed", async () => {
    const seat = (name, engine) => ({ name, ...(engine ? { engine } : {}) });
    const now = Date.now(), time = (ms) => new Date(now - ms).toISOString();
    const g = (id, first, second, ms) => ({ id, url: "/g/" + id, game: "othello", options: { size: "8" }, state: "live", clock: null, seats: { first, second }, ply: 3, result: "", reason: "", watching: 0, updated: time(ms) });
    const games = [
      g("engines", seat("a", "level:3"), seat("b", "level:3"), 1_000),
      g("left", seat("Ada"), seat("b", "level:3"), 3_600_000),
      g("against", seat("Ada"), seat("b", "level:3"), 60_000),
      g("people", seat("A name of forty characters, which is all"), seat("Grace Hopper, Rear Admiral of the Navy"), 7_200_000),
    ];
    const p = await Person.open(browser, server.base, { width: 390, height: 844 });
    await p.page.route(/\/api\/games\?/, (r) => r.fulfill({ json: { games: r.request().url().includes("state=live") ? games : [] } }));
    await p.page.route(/board\.svg/, (r) => r.abort());
    await p.go("/watch");
    const rows = p.page.locator("section", { hasText: "Live now" }).locator("li a");
    await rows.first().waitFor();
    assert.deepEqual(await rows.evaluateAll((list) => list.map((a) => a.getAttribute("href"))), ["/g/people", "/g/against", "/g/engines"]);
    const [a, b] = await rows.first().locator(".line").nth(1).locator("span").evaluateAll((list) => list.map((e) => e.getBoundingClientRect().width));
    assert.ok(a > ended && b > ended, `long names push one another out: ${a} and ${b}`);
    assert.match(await rows.first().locator(".line").nth(2).textContent(), /^2 hr\.? ago$/);
    await p.close();
  });

  test("a public game says that it is listed; two people on one device are not called unlisted; levels are explained", async () => {
    const p = await Person.open(browser, server.base);
    await p.go("/new");
    assert.equal(await p.page.locator('input[name="game"]:checked').inputValue(), "othello", "the first visit picks a game that people know");
    await p.page.locator(".level output", { hasText: "3 easy" }).waitFor();
    const slider = await p.page.locator('.level input[type="range"]').first().boundingBox();
    assert.ok(slider.height >= 44, `the slider is ${slider.height} pixels high`);
    await p.page.getByRole("radio", { name: "Find an opponent" }).check();
    await p.page.getByText("Your game is listed on the first page").waitFor();
    await setUp(p, "loa", { opponent: "Two players, one device", colour: "" });
    await p.page.locator(".facts", { hasText: "Lines of Action" }).waitFor();
    assert.equal(await p.page.getByText("by link only").count(), 0);
    await p.close();
  });

  test("the board beside the form plays a game of the chosen kind, and can be stopped", async () => {
    const p = await Person.open(browser, server.base, { reducedMotion: "no-preference" });
    await p.page.clock.install();
    await p.go("/new");
    const stones = () => p.page.locator(".demo .front .stone").count();
    await p.page.locator(".demo .stone").first().waitFor();
    await p.page.clock.pauseAt(Date.now() + 60_000); // the page's time stands from now on
    const before = await stones();
    await p.page.clock.runFor(1_500);
    assert.equal(await stones(), before + 1);
    await p.button("Stop the game").click();
    await p.page.clock.runFor(5_000);
    assert.equal(await stones(), before + 1);
    await p.page.clock.resume();
    await p.page.locator('input[name="game"][value="chess"]').check();
    await p.page.locator('.demo svg[data-game="chess"]').waitFor();
    await p.close();
  });
}
