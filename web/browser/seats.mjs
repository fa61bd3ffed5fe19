// Games whose seats are taken by requests, and windows that hold one of them.

import { browser, server } from "./common.mjs";
import { Person } from "./person.mjs";

export const request = async (path, body = {}, token) => (await fetch(server.base + "/api/games" + path, { method: "POST", body: JSON.stringify(body), headers: token ? { Authorization: "Bearer " + token } : {} })).json();

/** opened opens a game in which Ada is first and Grace second. */
export async function opened(body) {
  const made = await request("", { ...body, as: "first", name: "Ada" });
  const { token } = await request(`/${made.id}/seats/second`, { name: "Grace" });
  const tokens = [made.token, token];
  const g = { id: made.id, tokens, post: (verb, body, seat) => request(`/${made.id}/${verb}`, body, tokens[seat]) };
  /** plays plays moves in turn. Each answer says how the game stands, so that nobody asks in between. */
  g.plays = async (...moves) => {
    let { ply, turn } = await server.view(made.id);
    for (const move of moves) ({ ply = ply, turn = turn } = await g.post("moves", { move, ply }, turn === "first" ? 0 : 1));
  };
  return g;
}

/** seated opens the page of a game in a window that has one of its seats. */
export async function seated(g, screen = {}, seat = 0) {
  const p = await Person.open(browser, server.base, screen);
  await p.context.addCookies([{ name: `quintet_${g.id}_${["first", "second"][seat]}`, value: g.tokens[seat], url: server.base }]);
  await p.go("/g/" + g.id);
  await p.page.waitForSelector("main svg.board");
  return p;
}

let hall; // opens a page with the connections of players who have no window of their own; none if the last one failed

/** attends keeps the other player of a window's game here, however long the machine takes, until the window is closed. */
export async function attends(p, g, seat = 1) {
  hall ??= browser.newPage().then(async (page) => { await page.goto(server.base + "/healthz"); return page; }).catch((e) => { hall = undefined; throw e; });
  const page = await hall, cookie = `quintet_${g.id}_${["first", "second"][seat]}`;
  await page.context().addCookies([{ name: cookie, value: g.tokens[seat], url: server.base }]);
  await page.evaluate(([id, seat]) => new Promise((done) => {
    const socket = window[id + seat] = new WebSocket(`ws://${location.host}/api/games/${id}/socket`);
    const pings = setInterval(() => socket.send('{"do":"ping"}'), 5_000);
    socket.onmessage = done;
    socket.onclose = () => clearInterval(pings);
  }), [g.id, seat]);
  const close = p.close.bind(p);
  p.close = () => Promise.all([close(), page.evaluate((of) => window[of].close(), g.id + seat), page.context().clearCookies({ name: cookie })]);
  return p;
}
