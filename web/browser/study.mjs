// Studies: saved, shared to read or to edit together, opened from records, downloaded.

import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import ts from "typescript";
import { accessible, browser, server } from "./common.mjs";
import { faults } from "./faults.mjs";
import { sizes } from "./layout.mjs";
import { Person } from "./person.mjs";

const post = async (path, body) => (await fetch(server.base + "/api/studies" + path, { method: "POST", body: JSON.stringify(body) })).json();
const get = async (path) => (await fetch(server.base + "/api/studies/" + path)).json();
const ready = (p) => p.page.waitForSelector("main[data-ready] svg.board");
const record = `[Game "chess"]

1. e2e4 e7e5 2. g1f3 $1 {developing} b8c6 (2. g8f6 3. f3e5 {wins a pawn}) 3. f1b5 *`;
const rows = async (p) => (await p.page.locator(".tree .row").allTextContents()).map((t) => t.replace("Variation: ", "("));
const shown = (p, list) => p.page.waitForFunction((want) => JSON.stringify([...document.querySelectorAll(".tree .row")].map((r) => r.textContent.replace("Variation: ", "("))) === want, JSON.stringify(list));
const saved = (p) => p.page.waitForSelector('[data-sync="saved"]');

/** person opens a page of a study. */
async function person(path, screen = {}) {
  const p = await Person.open(browser, server.base, screen);
  await p.go(path);
  await ready(p);
  return p;
}

async function typed(p, move) {
  const before = await p.page.locator(".tree").textContent();
  await p.page.getByLabel("Type a move").fill(move);
  await p.page.keyboard.press("Enter");
  await p.page.waitForFunction((old) => document.querySelector(".tree").textContent !== old, before);
}

