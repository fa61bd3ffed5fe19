// The tests in the browser. Go runs them (go test ./web/browser) and tells them by
// QUINTET, CHROMIUM and SHOTS what to use and where screenshots go. Those that kill
// the server come first, by themselves; the others run side by side.

import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { finish, play, server, spread, two } from "./common.mjs";
import beauty from "./beauty.mjs";
import device from "./device.mjs";
import ending from "./ending.mjs";
import games from "./games.mjs";
import golden from "./golden.mjs";
import gone from "./gone.mjs";
import hands from "./hands.mjs";
import home from "./home.mjs";
import learn from "./learn.mjs";
import layout from "./layout.mjs";
import lively from "./lively.mjs";
import pages from "./pages.mjs";
import presence from "./presence.mjs";
import review from "./review.mjs";
import setup from "./setup.mjs";
import spoken from "./spoken.mjs";
import strangers from "./strangers.mjs";
import told from "./told.mjs";

test("the server is killed in mid-game, and the game goes on", async () => {
  const g = await two("othello", { size: 6 });
  const before = await play(g, spread, 5);
  await server.kill();
  await g.ada.page.waitForSelector('[data-lost="true"]');
  await g.ada.shot("connection-lost");
  await server.run();
  for (const p of [g.ada, g.grace]) await p.page.waitForSelector('[data-lost="false"]', { state: "attached" });
  assert.deepEqual((await server.view(g.id)).moves, before.moves);
  const after = await play(g, spread, 4);
  assert.equal(after.ply, 9);
  await finish(null, g);
});

describe("side by side", { concurrency: 3 }, () => {
  for (const tests of [layout, home, lively, ending, beauty, pages, device, games, golden, gone, hands, learn, presence, review, setup, spoken, told, strangers]) tests();
});
