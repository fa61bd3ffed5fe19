// The board editor: by mouse, finger and keys, from and to text, in all games.

import { test } from "node:test";
import assert from "node:assert/strict";
import { accessible, browser, schemes, server } from "./common.mjs";
import { faults } from "./faults.mjs";
import { sizes } from "./layout.mjs";
import { Person } from "./person.mjs";

const games = ["neighbors", "othello", "loa", "connect6", "chess"];
const text = (p) => p.page.getByLabel("Position as text").inputValue();
const said = (p) => p.page.locator("#rules-say").textContent();

/** editor opens the editor of a game. */
async function editor(game, { query = "", ...screen } = {}) {
  const p = await Person.open(browser, server.base, screen);
  await p.go(`/editor/${game}${query}`);
  await p.page.waitForSelector('main[data-ready="true"]');
  return p;
}

/** becomes waits until the text is another, and the rules have said what they think of it. */
async function becomes(p, wanted) {
  await p.page.waitForFunction((t) => document.querySelector(".text-form textarea")?.value === t, wanted);
}

/** read returns how the server writes a position, or the start. */
async function read(game, position) {
  const r = await fetch(server.base + "/api/replay", { method: "POST", body: JSON.stringify({ game, position }) });
  return r.ok ? (await r.json()).position : (await r.json()).error;
}

