// How boards look and move: contrast in every theme and material, discs that turn,
// captures that fade, and none of it for those who want none.

import { test } from "node:test";
import assert from "node:assert/strict";
import { accessible, browser, server } from "./common.mjs";
import { faults } from "./faults.mjs";
import { Person } from "./person.mjs";
import { opened, seated } from "./seats.mjs";

/** lacking lists the pairs of colours of a page that contrast too little, as WCAG 2.2 computes it. */
const lacking = (p) => p.page.evaluate(() => {
  const found = [];
  const channel = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const luminance = (rgb) => { const [r, g, b] = rgb.match(/[\d.]+/g).map((n) => channel(n / 255)); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const contrast = (a, b) => { const [x, y] = [luminance(a), luminance(b)].sort((m, n) => n - m); return (x + 0.05) / (y + 0.05); };
  const colour = (at, name) => {
    const e = at.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "rect"));
    e.style.fill = `var(${name})`;
    const { fill } = getComputedStyle(e);
    e.remove();
    return fill;
  };
  const want = (where, at, names, grounds, least) => {
    for (const ground of grounds) {
      const best = Math.max(...names.map((n) => contrast(colour(at, n), colour(at, ground))));
      if (best < least) found.push(`${where}: ${names.join(" or ")} on ${ground}: ${best.toFixed(2)}, want ${least}`);
    }
  };
  for (const board of document.querySelectorAll(".tile svg.board")) {
    const game = board.dataset.game, grounds = game === "othello" || game === "connect6" ? ["--pale"] : ["--pale", "--dark"];
    want(game, board, ["--hint"], grounds, 3);
    for (const side of ["--one", "--two"]) want(game, board, [side, side + "-edge"], grounds, 3);
    want(game, board, ["--rim-text"], ["--rim", "--rim-light"], 4.5);
    want(game, board, ["--pit-line"], ["--pit"], 3);
    if (game === "connect6") want(game, board, ["--ink"], ["--pale"], 3);
  }
  const page = document.querySelector("svg.defs");
  for (const name of ["--text", "--soft", "--main", "--warn"]) want("page", page, [name], ["--page", "--card"], 4.5);
  want("page", page, ["--main-text"], ["--main", "--main-over"], 4.5);
  want("page", page, ["--text"], ["--wash"], 4.5);
  want("page", page, ["--warn"], ["--warn-wash"], 4.5);
  return found;
});

