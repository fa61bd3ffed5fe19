// Scenes: the states of the pages that people look at, made the same way every time.
// gallery.mjs photographs all of them at every size; golden.mjs compares a dozen of
// them with pictures in the tree.

import { readFileSync } from "node:fs";
import { browser, server } from "./common.mjs";
import { attends, opened, request, seated } from "./seats.mjs";
import { Person } from "./person.mjs";
import { demo } from "./demo.mjs";

const words = JSON.parse(readFileSync(new URL("../strings/en.game.json", import.meta.url)));
export const games = Object.keys(demo);
const clock = { main: 600, increment: 5 };

/** themes are options of a window that choose how pages look. */
export const themes = { light: {}, dark: { colorScheme: "dark" }, contrast: { contrast: "more" }, forced: { forcedColors: "active" }, "forced-dark": { forcedColors: "active", colorScheme: "dark" } };

/** setUp opens a game of a kind at the size that the first page demonstrates. */
const setUp = (game, more = {}) => opened({ game, ...(demo[game].size ? { options: { size: demo[game].size, ...more.options } } : more.options ? { options: more.options } : {}), ...more.body });

/** played opens a game after a part of the moves of its demonstration. */
async function played(game, part, more) {
  const g = await setUp(game, more), moves = demo[game].moves.split(" ");
  await g.plays(...moves.slice(0, Math.floor(moves.length * part)));
  return g;
}

const get = async (path) => (await fetch(server.base + path)).json();

/** steadyDay is a day with the same puzzles in every picture. */
async function steadyDay() {
  const puzzles = [];
  for (const game of games) {
    const { id } = (await get(`/api/puzzles?game=${game}`)).puzzles[0], { position } = await get(`/api/puzzles/${id}`);
    const { board } = await (await fetch(server.base + "/api/replay", { method: "POST", body: JSON.stringify({ game, position }) })).json();
    puzzles.push({ game, id, board });
  }
  return { day: "2026-11-22", puzzles };
}

