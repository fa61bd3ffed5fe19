// Scenes: the states of the pages that people look at, made the same way every time.
// gallery.mjs photographs all of them at every size; golden.mjs compares a dozen of
// them with pictures in the tree.

import { readFileSync } from "node:fs";
import { browser, server } from "./common.mjs";
import { opened, request, seated } from "./seats.mjs";
import { Person } from "./person.mjs";

const demo = JSON.parse(readFileSync(new URL("../ui/demo.json", import.meta.url)));
export const games = Object.keys(demo);
const clock = { main: 600, increment: 5 };

/** themes are options of a window that choose how pages look. */
export const themes = { light: {}, dark: { colorScheme: "dark" }, contrast: { contrast: "more" }, forced: { forcedColors: "active" } };

/** setUp opens a game of a kind at the size that the first page demonstrates. */
const setUp = (game, more = {}) => opened({ game, ...(demo[game].size ? { options: { size: demo[game].size, ...more.options } } : more.options ? { options: more.options } : {}), ...more.body });

/** played opens a game after a part of the moves of its demonstration. */
async function played(game, part, more) {
  const g = await setUp(game, more), moves = demo[game].moves.split(" ");
  await g.plays(...moves.slice(0, Math.floor(moves.length * part)));
  return g;
}

/** first opens the first page with given lists of games. */
async function first({ path = "/", ...screen }, lists = {}) {
  const p = await Person.open(browser, server.base, screen);
  await p.page.route(/\/api\/games\?/, (r) => r.fulfill({ json: { games: lists[new URL(r.request().url()).searchParams.get("state")] ?? [] } }));
  await p.go(path);
  await p.page.locator(".demo svg.board").waitFor();
  return p;
}

/** crowd are lists of the first page with games in them; the boards are those of real games. */
async function crowd() {
  const g = [];
  for (const game of games) g.push(await server.view((await played(game, 0.4)).id));
  const seat = (name, engine) => ({ name, ...(engine ? { engine } : {}) });
  const row = (i, seats, more = {}) => ({ ...g[i], updated: new Date(Date.now() - (i + 1) * 61_000).toISOString(), watching: i % 3, seats, ...more });
  return {
    open: [row(0, { first: seat("Wilhelmina-Alexandra") }, { clock }), row(2, { second: seat("Kim") })],
    live: [row(1, { first: seat("Ada"), second: seat("Grace") }, { clock }), row(4, { first: seat("Donald"), second: seat("", "level:3") }), row(3, { first: seat("Alan"), second: seat("Emmy") })],
    over: [row(4, { first: seat("Barbara"), second: seat("Edsger") }, { state: "over", result: "first wins", reason: "resignation" })],
  };
}

const look = async (g, screen) => {
  const p = await seated(g, screen);
  await p.page.locator(".steps").waitFor({ state: "attached" });
  return p;
};

/** page opens a page with a board. */
async function page(path, screen) {
  const p = await Person.open(browser, server.base, screen);
  await p.go(path);
  await p.page.locator("main svg.board").waitFor();
  return p;
}

const kinds = {};
for (const game of games) {
  kinds[`${game}-begin`] = async (s) => look(await setUp(game, { body: { clock } }), s);
  kinds[`${game}-middle`] = async (s) => look(await played(game, 0.5, { body: { clock } }), s);
  kinds[`${game}-end`] = async (s) => {
    const g = await played(game, 0.97, { body: { clock } });
    const p = await look(g, s);
    const rest = demo[game].moves.split(" ").slice((await server.view(g.id)).ply);
    await g.plays(...rest);
    if ((await server.view(g.id)).state === "live") await g.post("resign", {}, 1);
    await p.page.locator('main[data-state="over"]').waitFor();
    return p;
  };
}

/** scenes open a window, by name: each takes the options of a window. */
export const scenes = {
  home: (s) => first(s),
  "home-chess": (s) => first({ ...s, path: "/?game=chess" }),
  "home-lists": async (s) => first(s, await crowd()),
  "home-more": async (s) => {
    const p = await first(s);
    await p.more();
    return p;
  },
  settings: async (s) => {
    const p = await first(s);
    await p.button("Settings").click();
    await p.page.getByRole("dialog").waitFor();
    return p;
  },
  ...kinds,
  invite: async (s) => {
    const made = await request("", { game: "othello", as: "first", name: "Ada", clock });
    return look({ id: made.id, tokens: [made.token] }, s);
  },
  join: async (s) => {
    const made = await request("", { game: "loa", as: "first", name: "Ada", clock });
    const p = await Person.open(browser, server.base, s);
    await p.go("/g/" + made.id);
    await p.page.locator("main svg.board").waitFor();
    return p;
  },
  offer: async (s) => {
    const g = await played("chess", 0.3, { body: { clock } });
    await g.post("offer", {}, 1);
    const p = await look(g, s);
    await p.page.getByRole("group", { name: "offers a draw" }).waitFor();
    return p;
  },
  question: async (s) => {
    const p = await look(await played("loa", 0.3, { body: { clock } }), s);
    await p.button("Resign").click();
    return p;
  },
  illegal: async (s) => {
    const p = await look(await played("othello", 0.2, { body: { clock } }), s);
    await p.cell("a1").click();
    await p.page.locator(".trouble").waitFor();
    return p;
  },
  lost: async (s) => {
    const p = await look(await played("connect6", 0.3, { body: { clock } }), s);
    await p.page.routeWebSocket(/./, () => {});
    await p.page.evaluate(() => document.querySelector(".lost").replaceChildren("Connection lost. Trying again; nothing is lost, and outages of the server cost no time."));
    await p.page.evaluate(() => { document.querySelector(".lost").dataset.lost = "true"; });
    return p;
  },
  analysis: (s) => page("/analysis/chess?moves=e2e4+e7e5+g1f3+b8c6+f1b5", s),
  "analysis-othello": async (s) => {
    const p = await page("/analysis/othello?moves=e3+f3+f4+f5+e6", s);
    await p.button("Start engine").click();
    await p.page.waitForFunction(() => Number(document.querySelector(".engine-box").dataset.depth) >= 4);
    return p;
  },
  editor: (s) => page("/editor/chess", s),
  "editor-wide": (s) => page("/editor/connect6", s),
  wide: async (s) => look(await opened({ game: "othello", options: { size: "26" }, clock }), s),
  missing: async (s) => {
    const p = await Person.open(browser, server.base, s);
    await p.page.route(/\/api\/games\?/, (r) => r.fulfill({ json: { games: [] } }));
    await p.go("/g/nothing");
    await p.page.locator(".demo svg.board").waitFor();
    return p;
  },
};