export default function () {
  test("pieces, dots, labels and texts have enough contrast, in every theme and on every board", async () => {
    const p = await Person.open(browser, server.base);
    await p.go("/new");
    await p.page.waitForSelector(".tile");
    const found = [];
    for (const theme of ["light", "dark", "contrast"]) for (const material of ["own", "wood", "slate"]) {
      await p.page.evaluate(([t, m]) => Object.assign(document.documentElement.dataset, { theme: t, material: m }), [theme, material]);
      for (const f of await lacking(p)) found.push(`${theme}, ${material}: ${f}`);
    }
    assert.deepEqual(found, []);
    await p.close();
  });

  test("discs turn along their lines, one after another; with motion switched off nothing moves", async () => {
    for (const [what, screen, setting, moves] of [["as usual", {}, null, true], ["on a device that wants less", { reducedMotion: "reduce" }, null, false], ["switched off", {}, "false", false]]) {
      const g = await opened({ game: "othello", position: "XOOO2/6/6/6/6/6 X" });
      const p = await Person.open(browser, server.base, { reducedMotion: "no-preference", ...screen });
      if (setting) await p.context.addInitScript((v) => localStorage.setItem("quintet.motion", v), setting);
      await p.go("/g/" + g.id);
      await p.page.waitForSelector("main svg.board");
      await g.plays("e1");
      await p.ready(1);
      const turns = await p.page.locator("main .turns").evaluateAll((list) => list.map((e) => {
        const [front, old] = [e.querySelector(".front"), e.querySelector(".old")].map((f) => getComputedStyle(f));
        return [e.closest(".cell").dataset.name, parseFloat(front.animationDelay), front.animationName !== "none", old.animationName === "none" && old.opacity === "0"];
      }));
      assert.deepEqual(turns.map((t) => t[0]), ["b1", "c1", "d1"]);
      if (moves) assert.ok(turns[2][1] < turns[1][1] && turns[1][1] < turns[0][1], `they turn at ${turns.map((t) => t[1])}`);
      for (const t of turns) assert.deepEqual(t.slice(2), moves ? [true, false] : [false, true], what);
      await p.close();
    }
  });

  test("a captured piece fades where it stood, and a step through the game that is no move shows nothing of it", async () => {
    const g = await opened({ game: "chess" });
    await g.plays("e2e4", "d7d5");
    const p = await seated(g);
    await p.ready(2);
    await g.plays("e4d5");
    await p.ready(3);
    assert.equal(await p.cell("d5").locator(".gone .man.black").count(), 1);
    await p.button("To the start").click();
    assert.equal(await p.page.locator("main .gone, main .turns").count(), 0);
    await p.close();
  });

  test("stones have shadows, but not those of boards with more than 19 columns, where they would double the time of painting", async () => {
    for (const [size, shown] of [["8", true], ["26", false]]) {
      const p = await seated(await opened({ game: "othello", options: { size } }));
      assert.equal(await p.page.locator("main svg.board .shade").first().isVisible(), shown, `${size} columns`);
      await p.close();
    }
  });

  test("boards and pieces can be chosen, and the choice is kept", async () => {
    const p = await Person.open(browser, server.base, { width: 390, height: 844 });
    await p.go("/new");
    const look = () => p.page.evaluate(() => [getComputedStyle(document.querySelector(".demo .pales")).fill, getComputedStyle(document.querySelector(".demo .stone circle")).fill]);
    await p.page.locator(".demo .pales").waitFor();
    const before = await look();
    await p.button("Settings").click();
    await p.page.getByRole("dialog").waitFor();
    await accessible(p, "settings");
    await p.page.getByRole("radio", { name: "Slate" }).check();
    await p.page.getByRole("radio", { name: "Plain" }).check();
    await p.shot("settings-slate");
    await p.button("Done").click();
    await p.go("/new");
    await p.page.locator(".demo .pales").waitFor();
    const after = await look();
    assert.ok(before[0] !== after[0] && before[1] !== after[1], `${before} and ${after}`);
    await p.close();
  });

  test("Settings are seen whole on tablets and desktops", async () => {
    const p = await Person.open(browser, server.base);
    await p.go("/new");
    await p.button("Settings").click();
    for (const [width, height] of [[768, 1024], [1024, 768], [1280, 800]]) {
      await p.resize(width, height);
      const hidden = await p.page.getByRole("dialog").evaluate((e) => [...e.querySelectorAll("input")].filter((i) => {
        const { x, y, width, height } = i.getBoundingClientRect();
        return document.elementFromPoint(x + width / 2, y + height / 2) !== i;
      }).map((i) => i.parentElement.textContent));
      assert.deepEqual(hidden, [], `what is hidden or covered at ${width}x${height}`);
    }
    await p.close();
  });

  test("Othello has four dots, Connect6 nine, where lines cross, and other boards have none", async () => {
    // Of the middle of each dot, the cells it touches; and whether it can be told from the board.
    const dots = (p) => p.page.evaluate(() => [...document.querySelectorAll("main .grid circle, main .lines circle")].map((e) => {
      const b = e.getBoundingClientRect(), [x, y] = [b.x + b.width / 2, b.y + b.height / 2];
      const near = [...document.querySelectorAll('main [role="gridcell"]')].filter((c) => {
        const g = c.querySelector(".ground").getBoundingClientRect();
        return x > g.left - 1 && x < g.right + 1 && y > g.top - 1 && y < g.bottom + 1;
      });
      const [dot, board] = [e, document.querySelector("main .pales")].map((s) => getComputedStyle(s).fill), seen = b.width >= 2 && dot.startsWith("rgb(") && dot !== board;
      return `${near.map((c) => c.dataset.name).join(" ")}${seen ? "" : " unseen"}`;
    }));
    const stars = ["D3", "J3", "P3", "D9", "J9", "P9", "D15", "J15", "P15"];
    const boards = [
      ["othello", {}, ["b2 c2 b3 c3", "f2 g2 f3 g3", "b6 c6 b7 c7", "f6 g6 f7 g7"]], ["othello", { size: "6" }, ["b2 c2 b3 c3", "d2 e2 d3 e3", "b4 c4 b5 c5", "d4 e4 d5 e5"]],
      ["othello", { size: "26" }, ["b2 c2 b3 c3", "x2 y2 x3 y3", "b24 c24 b25 c25", "x24 y24 x25 y25"]], ["connect6", {}, stars], ["loa", {}, []], ["neighbors", {}, []], ["chess", {}, []],
    ];
    const made = await Promise.all(boards.map(([game, options]) => opened({ game, options })));
    for (const screen of [{}, { contrast: "more" }]) {
      const p = await Person.open(browser, server.base, screen); // one window: another one would load all scripts again
      for (const [i, [game, options, want]] of boards.entries()) {
        await p.go("/g/" + made[i].id);
        await p.page.waitForSelector("main svg.board");
        assert.deepEqual(await dots(p), want, `${game} ${JSON.stringify(options)} ${JSON.stringify(screen)}`);
      }
      await p.close();
    }
  });

  test("high contrast, chosen or asked for by the device, has a board of its own, and Settings say so", async () => {
    const p = await Person.open(browser, server.base, { contrast: "more" });
    await p.go("/new");
    await p.page.locator(".demo .pales").waitFor();
    await p.button("Settings").click();
    const dialog = p.page.getByRole("dialog"), own = dialog.getByRole("group", { name: "Board: high contrast has its own" });
    const fills = () => p.page.evaluate(() => ["own", "wood", "slate"].map((m) => {
      document.documentElement.dataset.material = m;
      return [".pales", ".material"].map((s) => getComputedStyle(document.querySelector(`.demo ${s}`)).fill).join(" ");
    }));
    const noEffect = async (what) => {
      await own.waitFor();
      assert.ok(await dialog.getByRole("radio", { name: "Slate" }).isDisabled(), what);
      assert.ok(await dialog.getByRole("radio", { name: "Plain" }).isEnabled(), what);
      assert.equal(new Set(await fills()).size, 1, what);
    };
    const effect = async (what) => {
      await dialog.getByRole("group", { name: "Board", exact: true }).waitFor();
      assert.ok(await dialog.getByRole("radio", { name: "Slate" }).isEnabled(), what);
      assert.equal(new Set(await fills()).size, 3, what);
    };
    await noEffect("the device asks for contrast");
    await accessible(p, "settings in high contrast");
    await p.page.emulateMedia({ contrast: "no-preference" });
    await effect("the device asks for it no longer");
    await dialog.getByRole("radio", { name: "High contrast" }).check();
    await noEffect("it is chosen");
    await dialog.getByRole("radio", { name: "Dark" }).check();
    await effect("another theme is chosen");
    await p.page.emulateMedia({ forcedColors: "active" });
    await effect("forced colours leave boards as they are");
    await p.close();
  });

  test("the board's corner makes it smaller by mouse and keys, within limits; that is kept, and screens for fingers have no corner", async () => {
    const g = await opened({ game: "othello" });
    const p = await seated(g);
    const corner = p.page.getByRole("slider", { name: "Size of the board" });
    const width = async () => Math.round((await p.page.locator(".boardbox").boundingBox()).width);
    const whole = await width();
    const at = async () => { const b = await corner.boundingBox(); return [b.x + b.width / 2, b.y + b.height / 2]; };
    const drag = async (dx, dy) => {
      const [x, y] = await at();
      await p.page.mouse.move(x, y);
      await p.page.mouse.down();
      await p.page.mouse.move(x + dx, y + dy, { steps: 4 });
      await p.page.mouse.up();
    };
    await drag(-20, -120);
    assert.ok(Math.abs((await width()) - (whole - 120)) < 8, `${await width()} of ${whole}`);
    await p.go("/g/" + g.id);
    await corner.waitFor();
    assert.ok(Math.abs((await width()) - (whole - 120)) < 8, "it is kept");
    await drag(-900, -900);
    assert.equal(await corner.getAttribute("aria-valuenow"), "50");
    assert.deepEqual(await faults(p, ["main svg.board", ".state", ".steps button", ".bar.actions .act"]), []);
    await corner.focus();
    await p.page.keyboard.press("ArrowRight");
    assert.equal(await corner.getAttribute("aria-valuenow"), "55");
    await p.page.keyboard.press("End");
    await p.page.keyboard.press("ArrowUp");
    assert.equal(await width(), whole);
    assert.equal((await server.view(g.id)).ply, 0);
    await accessible(p, "the corner");
    await p.close();
    const phone = await seated(g, { width: 844, height: 390, hasTouch: true, isMobile: true });
    assert.equal(await phone.page.getByRole("slider").count(), 0);
    await phone.close();
  });

  test("animation can be slower or faster, and a volume can be chosen", async () => {
    const g = await opened({ game: "othello", position: "XOOO2/6/6/6/6/6 X" });
    const p = await seated(g, { reducedMotion: "no-preference" });
    await p.button("Settings").click();
    await p.page.getByRole("radio", { name: "Slow" }).check();
    await p.page.getByLabel("Volume").fill("25");
    await p.button("Done").click();
    await g.plays("e1");
    await p.ready(1);
    const front = await p.cell("d1").locator(".front").evaluate((e) => getComputedStyle(e).animationDuration);
    assert.equal(front, "0.5s");
    assert.deepEqual(await p.page.evaluate(() => ["speed", "volume"].map((k) => localStorage.getItem("quintet." + k))), ["2", "25"]);
    await p.button("Settings").click();
    await p.page.getByRole("radio", { name: "Off" }).check();
    assert.equal(await p.cell("d1").locator(".front").evaluate((e) => getComputedStyle(e).animationName), "none");
    await p.close();
  });
}