export default function () {
  test("an analysis is saved with all that is in it, and shared to read: edits of others appear at once", async () => {
    const ada = await person("/analysis/loa?moves=a1c1");
    await ada.page.getByLabel("Comment").fill("A <b>quiet</b> start");
    await ada.page.getByRole("button", { name: "Good move (!)" }).click();
    await ada.page.getByRole("radio", { name: "Red" }).check({ force: true });
    await ada.cell("c1").locator(".ground").click({ force: true });
    await ada.cell("c4").locator(".ground").click({ force: true });
    await ada.page.getByRole("radio", { name: "Off" }).check({ force: true });
    await ada.button("Save and share").click();
    await ada.page.waitForURL(/\/study\/\w+$/);
    await ready(ada);
    await shown(ada, ["Start", "1.a1c1!A <b>quiet</b> start"]);
    assert.equal(await ada.page.locator(".drawn path.red").count(), 1);
    await ada.page.getByText("Share and download").click();
    const [read, edit] = [await ada.page.getByLabel("Link to read").inputValue(), await ada.page.getByLabel("Link to edit together").inputValue()];
    assert.match(edit, /\?key=/);
    const grace = await person(new URL(read).pathname);
    await grace.hears();
    assert.equal(await grace.page.getByRole("button", { name: "Delete from here" }).count(), 0, "who has the link to read cannot edit");
    await ada.button("To the start").click();
    await typed(ada, "a2c2");
    await shown(grace, ["Start", "1.a1c1!A <b>quiet</b> start", "(1.a2c2"]);
    await grace.heard(/^Somebody else has added a2c2\.$/);
    assert.equal(await grace.page.locator(".tree [aria-current]").textContent(), "a1c1!", "who reads stays where they look");
    await ada.page.getByLabel("Title").fill("Where it began");
    await ada.page.getByLabel("Title").press("Enter");
    await grace.page.getByRole("heading", { name: "Where it began" }).waitFor();
    await accessible(grace, "a study to read");
    await grace.shot("study-read");
    await ada.page.getByRole("checkbox", { name: /^Only those with the link to edit/ }).check();
    await saved(ada);
    assert.equal((await get(new URL(read).pathname.split("/")[2])).reason, "missing.study");
    assert.deepEqual([...ada.errors, ...grace.errors], []);
    await ada.close();
    await grace.close();
  });

  test("two people edit together; what each does while one is cut off is merged, and nothing is lost", async () => {
    const made = await post("", { record, title: "Together" });
    const grace = await person(`/study/${made.id}?key=${made.key}`), ada = await Person.open(browser, server.base);
    let off = true; // Ada can read what is there, and hears no more
    await ada.page.route(/\/api\/studies\/\w+\/(events|edits)/, (r) => (off ? r.abort() : r.continue()));
    await ada.go(`/study/${made.id}?key=${made.key}`);
    await ready(ada);
    const main = (p) => p.page.locator('.tree .move', { hasText: /^Bb5/ }).click();
    await main(ada);
    await main(grace);
    await typed(ada, "a7a6"); // both add it
    await ada.page.getByLabel("Comment").fill("Ada thinks so.");
    await typed(ada, "Ba4");
    await typed(grace, "a7a6");
    await grace.page.getByLabel("Comment").fill("Grace doubts it.");
    await typed(grace, "Bxc6");
    await saved(grace);
    await ada.page.waitForSelector('[data-sync="offline"]');
    await ada.shot("study-offline");
    ada.page.on("dialog", (d) => void d.accept()); // who leaves is asked
    await ada.page.reload();
    await ready(ada);
    await ada.page.locator(".tree .move", { hasText: "Ba4" }).click();
    off = false;
    const all = ["Start", "1.e4e52.Nf3!developingNc6", "(2…Nf63.Nxe5wins a pawn", "3.Bb5a6Grace doubts it.\nAda thinks so.4.Bxc6", "(4.Ba4"];
    await shown(ada, all);
    await shown(grace, all);
    await saved(ada);
    assert.equal(await ada.page.locator(".tree [aria-current]").textContent(), "Ba4", "who edits stays where they are");
    assert.deepEqual((await get(made.id)).nodes.filter((n) => n.move === "a7a6").length, 1);
    assert.deepEqual([...ada.errors, ...grace.errors], []);
    await ada.close();
    await grace.close();
  });

  test("a record with variations becomes a study, which is downloaded in every form; nonsense and 10 MB are refused in a sentence", async () => {
    const p = await person("/analysis/chess");
    await p.page.getByText("Open a record").click();
    const field = p.page.getByLabel("Record of the game");
    await field.fill("1. <b>nonsense</b>");
    await p.button("Open").click();
    await p.page.locator("#field-record-wrong").waitFor();
    await p.page.locator('input[type="file"]').setInputFiles({ name: "long.pgn", mimeType: "text/plain", buffer: Buffer.alloc(10 << 20, "x") });
    await p.page.getByText("This is too long for one game").waitFor();
    await field.fill(record);
    await p.button("Open").press("Enter");
    await p.page.waitForURL(/\/study\/\w+/);
    await ready(p);
    assert.deepEqual(await rows(p), ["Start", "1.e4e52.Nf3!developingNc6", "(2…Nf63.Nxe5wins a pawn", "3.Bb5"]);
    await p.page.getByText("Share and download").press("Enter");
    const links = p.page.locator(".forms a");
    await links.first().waitFor();
    assert.deepEqual((await links.allTextContents()).sort(), ["Console input", "Moves", "PGN", "Quintet record"]);
    const pgn = await (await fetch(await p.page.getByRole("link", { name: "PGN" }).evaluate((a) => a.href))).text();
    assert.match(pgn, /2\. Nf3 \$1 \{developing\}[^]*\(2\.\.\. Nf6 3\. Nxe5 \{wins a pawn\}\)/);
    await accessible(p, "a study with its links");
    await p.shot("study-links");
    assert.deepEqual(p.errors, []);
    await p.close();
  });

  test("a study that is not there is said to be so", async () => {
    const p = await Person.open(browser, server.base);
    await p.go("/study/nothing");
    await p.page.getByText("There is no such study, or it is private.").waitFor();
    await accessible(p, "no study");
    await p.close();
  });

  test("a study fits every screen", async () => {
    const made = await post("", { record, title: "A title that is so long that it does not fit in the panel of any screen" });
    const p = await person(`/study/${made.id}?key=${made.key}`, { hasTouch: true });
    const found = [];
    for (const [width, height] of sizes) {
      await p.resize(width, height);
      for (const f of await faults(p, ["main svg.board"])) found.push(`${width}x${height}: ${f}`);
      await p.shot(`study-${width}x${height}`);
    }
    assert.deepEqual(found, []);
    await p.close();
  });

  test("a tree refuses the edits that the server would refuse", async () => {
    const { Tree } = await treeProgram();
    const tree = new Tree();
    for (const [id, parent, move] of [["a", "root", "e2e4"], ["b", "a", "e7e5"], ["c", "a", "g8f6"]]) assert.ok(tree.apply({ do: "add", id, parent, move }), id);
    const before = JSON.stringify(tree.wire());
    for (const e of [
      { do: "promote", id: "c", to: 2 }, { do: "promote", id: "root", to: 0 }, { do: "promote", id: "x", to: 0 },
      { do: "delete", id: "root" }, { do: "delete", id: "x" }, { do: "glyph", id: "root", glyph: "!" }, { do: "comment", id: "x", text: "y" },
      { do: "add", id: "a", parent: "root", move: "d2d4" }, { do: "add", id: "d", parent: "a", move: "e7e5" }, { do: "add", id: "d", parent: "x", move: "d2d4" },
      { do: "add", parent: "root", move: "d2d4" }, { do: "add", id: "d", parent: "root" },
    ]) {
      assert.ok(!tree.apply(e), JSON.stringify(e));
      assert.equal(JSON.stringify(tree.wire()), before, JSON.stringify(e));
    }
    assert.ok(tree.apply({ do: "promote", id: "b", to: 1 }));
    assert.deepEqual(tree.nodes.get("a").children, ["c", "b"]);
  });

  test("edits of several people in any order lead all of them to the same tree, with every move and every word", async () => {
    const { Tree, rebase, rootId } = await treeProgram();
    for (let seed = 1; seed <= 300; seed++) together(seed, Tree, rebase, rootId);
  });
}

