// Somebody in a window of their own, who plays by mouse or by keyboard alone.

import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { inPseudo } from "./pseudo.mjs";

// Chromium is kept from asking for addresses outside, which costs time where
// there are none. The optimizing compilers are off, because the pages live only for seconds: this halves the
// processor time of axe.
// The features repeat Playwright's own, which this flag replaces. RenderDocument, which gives each document a frame of its own, is off: DevTools sends all its settings again to each new frame, which takes a third of the time of a load.
const flags = ["--js-flags=--no-maglev --no-opt", "--enable-features=CDPScreenshotNewSurface,RenderDocument:level/crashed-frame", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--font-render-hinting=none", "--disable-lcd-text"];

let patience = 15_000; // how long a page may take in ms, before it counts as a fault

/** launch starts the browser. Where even an empty page takes long, the machine is busy, and pages may take longer. */
export async function launch() {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, headless: true, args: flags });
  const began = performance.now();
  await (await browser.newPage()).close();
  patience = Math.min(Math.max(60 * (performance.now() - began), patience), 120_000);
  return browser;
}

const scripts = process.env.SCRIPTS; // a folder of scripts that replace the server's: see mutants.mjs
const shots = process.env.SHOTS; // where pictures go
mkdirSync(shots, { recursive: true });

// Closed windows that can be reused, oldest first. A new person whose window has the same options gets one of them. Its
// process is running and has loaded the scripts of the pages: a page in a new window takes two and a half times the processor time.
const idle = [];
const mostIdle = 12;

// What changes a window for good.
const forGood = { context: ["exposeFunction", "grantPermissions", "setExtraHTTPHeaders"], page: ["close", "exposeFunction", "routeWebSocket", "setExtraHTTPHeaders"], clock: ["fastForward", "install", "pauseAt", "runFor", "setFixedTime", "setSystemTime"] };

const plain = { colorScheme: "light", contrast: "no-preference", forcedColors: "none", reducedMotion: "reduce" };

/** undrawn makes a page transparent. It is laid out, takes clicks and paints frames, but none of it is rasterized. */
const undrawn = () => {
  window.undrawn = new CSSStyleSheet();
  window.undrawn.replaceSync(":root { opacity: 0 }");
  document.adoptedStyleSheets = [window.undrawn];
};

/** instead replaces a method with f, whose first argument is the original method. */
const instead = (of, method, f) => { const call = of[method].bind(of); of[method] = (...args) => f(call, ...args); };

/** make makes a window. */
async function make(browser, kind, options) {
  const context = await browser.newContext(options), page = await context.newPage();
  if (scripts) await context.route(/\/assets\/[^/]+\/[\w-]+\.js$/, (r) => { const path = join(scripts, new URL(r.request().url()).pathname.split("/").at(-1)); return existsSync(path) ? r.fulfill({ path }) : r.continue(); });
  const cdp = await context.newCDPSession(page);
  const view = { kind, context, page, cdp, changed: false, found: [], undo: [] }; // undo removes init scripts, detaches CDP sessions and goes online again
  for (const [name, of] of Object.entries({ context, page, clock: page.clock })) for (const method of forGood[name]) instead(of, method, (call, ...args) => { view.changed = true; return call(...args); });
  for (const of of [context, page]) instead(of, "addInitScript", async (call, ...args) => { const script = await call(...args); view.undo.push(() => script.dispose()); return script; });
  instead(context, "newCDPSession", async (call, of) => { const cdp = await call(of); view.undo.push(() => cdp.detach()); return cdp; });
  instead(context, "setOffline", (call, offline) => { view.undo.push(() => call(false)); return call(offline); });
  instead(page, "waitForFunction", (call, f, of, more) => call(f, of, { polling: 50, ...more })); // else a page that waits draws sixty frames a second
  context.setDefaultTimeout(patience);
  return view;
}

/** emptied closes other pages, clears cookies, storage, routes and listeners, and reports whether the window can be reused. */
async function emptied(view, base) {
  const { context, page } = view;
  await page.unrouteAll({ behavior: "ignoreErrors" });
  if (view.changed) return false;
  for (const other of context.pages()) if (other !== page) await other.close();
  await Promise.all(view.undo.splice(0).map((undo) => undo()));
  await page.goto(base + "/healthz", { timeout: 5_000 }); // which leaves the page, but not its process
  for (const event of ["dialog", "pageerror", "request", "requestfailed", "response"]) page.removeAllListeners(event);
  await page.mouse.move(0, 0);
  await context.clearCookies();
  return inPage(view.cdp, `localStorage.clear(); sessionStorage.clear(); navigator.serviceWorker.getRegistrations().then((list) => list.length === 0)`);
}

/** inPage runs a script. Playwright's evaluate first sends scripts of its own to a new document, and copies a long script several times. */
export async function inPage(cdp, expression) {
  const { result, exceptionDetails } = await cdp.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}

