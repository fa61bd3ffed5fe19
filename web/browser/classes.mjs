// Classes: a teacher makes one and prints codes, a student signs in with a code and hands in, by keys alone.

import { test } from "node:test";
import assert from "node:assert/strict";
import { accessible, browser, server } from "./common.mjs";
import { Person } from "./person.mjs";

/** called calls the interface as the page does. */
const called = (p, method, path, body) => p.page.evaluate(([m, at, b]) => fetch(at, { method: m, headers: { "Content-Type": "application/json" }, body: JSON.stringify(b) }).then((r) => r.json()), [method, path, body]);

export default function () {
  test("a teacher makes a class, and a student signs in with a code and hands in", async () => {
    const t = await Person.open(browser, server.base);
    await t.go("/class");
    await called(t, "POST", "/api/accounts", { name: "Hypatia", password: "correct horse" });
    await t.page.reload();
    await t.page.getByLabel("Class name").fill("Algorithms");
    await accessible(t, "classes");
    await t.shot("classes");
    await t.page.keyboard.press("Enter");
    await t.page.getByRole("heading", { name: "Algorithms" }).waitFor();
    await t.page.getByLabel("Names, one per line").fill("Ann Lee\nBob Ray");
    await t.button("Add").press("Enter");
    const codes = t.page.locator(".codes li");
    await codes.nth(1).waitFor();
    const [code, second] = await codes.locator("code").allTextContents();
    assert.match(code, /^[2-9a-z]{4}-[2-9a-z]{4}-[2-9a-z]{4}$/);
    await accessible(t, "codes");
    await t.shot("class-codes");
    await t.button("Done").press("Enter");
    const form = t.page.locator("details", { hasText: "Add an assignment" });
    await form.getByLabel("Title").focus();
    await t.page.mouse.click(2, 400); // somebody who clicks beside a field does not get the focus back when it disappears
    await t.page.waitForTimeout(50);
    await form.evaluate((d) => { d.open = false; return new Promise((done) => setTimeout(done)); });
    assert.equal(await t.page.evaluate(() => document.activeElement.tagName), "BODY");
    await form.evaluate((d) => { d.open = true; });
    await form.getByLabel("Title").fill("Lines of Action");
    await t.button("Add the assignment").press("Enter");
    await t.page.getByRole("columnheader", { name: /Lines of Action/ }).waitFor();
    await accessible(t, "class of a teacher");

    const s = await Person.open(browser, server.base, { width: 390, height: 844 });
    await s.go("/class");
    await s.page.getByLabel("Login code").fill(code.toUpperCase());
    await s.page.keyboard.press("Enter");
    await s.page.getByText("You are signed in as Ann Lee").waitFor();
    await s.page.getByText("Paste your program").press("Enter");
    const program = "int main() {\n  for (int i = 0; i < n; i++)\n    if (board[i] == own) moves += reach(i, n - 1);\n  return moves;\n}\n";
    await s.page.getByLabel("Program", { exact: true }).fill(program);
    await s.button("Hand in").press("Enter");
    await s.page.getByText("waiting for a verdict").waitFor();
    await s.focused("summary"); // the form is folded away
    await accessible(s, "class of a student");
    await s.shot("class-student");
    await t.page.getByText("1 waiting").waitFor();
    await t.shot("class-teacher");

    // What she has done in lessons and puzzles reaches the teacher.
    await s.page.evaluate(() => { localStorage.setItem("quintet.lessons", JSON.stringify({ othello: [1, 2] })); });
    const sent = s.page.waitForResponse((r) => r.url().endsWith("/progress") && r.ok());
    await s.go("/learn");
    await sent;
    await t.page.getByText("Lessons and puzzles").press("Enter");
    await t.page.getByText("2 · 0").waitFor();
    await accessible(t, "lessons and puzzles of a class");
    await t.shot("class-done");

    // A wrong name erases nothing, and says so.
    await t.page.getByText("Export, archive, erase").press("Enter");
    await t.page.getByLabel("Type the class name to confirm").fill("another");
    await t.page.getByRole("button", { name: "Erase the class" }).press("Enter");
    await t.page.getByRole("alert").filter({ hasText: "That is not the class name." }).waitFor();

    // The other student hands the same in, with other names: the teacher reads both, side by side.
    // His browser is new: it signs in after the answer that makes it a guest, whose cookie would replace that of the class.
    const b = await Person.open(browser, server.base);
    const order = [];
    await b.page.route("**/api/account", async (r) => {
      const response = await r.fetch();
      await new Promise((done) => setTimeout(done, 500));
      order.push("a guest");
      await r.fulfill({ response });
    }, { times: 1 });
    await b.page.route("**/api/codes", (r) => { order.push("a student"); return r.continue(); });
    await b.go("/class#" + second); // as in the QR code
    await b.page.getByText("You are signed in as Bob Ray").waitFor();
    assert.deepEqual(order, ["a guest", "a student"]);
    const id = new URL(b.page.url()).pathname.split("/")[2];
    const [{ id: to }] = (await called(b, "GET", "/api/classes/" + id)).assignments;
    await called(b, "POST", `/api/classes/${id}/submissions`, { assignment: to, files: [{ name: "own.cpp", text: program.replaceAll("moves", "count") }] });
    await t.page.getByText("Similar programs: Lines of Action").press("Enter");
    await t.page.getByRole("button", { name: "Shared mistakes" }).press("Enter");
    await t.button("Ann Lee and Bob Ray").press("Enter");
    await t.page.locator(".sides section + section mark").first().waitFor();
    for (const [width, height] of [[1280, 800], [390, 844]]) {
      await t.page.setViewportSize({ width, height });
      await accessible(t, "similar programs");
      await t.shot(`class-similar-${width}`);
    }
    await t.page.keyboard.press("Escape");
    await t.page.locator("dialog.similar").waitFor({ state: "detached" });

    // A learning platform: the teacher sees what to enter there, and the students of a failed launch why.
    await t.page.getByText("Moodle, Canvas and other platforms").press("Enter");
    await t.page.getByText(`/lti/${id}/launch`).waitFor();
    await t.page.getByText(`assignment=${to}`).waitFor();
    const fields = { "Platform ID (issuer)": "https://moodle.example", "Client ID": "tool", "Deployment ID": "7", "Authentication request URL": "https://moodle.example/auth", "Access token URL": "https://moodle.example/token", "Public keyset URL of the platform": "https://moodle.example/keys" };
    for (const [label, value] of Object.entries(fields)) await t.page.getByLabel(label).fill(value);
    await t.button("Save the platform").press("Enter");
    await t.button("Remove https://moodle.example").waitFor();
    for (const [width, height] of [[1280, 800], [390, 844]]) {
      await t.page.setViewportSize({ width, height });
      await accessible(t, "learning platforms");
      assert.ok(await t.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `the page of a class is too wide at ${width}`);
      await t.shot(`class-platforms-${width}`);
    }
    await b.go("/class?lti=again");
    await b.page.getByText("Open the assignment from your course again").waitFor();

    // A launch in the teacher's browser, and a student's link, sign nobody out before they are asked; the platform is made up.
    const entry = { class: "Algorithms", student: "Eve", you: "Hypatia" };
    await t.page.route("**/lti/*/enter", (r) => r.fulfill(r.request().method() === "GET" ? { json: entry } : { json: { url: `/class/${id}#${to}` } }));
    for (const answer of ["Stay signed in as Hypatia", "Sign in as Eve"]) {
      await t.go(`/class?enter=${id}`);
      await t.page.getByText("Your course signs you in to Algorithms as Eve.").waitFor();
      await accessible(t, "a launch");
      await t.shot("class-enter");
      await t.page.getByText(answer, { exact: true }).press("Enter");
      if (answer.startsWith("Stay")) await t.page.getByText("Your course signs you in").waitFor({ state: "detached" });
      else await t.page.waitForURL(new RegExp(`/class/${id}#${to}$`));
    }
    entry.you = "";
    await t.go(`/class?enter=${id}`);
    await t.page.waitForURL(new RegExp(`/class/${id}#${to}$`));
    await t.go(`/class#${second}`);
    await t.page.getByLabel("Login code").waitFor();
    assert.equal(await t.page.getByLabel("Login code").inputValue(), second);
    assert.equal((await called(t, "GET", "/api/account")).name, "Hypatia");
    assert.deepEqual([...t.errors, ...s.errors, ...b.errors], []);
    for (const p of [t, s, b]) await p.close();
  });

  test("a verdict begins with a summary, has headings to jump by, and fits a phone in every weight of letters", async () => {
    const p = await Person.open(browser, server.base, { width: 390, height: 844, language: "ja" });
    const feature = { name: "moves", points: 0, of: 2, why: "with N = 10: refuses a valid answer" };
    const short = { id: "s", assignment: "a", time: "2026-11-22T10:00:00Z", state: "judged", place: 0, verdict: "wrong-rule", rule: "refuses a valid answer", points: 0, of: 2, mark: null };
    const result = { message: "", conversation: `--- expected: ${"A ".repeat(60)}\n`, warnings: [], features: [feature] };
    await p.page.route("**/api/classes/c", (r) => r.fulfill({ json: { id: "c", title: "Algorithms", you: "Ann", students: [], games: [], questions: [], assignments: [{ id: "a", title: "Othello", game: "othello", points: 2, attempts: 1, submissions: [short], missed: [] }] } }));
    let judged;
    const held = new Promise((done) => { judged = done; });
    await p.page.route("**/submissions/s", async (r) => { await held; await r.fulfill({ json: { ...short, result, files: [], replay: null } }); });
    await p.go("/class/c");
    await p.page.locator("main li button").press("Enter");
    await p.focused("dialog h2");
    assert.equal(await p.focus(), "verdict-title");
    await p.page.getByRole("dialog", { name: "判定を読み込んでいます …" }).waitFor(); // it opens before the verdict is there
    judged();
    await p.page.locator("dialog table").waitFor();
    const { cut, weight, sum, headings, text } = await p.page.locator("dialog").evaluate((d) => ({
      cut: d.scrollWidth - d.clientWidth, weight: getComputedStyle(d.querySelector("td")).fontWeight, text: d.textContent,
      sum: d.querySelector('[role="status"] p').textContent, headings: [...d.querySelectorAll("h3")].map((h) => h.textContent),
    }));
    assert.deepEqual([cut, weight, sum, headings], [0, "400", "点数：0 / 2。1 項目のうち 0 項目が正しく動きます。", ["プログラムとのやりとり", "点数"]]);
    assert.match(text, /N = 10 のとき：有効な答えを拒む/);
    await accessible(p, "a verdict");
    assert.deepEqual(p.errors, []);
    await p.close();
  });

  test("a class watches the final of a league on one screen: a result shows after its games", async () => {
    const game = { points: 2, end: "rules", position: "8/8/8/3XO3/3OX3/8/8/8 X", moves: ["d6", "c4", "f3", "f4"], path: "/" };
    const programs = ["Ann Lee", "Bob Ray", "Eve Fox"].map((name, i) => ({ name, guest: `Guest ${i + 1}`, you: false }));
    const played = [{ players: [0, -1], games: [] }, { players: [1, 2], games: [game, { ...game, points: 1 }] }];
    const first = [{ players: [0, -1], winner: 0, after: 1 }, { players: [1, 2], winner: -1, after: 0 }];
    let final = { title: "Othello", game: "othello", number: 3, players: programs, matches: played.slice(0, 1), rounds: [first], champion: -1 };
    const p = await Person.open(browser, server.base, { width: 1280, height: 800 });
    await p.page.route("**/final", (r) => r.fulfill({ json: final }));
    await p.go("/class/c?screen=a");
    await p.page.getByText("The next match is being played.").waitFor();
    final = { ...final, matches: played, rounds: [[first[0], { ...first[1], winner: 1, after: 2 }], [{ players: [0, 1], winner: -1, after: 0 }]] };
    await p.page.getByText("Guest 2 – Guest 3, game 1 of 2").waitFor();
    await p.button("Continue the game").waitFor(); // with reduced motion, games wait for somebody to start them
    await p.page.locator(".stage svg.board").waitFor();
    assert.equal(await p.page.getByText("Guest 2 ✓").count(), 0);
    for (const [width, height] of [[1280, 800], [390, 844]]) {
      await p.page.setViewportSize({ width, height });
      await accessible(p, "a final");
      await p.shot(`class-final-${width}`);
    }
    await p.button("Skip to the result").press("Enter");
    await p.page.getByText("Guest 2 ✓").waitFor();
    await p.button("Show real names").press("Enter");
    final = { ...final, matches: [...played, { players: [1, 0], games: [game] }], rounds: [final.rounds[0], [{ players: [0, 1], winner: 0, after: 3 }]], champion: 0 };
    await p.button("Skip to the result").press("Enter");
    await p.page.getByText("Ann Lee wins the final").waitFor();
    assert.deepEqual(p.errors, []);
    await p.close();
  });
}
