// Measures how smoothly boards are drawn with the processor slowed four times, as on a
// cheap phone. It is no test and asserts nothing: a time depends on the machine.
//
//     make frames                        # this tree
//     make frames BEFORE=path/to/quintet # and another build, in interleaved rounds
//
// Each round steps forward through ten moves of a game with animation, one every 400 ms.
// It counts the frames that were drawn and those that were dropped (a gap of n frame times
// drops n - 1), the processor time of the page's main thread, how often it recorded a part
// of the page anew, and the number and processor time of the tiles that raster threads drew.
// Counts of tiles hardly depend on the load of the machine. Medians of the rounds.

import { Person, launch } from "./person.mjs";
import { Server } from "./server.mjs";

const slowed = 4; // times
const steps = 10, between = 400; // milliseconds
const rounds = Number(process.env.ROUNDS || 6);
const programs = { now: process.env.QUINTET, ...(process.env.BEFORE ? { before: process.env.BEFORE } : {}) };
const games = { "othello 26x26": { game: "othello", options: { size: "26" }, plies: 200 }, "othello 8x8": { game: "othello", plies: 40 }, "connect6 19x19": { game: "connect6", plies: 60 }, chess: { game: "chess", plies: 40 }, loa: { game: "loa", plies: 30 }, neighbors: { game: "neighbors", plies: 30 } };

const post = async (server, path, body) => (await fetch(server.base + path, { method: "POST", body: JSON.stringify(body) })).json();

/** moves returns the first moves of a game in which every turn takes another legal move. */
async function moves(server, { plies, ...game }) {
  const list = [];
  while (list.length < plies) {
    const { moves: legal } = await post(server, "/api/replay", { ...game, moves: list, list: true });
    if (!legal?.length) break;
    list.push(legal[(list.length * 7 + 3) % legal.length].move);
  }
  return list;
}

/** measure steps through a game and returns what it cost. */
async function measure(browser, server, id, plies) {
  const p = await Person.open(browser, server.base, { reducedMotion: "no-preference", drawn: true });
  await p.go("/g/" + id);
  await p.ready(plies);
  const cdp = await p.context.newCDPSession(p.page);
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: slowed });
  for (let i = 0; i < steps; i++) await p.page.keyboard.press("ArrowLeft");
  await p.page.waitForTimeout(2 * between);
  const spent = async () => (await cdp.send("Performance.getMetrics")).metrics.find((m) => m.name === "TaskDuration").value * 1000;
  await p.page.evaluate(() => {
    window.drawn = [];
    const frame = (t) => { window.drawn.push(t); requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
  });
  await browser.startTracing(p.page, { categories: ["disabled-by-default-devtools.timeline", "devtools.timeline"] });
  const before = await spent();
  for (let i = 0; i < steps; i++) {
    await p.page.keyboard.press("ArrowRight");
    await p.page.waitForTimeout(between);
  }
  const cost = await spent() - before, drawn = await p.page.evaluate(() => window.drawn);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const [paints, tiles] = ["Paint", "RasterTask"].map((name) => traceEvents.filter((e) => e.name === name && e.ph === "X"));
  const raster = tiles.reduce((sum, e) => sum + (e.tdur ?? 0), 0) / 1000; // milliseconds
  await p.close();
  const gaps = drawn.slice(1).map((t, i) => t - drawn[i]);
  const dropped = gaps.reduce((n, gap) => n + Math.max(0, Math.round(gap * 60 / 1000) - 1), 0);
  return { frames: gaps.length, dropped, longest: Math.max(...gaps), cost, each: cost / gaps.length, step: cost / steps, raster: raster / steps, paints: paints.length / gaps.length, tiles: tiles.length / steps };
}

const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

const browser = await launch(), servers = {};
for (const [name, program] of Object.entries(programs)) servers[name] = await Server.start(program);
try {
  for (const [title, { plies, ...game }] of Object.entries(games)) {
    const played = await moves(servers.now, { ...game, plies }), ids = {}, found = {};
    for (const [name, server] of Object.entries(servers)) ids[name] = (await post(server, "/api/games", { ...game, moves: played })).id;
    for (let i = 0; i < rounds; i++) {
      const order = Object.keys(servers); // who comes first takes turns
      if (i % 2) order.reverse();
      for (const name of order) (found[name] ??= []).push(await measure(browser, servers[name], ids[name], played.length));
    }
    for (const [name, list] of Object.entries(found)) {
      const of = (key) => median(list.map((m) => m[key]));
      console.log(`${title}, ${name}: ${of("frames")} frames, ${of("dropped")} dropped, longest gap ${of("longest").toFixed(0)} ms; main thread ${of("each").toFixed(2)} ms a frame, ${of("step").toFixed(1)} ms a step; ${of("paints").toFixed(1)} paints a frame; ${of("tiles").toFixed(1)} tiles and ${of("raster").toFixed(1)} ms of raster threads a step`);
    }
  }
} finally {
  await browser.close();
  for (const server of Object.values(servers)) await server.stop();
}