export class Person {
  /**
   * open opens a window; a fresh one has loaded nothing before. Errors of its pages are kept in errors. Pages are
   * rasterized only if drawn is true, the default with QUINTET_SHOTS: that takes a sixth of a scene's processor time.
   */
  static async open(browser, base, { name = "Ada", width = 1280, height = 900, language = process.env.QUINTET_LANG, fresh = false, drawn = !!process.env.QUINTET_SHOTS, colorScheme, contrast, forcedColors, reducedMotion, ...options } = {}) {
    const kind = JSON.stringify([base, options]), known = fresh ? -1 : idle.findLastIndex((v) => v.kind === kind);
    const view = known >= 0 ? idle.splice(known, 1)[0] : await make(browser, kind, { viewport: { width, height }, reducedMotion: "reduce", ...options });
    const p = Object.assign(new Person(), { base, view, context: view.context, page: view.page, errors: [] });
    view.closed = false;
    if (known >= 0) await p.page.setViewportSize({ width, height });
    await p.prefers({ colorScheme, contrast, forcedColors, reducedMotion });
    await p.context.addInitScript((n) => { if (!localStorage.getItem("quintet.name")) localStorage.setItem("quintet.name", JSON.stringify(n)); }, name);
    if (!drawn) await p.context.addInitScript(undrawn);
    if (language) await p.context.addCookies([{ name: "quintet-lang", value: language, url: base }]);
    p.page.on("pageerror", (e) => p.errors.push(String(e)));
    return p;
  }

  /** prefers emulates preferences of a device (colorScheme, contrast, forcedColors, reducedMotion); those that are not given are as in plain. */
  prefers(media) { this.media = media; return this.page.emulateMedia({ ...plain, ...Object.fromEntries(Object.entries(media).filter(([, how]) => how)) }); }

  /** window opens another window of the same person. */
  async window() {
    const p = Object.assign(new Person(), this, { page: await this.context.newPage() });
    await p.prefers(p.media);
    await p.page.setViewportSize(this.page.viewportSize());
    p.page.on("pageerror", (e) => p.errors.push(String(e)));
    return p;
  }

  /** focus returns what has the focus: its text, or the name of a cell. */
  focus() { return this.page.evaluate(() => document.activeElement.getAttribute("data-name") ?? (document.activeElement.id || document.activeElement.textContent)); }

  /** hears notes what live regions announce from now on, on every page that is opened; heard returns it. */
  async hears() {
    const note = () => {
      window.heard = [];
      const before = new Map();
      const look = () => {
        for (const e of document.querySelectorAll('main [role="status"], main [role="alert"], main [aria-live]')) {
          const text = e.textContent, was = before.get(e);
          before.set(e, text);
          if (text !== was && text !== "" && (was !== undefined || e.role === "alert")) window.heard.push(text); // what a region holds when it appears is announced of alerts alone
        }
      };
      new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
      look();
    };
    await this.context.addInitScript(note);
    await this.page.evaluate(note);
  }

  /** heard waits until something like a text has been announced, and forgets all that was. */
  async heard(like) {
    await this.page.waitForFunction(([source, flags]) => window.heard.some((t) => new RegExp(source, flags).test(t)), [like.source, like.flags]).catch(async (e) => { throw new Error(`${like} was not announced, but ${JSON.stringify(await this.page.evaluate(() => window.heard))}`, { cause: e }); });
    return this.page.evaluate(() => window.heard.splice(0));
  }

  /** focused waits until an element has the focus. */
  focused(selector) {
    return this.page.waitForFunction((s) => document.activeElement?.matches(s), selector).catch(async (e) => { throw new Error(`${selector} has not got the focus, but ${await this.focus()}`, { cause: e }); });
  }

  /** resize gives the window another size, and waits until the page has it and is painted. */
  async resize(width, height) {
    await this.page.setViewportSize({ width, height });
    await this.page.evaluate(async ([w, h]) => {
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      for (let n = 0; innerWidth !== w || innerHeight !== h; n++) {
        if (n === 900) throw new Error(`the window has ${innerWidth} by ${innerHeight} pixels, not ${w} by ${h}`);
        await frame();
      }
      await frame();
      return new Promise((done) => setTimeout(done));
    }, [width, height]);
  }

  /** close closes the window, or empties it for the next one; handlers of requests that are under way fail silently. */
  async close() {
    const { view, base } = this;
    if (view.closed) return;
    view.closed = true;
    const found = [...view.found.splice(0), ...await inPseudo(this, true)];
    if (!await emptied(view, base).catch(() => false)) await view.context.close(); // its page may be closed, or ask before it is left
    else idle.push(view);
    if (idle.length > mostIdle) await idle.shift().context.close();
    assert.deepEqual(found, [], "in the pseudo-language");
  }

