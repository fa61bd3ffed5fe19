// Accounts: a guest keeps the games, signs out and in by keys alone, looks at the own page, and erases.

import { test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { accessible, browser, server, setUp } from "./common.mjs";
import { Person } from "./person.mjs";

const password = "correct horse";
const dialog = (p) => p.page.locator("dialog.account[open]");

/** account opens the dialog, whose button has a name like this one. */
async function account(p, name) {
  await p.page.getByRole("button", { name }).press("Enter");
  await dialog(p).waitFor();
}

export default function () {
  test("a guest keeps the games under a name, signs in elsewhere, and erases the account", async () => {
    const p = await Person.open(browser, server.base, { name: "" });
    await p.go("/");
    const guest = await p.page.locator(".head .who span").textContent();
    assert.match(guest, /^[A-Z][a-z]+ [A-Z][a-z]+$/);
    const path = await setUp(p, "othello");
    await account(p, `${guest}: your account`);
    await accessible(p, "account");
    await p.shot("account-keep");
    await p.page.getByLabel("Name", { exact: true }).fill("Lovelace");
    await p.page.getByLabel("Password", { exact: true }).fill(password);
    await p.page.keyboard.press("Enter");
    await p.page.getByRole("heading", { name: "Your recovery code" }).waitFor();
    assert.match(await dialog(p).locator("code").textContent(), /^([0-9A-Z]{5}-){5}[0-9A-Z]$/);
    await p.focused(".account .main"); // the form with the focus is gone
    await accessible(p, "account");
    await p.shot("account-code");
    await p.button("I have it").press("Enter");
    await server.until(path.split("/")[2], (v) => JSON.stringify(v.seats).includes('"Lovelace"'), "the account's name");

    const other = await Person.open(browser, server.base, { name: "", width: 390, height: 844 });
    await other.go("/");
    await account(other, /your account/);
    await other.button("I have an account").press("Enter");
    await other.page.getByLabel("Name", { exact: true }).fill("lovelace");
    await other.page.getByLabel("Password", { exact: true }).fill("wrong horse");
    await other.page.keyboard.press("Enter");
    await dialog(other).getByRole("alert").waitFor();
    await other.page.getByLabel("Password", { exact: true }).fill(password);
    await other.page.keyboard.press("Enter");
    await dialog(other).getByRole("heading", { name: "Lovelace" }).waitFor();
    await dialog(other).getByText("Sessions and tokens").press("Enter");
    await dialog(other).getByText("this browser", { exact: true }).waitFor();
    await accessible(other, "account");
    await other.shot("account-own");
    await dialog(other).getByRole("link", { name: "Your page" }).press("Enter");
    await other.page.waitForURL(/\/@Lovelace$/);
    await other.page.getByText("No finished games yet.").waitFor();
    await other.page.locator(".list-card li").first().waitFor();
    await accessible(other, "account");
    await other.shot("person-narrow");
    await other.resize(1280, 800);
    await other.shot("person-wide");
    await other.page.getByLabel("Opponent").fill("Nobody");
    await other.page.keyboard.press("Enter");
    await other.page.getByText("No such games.").waitFor();

    await account(other, "Lovelace: your account");
    await dialog(other).getByText("Your data").press("Enter");
    await dialog(other).getByLabel("Password", { exact: true }).last().fill(password);
    await other.page.keyboard.press("Enter");
    await dialog(other).getByRole("heading", { name: "Keep your games" }).waitFor();
    await server.until(path.split("/")[2], (v) => JSON.stringify(v.seats).includes('"deleted"'), "no name");
    assert.deepEqual([...p.errors, ...other.errors], []);
    await Promise.all([p.close(), other.close()]);
  });

  test("somebody adds a passkey, signs out, and signs in with it alone", async () => {
    const p = await Person.open(browser, server.base.replace("127.0.0.1", "localhost"), { name: "" });
    const cdp = await p.context.newCDPSession(p.page);
    await cdp.send("WebAuthn.enable");
    const options = { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };
    await cdp.send("WebAuthn.addVirtualAuthenticator", { options });
    await p.go("/");
    await account(p, /your account/);
    await p.page.getByLabel("Name", { exact: true }).fill("Hopper");
    await p.page.getByLabel("Password", { exact: true }).fill(password);
    await p.page.keyboard.press("Enter");
    await p.button("I have it").press("Enter");
    await account(p, "Hopper: your account");
    await dialog(p).getByText("Passkeys", { exact: true }).press("Enter");
    await dialog(p).getByLabel("Password", { exact: true }).first().fill(password);
    await p.page.keyboard.press("Enter");
    await p.button("Remove the passkey Chrome, Linux").waitFor();
    await accessible(p, "account");
    await p.shot("account-passkeys");
    await p.button("Sign out").press("Enter");
    await p.button("I have an account").press("Enter");
    await p.button("Sign in with a passkey").press("Enter");
    await dialog(p).getByRole("heading", { name: "Hopper" }).waitFor();
    await p.resize(390, 844);
    await p.shot("account-passkeys-narrow");
    assert.deepEqual(p.errors, []);
    await p.close();
  });

  test("somebody creates an account with a passkey alone, sets a password with it, and erases the account", async () => {
    const p = await Person.open(browser, server.base.replace("127.0.0.1", "localhost"), { name: "", width: 390, height: 844 });
    const cdp = await p.context.newCDPSession(p.page);
    await cdp.send("WebAuthn.enable");
    const options = { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };
    await cdp.send("WebAuthn.addVirtualAuthenticator", { options });
    await p.go("/");
    await account(p, /your account/);
    await p.shot("account-keep-passkey");
    await p.page.getByLabel("Name", { exact: true }).fill("Lamarr");
    await p.button("Use a passkey instead").press("Enter");
    await p.button("I have it").press("Enter");
    await account(p, "Lamarr: your account");
    await dialog(p).getByText("Passkeys", { exact: true }).press("Enter");
    await p.button("Remove the passkey Chrome, Linux").press("Enter");
    await dialog(p).getByText("This passkey is your only way to sign in").waitFor();
    await accessible(p, "account");
    await p.shot("account-passkey-only");
    await dialog(p).getByText("Set a password", { exact: true }).press("Enter");
    await dialog(p).getByLabel("New password").fill(password);
    await p.page.keyboard.press("Enter");
    await dialog(p).getByText("Change password", { exact: true }).first().waitFor();
    await p.button("Remove the passkey Chrome, Linux").press("Enter");
    await p.button("Remove the passkey Chrome, Linux").waitFor({ state: "detached" });
    await dialog(p).getByText("Your data").press("Enter");
    await dialog(p).getByLabel("Password", { exact: true }).last().fill(password);
    await p.page.keyboard.press("Enter");
    await dialog(p).getByRole("heading", { name: "Keep your games" }).waitFor();
    assert.deepEqual(p.errors, []);
    await p.close();
  });

  test("a person's page says how the ratings came about, and how the games ended for that person, in at most 80,000 bytes", async () => {
    const token = {};
    const post = async (who, path, data = {}) => (await fetch(server.base + path, { method: "POST", headers: who ? { Authorization: `Bearer ${token[who]}` } : {}, body: JSON.stringify(data) })).json();
    for (const name of ["Turing", "Zuse"]) ({ token: token[name] } = await post("", "/api/accounts", { name, password }));
    let id;
    for (const loser of ["Zuse", "Zuse", "Turing"]) {
      ({ id } = await post("Turing", "/api/games", { game: "loa", as: "first", rated: true, clock: { main: 300 } }));
      await post("Zuse", `/api/games/${id}/seats/second`);
      await post(loser, `/api/games/${id}/resign`);
    }
    const games = async () => (await (await fetch(server.base + "/api/people/Turing")).json()).ratings[0]?.games;
    for (let i = 0; i < 375 && (await games()) !== 3; i++) await new Promise((done) => setTimeout(done, 40));
    const p = await Person.open(browser, server.base, { name: "", width: 390, height: 844, fresh: true });
    const cdp = await p.context.newCDPSession(p.page);
    await cdp.send("Network.enable");
    let bytes = 0;
    cdp.on("Network.loadingFinished", (e) => { bytes += e.encodedDataLength; });
    await p.go("/@Turing");
    const curve = p.page.getByRole("slider", { name: /^Lines of Action, blitz: From 1500 to \d+ in 3 games, highest \d+$/ });
    await curve.waitFor();
    const rows = p.page.locator(".list-card").last().locator("li");
    await rows.nth(2).waitFor();
    await p.page.waitForLoadState("networkidle");
    assert.ok(bytes > 10_000 && bytes <= 80_000, `${bytes} bytes`);
    for (const [i, row] of (await rows.allTextContents()).entries()) assert.match(row, i ? /Zuse – Turing.*Won · Rated \+\d+/ : /Zuse – Turing.*Lost · Rated -\d+/);
    await p.page.route("**/api/people/Zuse/ratings", async (r) => { // as it was after the first game
      const json = await (await r.fetch()).json();
      json.ratings[0].points.length = 2;
      await r.fulfill({ json });
    });
    await p.go("/@Zuse");
    await p.page.getByRole("slider", { name: /: From 1500 to 1[0-4]\d\d in 1 game, highest 1500$/ }).waitFor();
    assert.match(await rows.first().textContent(), /Turing – Zuse.*Won · Rated \+\d+/);
    await p.go("/@Turing");
    await curve.focus();
    await p.page.keyboard.press("Home");
    assert.match(await curve.getAttribute("aria-valuetext"), /^After 0 games: 1500 ± 500 \(/);
    await p.page.keyboard.press("ArrowRight");
    assert.match(await curve.getAttribute("aria-valuetext"), /^After 1 game: 1\d\d\d ± \d+ \(/);
    await p.page.getByText(/^After 1 game:/).waitFor();
    await p.page.keyboard.press("End");
    assert.equal(await curve.getAttribute("aria-valuenow"), "3");
    await p.go("/@Turing");
    for (const [width, height] of [[390, 844], [1280, 800]]) {
      await p.resize(width, height);
      await curve.waitFor();
      assert.ok(await p.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width} is too narrow`);
      await accessible(p, "person");
      await p.shot(`person-curve-${width}`);
    }
    assert.deepEqual(p.errors, []);
    await p.close();
  });

  test("somebody follows and reports a person, and a moderator closes the account", async () => {
    const [p, mod] = [await Person.open(browser, server.base, { name: "" }), await Person.open(browser, server.base, { name: "" })];
    for (const [who, name] of [[p, "Noether"], [mod, "Curie"]]) await who.context.request.post(server.base + "/api/accounts", { data: { name, password } });
    await fetch(server.base + "/api/accounts", { method: "POST", body: JSON.stringify({ name: "Rascal", password }) });
    execFileSync(server.program, ["admin", "account", "role", "Curie", "moderator", "--data", server.data]);
    await p.go("/@Rascal");
    await p.button("Follow").press("Enter");
    await p.button("Unfollow").waitFor();
    await p.page.getByText("Report", { exact: true }).press("Enter");
    await p.button("Cheating").press("Enter");
    await p.page.getByText("Reported. Thank you.").waitFor();
    await accessible(p, "person");
    await p.shot("person-people-wide");
    await p.resize(390, 844);
    await p.shot("person-people-narrow");
    await p.go("/@Noether");
    await p.page.getByRole("heading", { name: "People you follow" }).waitFor();
    await accessible(p, "person");
    await mod.go("/moderation");
    await mod.button("Close account").waitFor();
    await accessible(mod, "moderation");
    await mod.shot("moderation-wide");
    await mod.resize(390, 844);
    await mod.shot("moderation-narrow");
    mod.page.once("dialog", (d) => d.accept());
    await mod.button("Close account").press("Enter");
    await mod.page.getByText("No open reports.").waitFor();
    await p.go("/moderation");
    await p.page.getByRole("alert").waitFor();
    assert.deepEqual([...p.errors, ...mod.errors], []);
    await Promise.all([p.close(), mod.close()]);
  });
}