export default function () {
  for (const game of games) {
    test(`the editor of ${game}: every piece by mouse, and the address holds the position`, async () => {
      const p = await editor(game);
      assert.equal(await text(p), await read(game));
      await p.button("Clear board").click();
      const tools = p.page.locator(".palette input"), cells = p.page.locator('main [role="gridcell"]');
      const names = [];
      for (let i = 0; i < await tools.count() - 1; i++) {
        await tools.nth(i).check();
        names.push(await tools.nth(i).getAttribute("aria-label"));
        await cells.nth(20 + i).locator(".ground").click({ force: true });
        await cells.nth(20 + i).and(p.page.locator(`[aria-label$=", ${names[i]}"]`)).waitFor();
      }
      const side = (await text(p)).split(" ")[1];
      await p.page.getByRole("radio", { name: game === "chess" ? "Black" : "White", exact: true }).check();
      await p.page.waitForFunction((s) => document.querySelector(".text-form textarea").value.split(" ")[1] !== s, side);
      const wanted = await text(p);
      assert.equal(await read(game, wanted), wanted, "the server reads the text, and writes the same");
      await p.page.waitForFunction((t) => new URLSearchParams(location.search).get("position") === t, wanted);
      await accessible(p, `the editor of ${game}`);
      await p.shot(`editor-${game}`);
      const link = await p.page.getByLabel("Link to this position").inputValue();
      await p.page.goto(link);
      await becomes(p, wanted);
      assert.deepEqual(p.errors, []);
      await p.close();
    });
  }

  test("a stroke of the mouse paints every cell it crosses, a second click takes a piece away, the right button erases, and Undo goes back", async () => {
    const p = await editor("loa");
    await p.button("Clear board").click();
    const middle = async (name) => {
      const b = await p.cell(name).locator(".ground").boundingBox();
      return [b.x + b.width / 2, b.y + b.height / 2];
    };
    await p.page.mouse.move(...await middle("a3"));
    await p.page.mouse.down();
    await p.page.mouse.move(...await middle("h3"), { steps: 2 }); // faster than cells
    await p.page.mouse.up();
    await becomes(p, "8/8/8/BBBBBBBB/8/8/8/8 B");
    await p.cell("c3").locator(".ground").click({ force: true });
    await becomes(p, "8/8/8/BB1BBBBB/8/8/8/8 B");
    await p.cell("d3").locator(".ground").click({ force: true, button: "right" });
    await becomes(p, "8/8/8/BB2BBBB/8/8/8/8 B");
    for (const before of ["8/8/8/BB1BBBBB/8/8/8/8 B", "8/8/8/BBBBBBBB/8/8/8/8 B", "8/8/8/8/8/8/8/8 B", await read("loa")]) {
      await p.button("Undo").click();
      await becomes(p, before);
    }
    await p.close();
  });

  test("keys alone: pieces by their letters, announced, undone, and taken to a game", async () => {
    const p = await editor("chess");
    await p.hears();
    await p.button("Clear board").press("Enter");
    await p.heard(/^The board is empty\.$/);
    await p.button("Undo").press("Enter");
    await p.heard(/^Undone$/);
    assert.ok(await p.button("Undo").evaluate((e) => e === document.activeElement), "a button that can do no more keeps the focus");
    await p.button("Clear board").press("Enter");
    await p.page.waitForFunction(() => document.querySelector("#rules-say").textContent === "There is no king: at least one side must have its king.");
    assert.ok(await p.button("Play from here").isDisabled());
    assert.equal(await p.page.locator(".verdict-of-rules .state").textContent(), "Not a possible position");
    await p.page.locator('main [role="gridcell"][tabindex="0"]').focus();
    for (const [cell, key] of [["e1", "K"], ["e8", "k"], ["a7", "P"]]) {
      await p.walk(cell);
      await p.page.keyboard.press(key);
    }
    assert.equal(await p.page.locator('aside > [role="status"]').textContent(), "a7: White pawn");
    await p.walk("b7");
    await p.page.keyboard.press("Enter"); // the piece of the last key is chosen
    await becomes(p, "4k3/PP6/8/8/8/8/8/4K3 w - - 0 1");
    await p.page.keyboard.press("Enter"); // and is taken away again
    await p.page.keyboard.press("q");
    await p.page.keyboard.press("Control+z");
    await p.page.keyboard.press("Delete");
    await becomes(p, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    await p.page.getByRole("link", { name: "Play from here" }).press("Enter");
    await p.page.getByRole("heading", { name: "Position to continue from" }).waitFor();
    await p.page.locator(".preview svg.board").waitFor();
    await accessible(p, "a game from a position");
    await p.shot("editor-play");
    await p.page.getByRole("radio", { name: "Two players, one device" }).check();
    await p.page.locator("form.setup button.big").press("Enter");
    await p.page.waitForURL(/\/g\//);
    assert.equal((await server.view(p.id)).start, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    assert.deepEqual(p.errors, []);
    await p.close();
  });

  test("a text is read while it is typed; the rules' sentence moves nothing, and Escape brings the position back", async () => {
    const p = await editor("connect6");
    const field = p.page.getByLabel("Position as text");
    const boxes = () => p.page.evaluate(() => [...document.querySelectorAll("svg.board[role=grid], .panel button, .panel .button, .panel label")].map((e) => JSON.stringify(e.getBoundingClientRect())).join());
    await field.fill("5W/B5/6/6/6/6 W 1");
    await p.page.waitForSelector('[data-name="F0"][aria-label*="White stone"]');
    const before = await boxes();
    for (const [wrong, why] of [["5W/B5/6/6/6/6 W 3", /^Stones left "3": expected 1 or 2\.$/], ["5W/B5/6 W 1", /^Row 1|rows/], ["<b onclick=alert(1)>", /is missing/], ["7W/8 W 1", /row/]]) {
      await field.fill(wrong);
      await p.page.locator("#rules-say.trouble", { hasText: why }).waitFor();
      assert.equal(await boxes(), before, `the layout moves with ${wrong}`);
      assert.equal(await field.getAttribute("aria-invalid"), "true");
    }
    assert.equal(await p.page.locator(".how").count(), 0, "what is wrong has the place of how to paint");
    await accessible(p, "a text that is no position");
    await p.shot("editor-wrong");
    await field.press("Escape");
    await p.page.waitForSelector('main[data-wrong="false"]');
    assert.equal(await text(p), "5W/B5/6/6/6/6 W 1");
    await p.page.getByRole("radio", { name: "2" }).check();
    await becomes(p, "5W/B5/6/6/6/6 W 2");
    await p.page.getByLabel("Board size").selectOption("8"); // what is there stays, in the middle
    await becomes(p, "8/6W1/1B6/8/8/8/8/8 W 2");
    await field.fill("BBBBBB/6/6/6/6/6 W 2");
    await p.page.getByText("Black has won: the game is over here.").waitFor();
    assert.ok(await p.button("Play from here").isDisabled());
    await p.close();
  });

  test("an address with an impossible position shows the text and what is wrong with it", async () => {
    const p = await editor("othello", { query: "?position=" + encodeURIComponent("<img src=x onerror=alert(1)> X") });
    await p.page.waitForSelector('main[data-wrong="true"]');
    assert.equal(await text(p), "<img src=x onerror=alert(1)> X");
    assert.equal(await p.page.locator("main img").count(), 0);
    assert.equal((await p.go("/editor/go")).status(), 404);
    await p.close();
  });

  test("a finger paints a stroke, and comes closer first where cells are tiny", async () => {
    const p = await editor("othello", { width: 390, height: 844, hasTouch: true, isMobile: true });
    await p.page.getByRole("radio", { name: "Pit" }).check({ force: true }).catch(() => p.page.locator('.palette input[value="#"]').check({ force: true }));
    await p.drag("a1", "d1");
    await becomes(p, "####4/8/8/3XO3/3OX3/8/8/8 X");
    await p.page.getByLabel("Board size").selectOption("26");
    await p.page.waitForSelector('[data-name="z26"]');
    const before = await text(p);
    await p.cell("m20").locator(".ground").tap({ force: true });
    await p.page.waitForSelector("svg.board.close");
    assert.equal(await text(p), before, "the first tap comes closer");
    await p.cell("m20").locator(".ground").tap({ force: true });
    await p.page.waitForFunction((t) => document.querySelector(".text-form textarea").value !== t, before);
    assert.match(await p.cell("m20").getAttribute("aria-label"), /pit$/);
    await accessible(p, "the editor on a phone");
    assert.deepEqual(p.errors, []);
    await p.close();
  });

  test("the editor fits every screen, and passes axe in every theme", async () => {
    for (const game of ["chess", "connect6"]) {
      const p = await editor(game, { hasTouch: true });
      const found = [];
      for (const [width, height] of sizes) {
        await p.resize(width, height);
        for (const f of await faults(p, ["main svg.board", ".palette label", ".state"])) found.push(`${game}, ${width}x${height}: ${f}`);
        const empty = await p.page.evaluate(() => document.querySelector(".pairs").getBoundingClientRect().top - document.querySelector(".how").getBoundingClientRect().bottom);
        if (empty < 0 || empty > 42) found.push(`${game}, ${width}x${height}: ${empty} pixels are empty above the settings`);
        if (width === 320 || height === 390) await accessible(p, `${game}, ${width}x${height}`);
        await p.shot(`editor-${game}-${width}x${height}`);
      }
      if (game === "chess") await p.page.getByLabel("Position as text").fill("kk6/8/8/8/8/8/8/K7 w - - 0 1");
      else await p.page.getByLabel("Position as text").fill("5W/B5/6/6/6/6 W 3");
      await p.page.locator("#rules-say.trouble").waitFor();
      for (const [width, height] of sizes) {
        await p.resize(width, height);
        const over = await p.page.evaluate(() => document.querySelector(".trouble").getBoundingClientRect().bottom - document.querySelector(".pairs").getBoundingClientRect().top);
        if (over > 0) found.push(`${game}, ${width}x${height}: what is wrong covers ${over} pixels of the settings`);
      }
      assert.deepEqual(found, []);
      await p.close();
    }
    const p = await editor("othello");
    for (const screen of schemes) {
      await p.prefers(screen);
      await accessible(p, `the editor, ${JSON.stringify(screen)}`);
      const look = (selector) => p.page.locator(selector).first().evaluate((e) => getComputedStyle(e).borderTopColor);
      assert.notEqual(await look(".palette label:has(:checked)"), await look(".palette label:not(:has(:checked))"));
      await p.shot(`editor-${Object.values(screen)[0]}`);
    }
    await p.close();
  });
}