  go(path) { return this.page.goto(this.base + path); }
  button(name) { return this.page.getByRole("button", { name, exact: true }); }

  /** looks checks the pages in the pseudo-language. Faults are reported when the window closes, so that the scene can continue. */
  async looks() { this.view.found.push(...await inPseudo(this)); }

  /** shot takes a screenshot if somebody wants them. */
  async shot(name) {
    await this.looks();
    if (process.env.QUINTET_SHOTS) await this.page.screenshot({ path: join(shots, name + ".png") });
  }

  /** more opens the part of the form that is folded away. */
  more() { return this.page.locator(".setup details.rest").evaluate((d) => { d.open = true; }); }

  /** offer offers a draw, and means it. */
  async offer() {
    await this.button("Offer draw").click();
    await this.button("Offer a draw now").click();
  }

  get id() { return new URL(this.page.url()).pathname.split("/")[2]; }

  cell(name) { return this.page.locator(`main [data-name="${name}" i]`); }

  /** cellsOf returns the names of the cells that a move touches. */
  static cellsOf(v, m) {
    const name = (i) => v.board.cols[i % v.board.cols.length] + v.board.rows[Math.floor(i / v.board.cols.length)];
    return [m.from, m.to].filter((i) => i !== undefined).map(name);
  }

  /** ready waits until the page shows a ply, at which the board can be played on. */
  async ready(ply) {
    await this.page.waitForFunction((n) => {
      const text = document.querySelector(".steps .at")?.textContent ?? "";
      return parseInt(text) === n;
    }, ply);
  }

  /** byMouse clicks the cells of a move, or drags the piece. */
  async byMouse(v, m, drag = false) {
    const cells = Person.cellsOf(v, m);
    if (cells.length === 0) return; // it happens by itself
    const boxes = [];
    for (const c of cells) boxes.push(await this.cell(c).locator(".ground").boundingBox());
    const middle = boxes.map((b) => [b.x + b.width / 2, b.y + b.height / 2]);
    if (drag && middle.length === 2) {
      await this.page.mouse.move(...middle[0]);
      await this.page.mouse.down();
      await this.page.mouse.move(...middle[1], { steps: 4 });
      return this.page.mouse.up();
    }
    for (const at of middle) await this.page.mouse.click(...at);
  }

  /** drag draws a finger from one cell to another; with cancel, the device takes the touch away. */
  async drag(from, to, { cancel = false } = {}) {
    const at = async (name) => {
      const b = await this.cell(name).locator(".ground").boundingBox();
      return { x: b.x + b.width / 2, y: b.y + b.height / 2 };
    };
    const [a, z] = [await at(from), await at(to)];
    const cdp = await this.context.newCDPSession(this.page);
    const touch = (type, ...touchPoints) => cdp.send("Input.dispatchTouchEvent", { type, touchPoints });
    await touch("touchStart", a);
    for (let i = 1; i <= 4; i++) await touch("touchMove", { x: a.x + ((z.x - a.x) * i) / 4, y: a.y + ((z.y - a.y) * i) / 4 });
    await touch(cancel ? "touchCancel" : "touchEnd");
  }

  /** byKeys walks to the cells of a move with the arrow keys, and presses Enter. */
  async byKeys(v, m) {
    const cells = Person.cellsOf(v, m);
    if (cells.length === 0) return; // it happens by itself
    await this.page.locator('main [role="gridcell"][tabindex="0"]').focus();
    await this.page.keyboard.press("PageUp"); // after a mouse, arrows to the sides step through the game until the board is used by keys
    for (const c of cells) {
      await this.walk(c);
      await this.page.keyboard.press("Enter");
    }
  }

  /** walk goes with the arrow keys from the cell that has the focus to another. */
  async walk(name) {
    const at = (i) => this.page.evaluate((n) => {
      const cells = [...document.querySelectorAll('main [role="row"]')].map((r) => [...r.querySelectorAll('[role="gridcell"]')]);
      const is = (c) => (n === null ? c === document.activeElement : c.dataset.name.toLowerCase() === n.toLowerCase());
      for (let r = 0; r < cells.length; r++) for (let c = 0; c < cells[r].length; c++) if (is(cells[r][c])) return [r, c];
      return null;
    }, i);
    const [from, to] = [await at(null), await at(name)];
    if (!from || !to) throw new Error(`no way from the focus ${from} to ${name} ${to}`);
    for (let r = from[0]; r !== to[0]; r += Math.sign(to[0] - r)) await this.page.keyboard.press(to[0] > r ? "ArrowDown" : "ArrowUp");
    for (let c = from[1]; c !== to[1]; c += Math.sign(to[1] - c)) await this.page.keyboard.press(to[1] > c ? "ArrowRight" : "ArrowLeft");
  }
}
