// The pages at every width, in every theme: axe, and that nothing on them moves.

import { test } from "node:test";
import assert from "node:assert/strict";
import { accessible, browser, server, setUp } from "./common.mjs";
import { Person } from "./person.mjs";
import { opened, seated } from "./seats.mjs";

export default function () {
  for (const width of [390, 768, 1280]) {
    test(`the pages at ${width} pixels, light and dark, pass axe and do not shift`, async () => {
      const ids = {};
      for (const game of ["neighbors", "othello", "loa", "connect6", "chess"]) {
        const r = await fetch(server.base + "/api/games", { method: "POST", body: JSON.stringify({ game, options: game === "connect6" ? { size: "11" } : {}, clock: { main: 300, increment: 2 }, seats: { first: "open", second: "level:1" }, as: "first", name: "Ada" }) });
        ids[game] = await r.json();
      }
      for (const colorScheme of ["light", "dark"]) {
        const p = await Person.open(browser, server.base, { width, height: width < 500 ? 844 : 900, colorScheme, fresh: true, drawn: true });
        await p.context.addInitScript(() => {
          window.shift = 0;
          new PerformanceObserver((l) => { for (const e of l.getEntries()) if (!e.hadRecentInput) window.shift += e.value; }).observe({ type: "layout-shift", buffered: true });
        });
        await p.go("/");
        await p.page.locator(".tv svg.board").waitFor();
        await accessible(p, "home");
        await p.shot(`home-${width}-${colorScheme}`);
        await p.go(colorScheme === "light" ? "/new" : "/watch");
        await p.page.locator(".tile, .tv svg.board").first().waitFor();
        await accessible(p, "form or watch");
        for (const [game, made] of Object.entries(ids)) { // each game in one of the schemes
          if ((Object.keys(ids).indexOf(game) % 2 === 0) !== (colorScheme === "light")) continue;
          await p.context.addCookies([{ name: `quintet_${made.id}_first`, value: made.token, url: server.base }]);
          await p.go("/g/" + made.id);
          await p.page.waitForSelector("svg.board");
          await accessible(p, game);
          await p.shot(`${game}-${width}-${colorScheme}`);
          const shift = await p.page.evaluate(() => window.shift);
          assert.ok(shift < 0.02, `${game}: the layout shifts by ${shift}`);
        }
        assert.deepEqual(p.errors, []);
        await p.close();
      }
    });
  }

  test("what is opened on the pages passes axe, in every theme, and so does a game that is over", async () => {
    const p = await Person.open(browser, server.base, { width: 390, height: 844 });
    await p.go("/new?game=othello");
    await p.more();
    await p.page.getByLabel("Board size").fill("6");
    await p.page.locator(".pits summary").click();
    await p.page.getByLabel("Clock").selectOption("own");
    await p.more();
    await accessible(p, "set-up, opened");
    await p.shot("setup-opened");
    await p.button("Settings").click();
    const small = await p.page.locator("input:not([type=radio], [type=checkbox], [type=range]), select, textarea").evaluateAll((list) => list.filter((i) => parseFloat(getComputedStyle(i).fontSize) < 16).map((i) => i.outerHTML));
    assert.deepEqual(small, [], "an iPhone comes closer to fields with small letters");
    for (const [theme, ground] of [["Dark", "rgb(20, 23, 26)"], ["High contrast", "rgb(0, 0, 0)"], ["Light", "rgb(245, 242, 236)"]]) {
      await p.page.getByRole("radio", { name: theme }).check();
      await accessible(p, `settings, ${theme}`);
      for (const colorScheme of ["light", "dark"]) { // what was chosen holds on every device
        await p.page.emulateMedia({ colorScheme });
        assert.equal(await p.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), ground, `${theme} on a ${colorScheme} device`);
      }
    }
    await p.page.emulateMedia({ colorScheme: "light" });
    await p.page.getByRole("radio", { name: "High contrast" }).check();
    await p.button("Done").click();
    await p.page.getByLabel("Clock").selectOption("none");
    await p.page.getByRole("radio", { name: "Two players, one device" }).check();
    await p.page.locator("form.setup button.big").click();
    await p.page.waitForURL(/\/g\//); // the board for choosing pits is on the page before
    await p.page.waitForSelector("svg.board");
    for (let ply = 0; ply < 3; ply++) {
      const v = await server.until(p.id, (w) => w.ply === ply, `ply ${ply}`);
      await p.ready(ply);
      await p.byMouse(v, v.legal[0]);
    }
    await p.ready(3);
    await p.button("Resign").click();
    await p.button(/^Resign as/).click();
    await p.page.locator(".over summary").click();
    await accessible(p, "over");
    await p.shot("over-contrast");
    assert.deepEqual(p.errors, []);
    await p.close();
  });

  test("your games are the unfinished ones, however many are over, in all windows", async () => {
    const post = async (path, body, token) => (await fetch(server.base + "/api/games" + path, { method: "POST", body: JSON.stringify(body), headers: token ? { Authorization: "Bearer " + token } : {} })).json();
    const over = [];
    for (let i = 0; i < 9; i++) {
      const made = await post("", { game: "chess", as: "first", name: "Ada" });
      await post(`/${made.id}/resign`, {}, made.token);
      over.push({ id: made.id, at: 0 });
    }
    const p = await Person.open(browser, server.base);
    await setUp(p, "neighbors");
    const id = p.id;
    await p.page.evaluate((list) => localStorage.setItem("quintet.games", JSON.stringify([...list, ...JSON.parse(localStorage.getItem("quintet.games"))])), over);
    const other = await p.window();
    await other.go("/");
    await other.page.locator(`a[href="/g/${id}"]`, { hasText: "Continue" }).waitFor();
    await other.shot("your-games");
    await setUp(other, "loa");
    await post(`/${id}/seats/second`, { name: "Grace" }); // the first window hears of it, and knows the list as it was
    await p.page.waitForSelector('main[data-state="live"]');
    const kept = await p.page.evaluate(() => JSON.parse(localStorage.getItem("quintet.games")).map((g) => g.id));
    assert.deepEqual(kept, [id, other.id], "finished games are forgotten, the others are not");
    await p.close();
  });

  test("your games say where it is your turn, those first, however many there are; and those whose seat is lost are not yours", async () => {
    const post = async (path, body, token) => (await fetch(server.base + "/api/games" + path, { method: "POST", body: JSON.stringify(body), headers: token ? { Authorization: "Bearer " + token } : {} })).json();
    const p = await Person.open(browser, server.base, { width: 390, height: 844 });
    const ids = [];
    for (let i = 0; i < 12; i++) { // the second seat is Ada's: after a move in games 3 and 9, it is her turn there
      const made = await post("", { game: "chess", clock: { days: 3 }, as: "first", name: "Grace", private: i === 5 });
      const mine = await post(`/${made.id}/seats/second${made.key ? `?key=${made.key}` : ""}`, { name: "Ada" });
      if (i !== 7) await p.context.addCookies([{ name: `quintet_${made.id}_second`, value: mine.token, url: server.base }]);
      if (i === 3 || i === 9) await post(`/${made.id}/moves`, { move: "e2e4", ply: 0 }, made.token);
      ids.push(made.id);
    }
    await p.context.addInitScript((list) => localStorage.setItem("quintet.games", JSON.stringify(list)), ids.map((id) => ({ id, at: 0 })));
    await p.go("/");
    const own = p.page.locator("section", { hasText: "Your games" });
    await own.waitFor();
    await own.getByRole("button", { name: "Show more" }).press("Enter");
    await p.focused(".going li:nth-child(3) a"); // Tab goes to the first game that was not shown
    const rows = await own.locator("li a").evaluateAll((list) => list.map((a) => [a.getAttribute("href").slice(3), a.querySelector(".go").textContent]));
    const others = ids.filter((_, i) => ![3, 7, 9].includes(i)).map((id) => [id, "Continue"]);
    assert.deepEqual(rows, [[ids[3], "Your turn"], [ids[9], "Your turn"], ...others]);
    await accessible(p, "games of one's own");
    await own.scrollIntoViewIfNeeded();
    await p.shot("your-turn");
    await p.page.route("**/api/games/*", async (r) => { // it is Ada's turn in the game that is asked for last, too, before long
      const v = await (await r.fetch()).json();
      await r.fulfill({ json: v.id === ids[11] ? { ...v, turn: "second" } : v });
    });
    await own.locator(`a[href="/g/${ids[11]}"]`, { hasText: "Your turn" }).waitFor();
    await p.close();
  });

  test("a record is offered in the forms that can express the game, and in no other", async () => {
    const over = async (setup) => {
      const post = async (path, body, token) => (await fetch(server.base + "/api/games" + path, { method: "POST", body: JSON.stringify(body), headers: { Authorization: "Bearer " + token } })).json();
      const made = await post("", { game: "othello", as: "first", name: "Ada", ...setup });
      await post(`/${made.id}/seats/second`, { name: "Grace" });
      await post(`/${made.id}/resign`, {}, made.token);
      return made.id;
    };
    const p = await Person.open(browser, server.base, { width: 390, height: 844 });
    const pictures = ["Picture (PNG)", "Picture (SVG)", "Animation (GIF)"];
    for (const [setup, forms] of [[{}, ["Quintet record", "GGF", "SGF", "Console input", "Moves", "Transcript"]], [{ options: { pits: "a1,h8" } }, ["Quintet record", "Console input", "Moves"]]]) {
      await p.go("/g/" + await over(setup));
      await p.page.locator(".over summary").click();
      await p.page.getByRole("link", { name: "Moves" }).waitFor();
      assert.deepEqual(await p.page.locator(".forms a").allTextContents(), [...forms, ...pictures]);
      for (const href of await p.page.locator(".forms a").evaluateAll((list) => list.map((a) => a.href))) assert.equal((await fetch(href)).status, 200, href);
    }
    await p.page.locator(".forms").scrollIntoViewIfNeeded();
    await p.shot("forms");
    await p.close();
  });

  test("where the device forces its colours, what is chosen differs from what is not, and pieces do", async () => {
    const made = await (await fetch(server.base + "/api/games", { method: "POST", body: JSON.stringify({ game: "othello", clock: { main: 300 }, as: "first", name: "Ada" }) })).json();
    const p = await Person.open(browser, server.base, { width: 768, height: 900, forcedColors: "active" });
    await p.context.addCookies([{ name: `quintet_${made.id}_first`, value: made.token, url: server.base }]);
    const look = (selector) => p.page.locator(selector).first().evaluate((e) => {
      const { backgroundColor, borderTopColor } = getComputedStyle(e);
      return [backgroundColor, borderTopColor].join();
    });
    const differ = async (chosen, other) => assert.notEqual(await look(chosen), await look(other), `${chosen} looks as ${other} does`);
    await p.go("/new");
    await p.page.waitForSelector(".tile");
    await differ(".tile:has(:checked)", ".tile:not(:has(:checked))");
    await differ(".choice input:checked + span", ".choice input:not(:checked) + span");
    await accessible(p, "home, forced colours");
    await p.shot("forced-home");
    await p.go("/g/" + made.id);
    await fetch(`${server.base}/api/games/${made.id}/seats/second`, { method: "POST", body: '{"name":"Grace"}' });
    await p.page.waitForSelector('main[data-state="live"]');
    const v = await server.view(made.id);
    await p.byMouse(v, v.legal[0]);
    await p.ready(1);
    await differ(".clock.runs", ".clock:not(.runs)");
    await differ(".seat.turn", ".seat:not(.turn)");
    await differ(".move[aria-current]", ".panel");
    const inside = await p.page.locator(".steps button").first().evaluate((e) => getComputedStyle(e).borderTopColor === getComputedStyle(document.documentElement).backgroundColor);
    assert.ok(inside, "the buttons of a frame have frames of their own");
    const fill = (stone) => p.page.locator(`main .board .stone.${stone} circle`).first().evaluate((e) => getComputedStyle(e).fill);
    assert.notEqual(await fill("black"), await fill("white"));
    await accessible(p, "a game, forced colours");
    await p.shot("forced-game");
    await p.go("/learn/othello");
    await p.page.locator('[data-phase="asked"]').waitFor();
    const step = p.page.locator(".lesson-steps [aria-current]");
    const behind = (e) => getComputedStyle(e).backgroundColor;
    assert.notEqual(await step.evaluate(behind), await p.page.locator("html").evaluate(behind), "the current step looks as others do");
    await step.hover();
    assert.equal(await step.evaluate(behind), await p.page.evaluate(() => { // not the pale ground of other steps that are pointed at
      const e = document.body.appendChild(document.createElement("i"));
      e.style.cssText = "forced-color-adjust: none; background: Highlight";
      const { backgroundColor } = getComputedStyle(e);
      e.remove();
      return backgroundColor;
    }));
    await accessible(p, "a lesson, forced colours");
    const attacks = await opened({ game: "chess" });
    await attacks.plays("e2e4", "f7f5", "d1h5");
    const attacked = await seated(attacks, { forcedColors: "active" }, 1);
    const notice = await attacked.page.locator(".kings").evaluate((e) => [e, document.documentElement].map((n) => getComputedStyle(n)).map((s) => `${s.backgroundColor} ${s.color}`).concat(getComputedStyle(e).outlineStyle));
    assert.deepEqual(notice, [notice[1], notice[1], "solid"], "the notice of an attacked king has the device's colours and a frame");
    await attacked.close();
    await p.close();
  });

  test("a forced pass is played after a moment, and announced to both players", async () => {
    const p = await Person.open(browser, server.base);
    await p.go("/new");
    await p.page.locator('input[name="game"][value="loa"]').check();
    await p.page.getByRole("radio", { name: "Two players, one device" }).check();
    await p.more();
    await p.page.getByLabel(/^Start position/).fill("BW6/WW6/8/8/8/8/6WW/6WB B");
    await p.page.locator("form.setup button.big").click();
    await p.page.locator(".status", { hasText: "Black has no legal move and passes." }).waitFor();
    await p.shot("pass");
    await p.page.locator("[data-announce]", { hasText: "Black passes: no legal move." }).waitFor({ state: "attached" });
    await p.page.locator(".toast", { hasText: "Black passes: no legal move." }).waitFor();
    assert.deepEqual((await server.view(p.id)).moves, ["pass"]);
    await p.close();
  });
}
