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
    const code = await codes.first().locator("code").textContent();
    assert.match(code, /^[2-9a-z]{4}-[2-9a-z]{4}-[2-9a-z]{4}$/);
    await accessible(t, "codes");
    await t.shot("class-codes");
    await t.button("Done").press("Enter");
    const form = t.page.locator("details", { hasText: "Add an assignment" });
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
    await s.page.getByLabel("Program", { exact: true }).fill("int main() {}");
    await s.button("Hand in").press("Enter");
    await s.page.getByText("waiting for a verdict").waitFor();
    await accessible(s, "class of a student");
    await s.shot("class-student");
    await t.page.getByText("1 waiting").waitFor();
    await t.shot("class-teacher");
    assert.deepEqual([...t.errors, ...s.errors], []);
    for (const p of [t, s]) await p.close();
  });
}