/** treeProgram is the part of the pages' program that changes trees. */
function treeProgram() {
  const source = ts.transpileModule(readFileSync(new URL("../ui/tree.ts", import.meta.url), "utf8"), { compilerOptions: { module: "esnext", target: "es2022" } }).outputText;
  return import("data:text/javascript," + encodeURIComponent(source));
}

/** together lets three people edit a tree at random and hear of each other late; the server takes what was made on its newest tree. */
function together(seed, Tree, rebase, rootId) {
  let state = seed;
  const random = (n) => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return Math.floor((state / 2 ** 32) * n); };
  const log = [], words = new Map(), removed = new Set();
  const people = [0, 1, 2].map((who) => ({ who, base: new Tree(), tree: new Tree(), pending: [], n: 0, ids: 0 }));
  const hear = (p) => {
    for (; p.n < log.length; p.n++) assert.ok(p.base.apply(log[p.n]), `seed ${seed}: the server has only edits that make sense`);
    const r = rebase(p.base, p.pending);
    [p.tree, p.pending] = [r.tree, r.pending];
  };
  const edit = (p) => {
    const ids = [...p.tree.nodes.keys()], id = ids[random(ids.length)], n = p.tree.nodes.get(id);
    const kind = random(10);
    const word = `w${p.who}x${p.ids}`;
    const e = kind < 5 ? { do: "add", id: `n${p.who}x${p.ids++}`, parent: id, move: "abcd"[random(4)] }
      : kind < 8 ? { do: "comment", id, was: n.comment, text: n.comment + ` ${word}.` }
        : kind < 9 && n.parent ? { do: "promote", id, to: random(p.tree.nodes.get(n.parent).children.length) }
          : n.parent && random(4) === 0 ? { do: "delete", id } : { do: "glyph", id, glyph: "!" };
    if (!p.tree.apply(e)) return;
    if (e.do === "comment") { p.ids++; words.set(word, id); }
    if (e.do === "delete") removed.add(seed);
    p.pending.push(e);
  };
  const send = (p) => {
    hear(p); // as after a conflict
    for (const e of p.pending) { log.push(e); }
    p.pending = [];
    hear(p);
  };
  for (let i = 0; i < 60; i++) {
    const p = people[random(3)];
    [edit, edit, edit, hear, send][random(5)](p);
  }
  for (const p of people) send(p);
  for (const p of people) hear(p);
  const [a, ...others] = people.map((p) => JSON.stringify(p.tree.wire()));
  for (const o of others) assert.equal(o, a, `seed ${seed}: all see the same`);
  if (removed.size > 0) return; // with the moves go their comments
  for (const word of words.keys()) assert.ok(a.includes(` ${word}.`), `seed ${seed}: ${word} is lost`);
}