/** first opens the first page with given lists of games. */
async function first({ path = "/", ...screen }, lists = {}) {
  const p = await Person.open(browser, server.base, screen);
  const day = await steadyDay();
  await p.page.route("**/api/puzzles/today", (r) => r.fulfill({ json: day }));
  await p.page.route(/\/api\/games\?/, (r) => r.fulfill({ json: { games: lists[new URL(r.request().url()).searchParams.get("state")] ?? [] } }));
  await p.page.route("**/api/seeks", (r) => (r.request().method() === "GET" ? r.fulfill({ json: { here: {}, waiting: [] } }) : r.continue()));
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
  if ((await server.view(g.id)).ply > 0) await p.page.locator(".steps button[aria-disabled=false]").first().waitFor(); // the positions are loaded
  if (g.tokens.length < 2) return p;
  await attends(p, g);
  await p.page.locator(".tag.present").waitFor({ state: "attached" });
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

/** training are the states of puzzles and lessons, by name. */
const training = {};
for (const game of games) {
  training[`puzzle-${game}`] = (s) => asked(`/puzzles/${game}`, s);
  training[`lesson-${game}`] = (s) => asked(`/learn/${game}`, s);
}
training["puzzle-wrong"] = async (s) => {
  const p = await asked("/puzzles/chess", s);
  const { turns, position } = await get("/api/puzzles/" + new URL(p.page.url()).searchParams.get("id"));
  const { moves } = await (await fetch(server.base + "/api/replay", { method: "POST", body: JSON.stringify({ game: "chess", position, list: true }) })).json();
  await typed(p, moves.find((m) => m.move !== turns[0].moves[0]).move);
  await p.page.locator('[data-phase="wrong"]').waitFor();
  return p;
};
training["puzzle-shown"] = async (s) => {
  const p = await asked("/puzzles/connect6", s);
  await p.button("Show solution").click();
  await p.page.locator('[data-phase="shown"]').waitFor();
  return p;
};
training["lesson-done"] = async (s) => {
  const p = await asked("/learn/othello", s);
  await p.page.locator(".stage .cell.legal").first().click();
  await p.page.locator('[data-phase="done"], [data-phase="missed"]').waitFor();
  return p;
};

/** asked opens a puzzle or a lesson and waits until it asks for a move. */
async function asked(path, screen) {
  const p = await page(path, screen);
  await p.page.locator('[data-phase="asked"]').waitFor();
  return p;
}

/** typed types a move. */
async function typed(p, move) {
  await p.page.locator(".typed input").fill(move);
  await p.page.keyboard.press("Enter");
}

/**
 * reviewed opens the review of a short game of Othello. It is the mirror image of the
 * demonstration: the engine does not review positions of games that are in progress,
 * and other scenes leave such games.
 */
async function reviewed(screen) {
  const mirrored = (move) => "hgfedcba"["abcdefgh".indexOf(move[0])] + move[1];
  const g = await setUp("othello", { options: { start: "standard" }, body: { clock } });
  await g.plays(...demo.othello.moves.split(" ").slice(0, 24).map(mirrored));
  await g.post("resign", {}, 1);
  const p = await look(g, screen);
  await p.button("Review this game").click();
  await p.page.locator('main[data-state="done"]').waitFor({ timeout: 120_000 });
  return p;
}

const studyRecord = `[Game "chess"]

1. e2e4 e7e5 2. g1f3 $1 {develops a knight, and attacks the pawn} b8c6 (2. g8f6 3. f3e5 {wins a pawn}) 3. f1b5 a7a6 4. b5a4 g8f6 *`;

/** studied opens a study, to read or to edit. */
async function studied(screen, how) {
  const made = await (await fetch(server.base + "/api/studies", { method: "POST", body: JSON.stringify({ record: studyRecord, title: "The Spanish opening, played with captures of the king" }) })).json();
  const p = await page(`/study/${made.id}${how ? `?key=${made.key}` : ""}`, screen);
  await p.page.locator("main[data-ready]").waitFor();
  return p;
}

/** focused moves the focus by keys, so that it is shown, to the first element that matches. */
async function focused(p, selector) {
  await p.page.keyboard.press("Tab");
  await p.page.locator(selector).first().focus();
}

/** states are those that last a moment, or that few games have. */
const states = {
  "home-focus": async (s) => {
    const p = await first({ ...s, path: "/new" });
    await focused(p, "form.setup button.big");
    return p;
  },
  pits: async (s) => {
    const p = await first({ ...s, path: "/new" });
    await p.more();
    await p.page.locator(".pits summary").click();
    await p.page.locator(".pits svg.board").waitFor();
    for (const cell of ["c3", "f6"]) await p.page.locator(`.pits [data-name="${cell}"] .ground`).click({ force: true });
    return p;
  },
  selected: async (s) => {
    const p = await look(await played("chess", 0.35), s);
    await p.page.locator("main .cell.takes, main .cell.legal").last().click();
    return p;
  },
  "focus-cell": async (s) => {
    const p = await look(await setUp("chess"), s);
    await focused(p, 'main [data-name="e2"]');
    await p.page.keyboard.press("Enter");
    await p.page.keyboard.press("ArrowUp");
    return p;
  },
  "focus-button": async (s) => {
    const p = await look(await played("othello", 0.2), s);
    await focused(p, ".bar.actions .act:not(:disabled)");
    return p;
  },
  attacked: async (s) => {
    const g = await setUp("chess");
    await g.plays("e2e4", "f7f5", "d1h5");
    const p = await seated(g, s, 1);
    await p.page.getByText("This king is attacked").waitFor();
    return p;
  },
  premove: async (s) => {
    const p = await seated(await setUp("chess"), s, 1);
    for (const c of ["e7", "e5"]) await p.cell(c).click();
    await p.cell("e5").locator(".ghost").waitFor();
    return p;
  },
  low: async (s) => look(await played("othello", 0.3, { body: { clock: { main: 9, increment: 0 } } }), s),
  rematch: async (s) => {
    const g = await played("loa", 0.5, { body: { clock } });
    await g.post("resign", {}, 0);
    const p = await look(g, s);
    await g.post("rematch", {}, 1);
    await p.button("Accept").waitFor();
    return p;
  },
  close: async (s) => {
    const p = await look(await opened({ game: "othello", options: { size: "26" } }), { ...s, width: 390, height: 844 });
    await p.cell("m12").locator(".ground").tap({ force: true });
    return p;
  },
  downloads: async (s) => {
    const p = await kinds["chess-end"](s);
    await p.page.locator(".over details, .more details").first().evaluate((d) => { d.open = true; });
    return p;
  },
  shapes: async (s) => {
    const g = await played("loa", 0.5), p = await Person.open(browser, server.base, s);
    await p.context.addInitScript(() => localStorage.setItem("quintet.shapes", "true"));
    await p.go("/g/" + g.id);
    await p.page.locator("main svg.board").waitFor();
    return p;
  },
  "submit-refused": async (s) => {
    const p = await scenes.submit(s);
    await p.page.locator("textarea").fill("nonsense");
    await p.button("Review").click();
    await p.page.locator("#field-record-wrong").waitFor();
    return p;
  },
};

/** scenes open a window, by name: each takes the options of a window. */
export const scenes = {
  home: (s) => first(s),
  "home-chess": (s) => first({ ...s, path: "/new?game=chess" }),
  "home-lists": async (s) => first(s, await crowd()),
  "home-own": async (s) => {
    const own = [await played("loa", 0.2, { body: { clock } }), await played("chess", 0.31), await played("othello", 0.5), await played("neighbors", 0.3)];
    await own[2].post("resign", {}, 1);
    const p = await first(s);
    await p.context.addCookies(own.map((g) => ({ name: `quintet_${g.id}_first`, value: g.tokens[0], url: server.base })));
    await p.page.evaluate((ids) => localStorage.setItem("quintet.games", JSON.stringify(ids.map((id) => ({ id, at: 0 })))), own.map((g) => g.id));
    await p.page.reload();
    await p.page.locator(".going li a").first().waitFor();
    return p;
  },
  "home-streak": async (s) => {
    const p = await first(s);
    await p.page.evaluate((puzzles) => {
      localStorage.setItem("quintet.streak", JSON.stringify({ last: "2026-11-22", run: 12, best: 12 }));
      localStorage.setItem("quintet.puzzles", JSON.stringify(Object.fromEntries(puzzles.slice(0, 2).map((e) => [e.game, { [e.id]: true }]))));
    }, (await steadyDay()).puzzles);
    await p.page.reload();
    await p.page.locator(".today .done").first().scrollIntoViewIfNeeded();
    return p;
  },
  "home-more": async (s) => {
    const p = await first({ ...s, path: "/new" });
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
    await p.page.evaluate((text) => document.querySelector(".lost").replaceChildren(text), words["connection.lost"]);
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
  "editor-refused": (s) => page("/editor/chess?position=kk6/8/8/8/8/8/8/K7%20w%20-%20-%200%201", s),
  ...training,
  submit: async (s) => {
    const p = await Person.open(browser, server.base, s);
    await p.go("/review");
    await p.page.locator("textarea").waitFor();
    return p;
  },
  review: reviewed,
  "review-retry": async (s) => {
    const p = await reviewed(s);
    await p.page.getByRole("button", { name: /^Retry .* mistakes/ }).first().click();
    await p.page.locator("svg.board.lively").waitFor();
    return p;
  },
  study: (s) => studied(s, ""),
  "study-edit": (s) => studied(s, "edit"),
  ...states,
  wide: async (s) => look(await opened({ game: "othello", options: { size: "26" }, clock }), s),
  missing: async (s) => {
    const p = await Person.open(browser, server.base, s);
    await p.page.route(/\/api\/games\?/, (r) => r.fulfill({ json: { games: [] } }));
    await p.go("/g/nothing");
    await p.page.locator(".demo svg.board").waitFor();
    return p;
  },
};
