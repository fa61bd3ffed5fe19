// Checks every scene in the pseudo-language (⟦Ñéw gámé xxx⟧, 40 % longer). When a scene takes a screenshot, runs axe or
// closes a window, the pages are redrawn in it and checked. Text that stays English is not translated, and a layout that
// breaks would also break in longer languages. A select may cut off its choice, a page may scroll, and the brackets
// around the name of a game have no room on a small tile.

import { readdirSync, readFileSync } from "node:fs";
import { faultsHere } from "./faults.mjs";

const seen = new Set(); // what was looked at: sizes of windows and texts without numbers

// What is not translated: what users write, moves, and announcements that were made before.
const own = ":is(.who, .name, .names, .line, .player, .comment, .move, .hidden, .typed input, code, pre, textarea, script, style, noscript, option[lang], [autocomplete=nickname])";

// Names of people, classes and tournaments in scenes, and dates; guests have names of two words.
const names = /\b(Quintet|Three stones|Ada|Grace|Germain|Lagrange|Hypatia|Lovelace|Turing|Hopper|Noether|Rascal|Lamarr|Ramanujan|Guest|Algorithms|Fridays|Evening of the club|Chrome|Linux|[A-Z][a-z]+ [A-Z][a-z]+|Where it began|https:\/\/moodle\.example|tool|[A-Z][a-z]{2} \d+)\b/g;

/** state returns what a page shows, as a text; "" if it is none of ours, or if a scene notes what it announces or moves. */
const state = (page, closes) => page.evaluate(([own, closes]) => {
  if (!document.getElementById("app")?.__k || ("heard" in window || "shifted" in window) && !closes) return "";
  const texts = new Set(), nodes = document.createTreeWalker(document.getElementById("app"), NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) if (!nodes.currentNode.parentElement.closest(own)) texts.add(nodes.currentNode.data.replace(/\b\w?\d+/g, ""));
  return [innerWidth, innerHeight, ...[...texts].sort()].join();
}, [own, closes]);

/** draw draws a page in the pseudo-language or in English, inside of the page and before anything else happens in it. */
const draw = async (pseudo) => {
  const accents = { a: "á", e: "é", i: "í", o: "ó", u: "ú", y: "ý", A: "Á", E: "É", I: "Í", O: "Ó", U: "Ú", n: "ñ" };
  const longer = (text) => `⟦${text.replace(/\{\w+\}|[aeiouyAEIOUn]/g, (c) => accents[c] ?? c)}${" xxxx".repeat(text.length).slice(0, text.replace(/\{\w+\}/g, "").length * 2 / 5)}⟧`;
  const { words } = quintet, english = window.english ??= {};
  for (const key of Object.keys(words)) if (pseudo && key !== "numbers" && !words[key].startsWith("⟦")) [english[key], words[key]] = [words[key], longer(words[key])];
  if (!pseudo) Object.assign(words, english);
  const whole = window.whole ??= new CSSStyleSheet(), others = document.adoptedStyleSheets.filter((s) => s !== whole);
  whole.replaceSync("* { content-visibility: visible !important }"); // what is far below is laid out, too
  document.adoptedStyleSheets = pseudo ? [...others, whole] : others;
  const again = (node) => {
    node?.__c?.forceUpdate();
    for (const child of node?.__k ?? []) again(child);
  };
  for (const child of document.getElementById("app").__k.__k) again(child);
  for (let n = 0; n < 20; n++) await null; // Preact draws in a microtask, and its effects may draw again
};

/** texts returns the texts of a page with their elements, inside of the page. */
const texts = (own) => {
  const list = [], nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), add = (text, e) => { if (!e.closest(own)) list.push([text, `<${e.tagName.toLowerCase()} class="${e.getAttribute("class") ?? ""}">`]); };
  while (nodes.nextNode()) add(nodes.currentNode.data, nodes.currentNode.parentElement);
  for (const a of ["aria-label", "title", "placeholder"]) for (const e of document.querySelectorAll(`[${a}]`)) add(e.getAttribute(a), e);
  return list;
};

/** look draws a page in the pseudo-language, looks at it, and draws it in English, in one task: nothing arrives meanwhile that the page would say in the pseudo-language. */
const look = (page) => page.evaluate(`(async () => {
  const draw = ${draw};
  await draw(true);
  const seen = { texts: (${texts})(${JSON.stringify(own)}), faults: (${faultsHere})([]) };
  await draw(false);
  return seen;
})()`);

// All texts that are translated: those of the pages, and what the rules and the judge say. A page keeps the text of an
// error as it was said.
const here = (name) => new URL(name, import.meta.url);
const catalogue = readdirSync(here("../strings")).flatMap((name) => Object.values(JSON.parse(readFileSync(here(`../strings/${name}`)))));
const { pages, ...said } = JSON.parse(readFileSync(here("../../internal/lang/ja.json")));
const filled = /\{\w+\}|%[sd]/g;
const kept = [...catalogue, ...Object.values(said).flatMap(Object.keys)].filter((text) => /[A-Za-z]{3}/.test(text.replace(filled, "")))
  .map((text) => new RegExp(`^${text.trim().split(filled).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".+")}[.]?$`, "si"));

/** untranslated returns the texts of a page in the pseudo-language that have English words but are in no catalogue. */
function untranslated(list) {
  return list.filter(([text]) => {
    let rest = text;
    while (/⟦[^⟦⟧]*⟧/.test(rest)) rest = rest.replace(/⟦[^⟦⟧]*⟧/g, " ");
    rest = rest.replace(/^[^⟦]*⟧|⟦.*$/gs, " "); // a text of several lines has a node for each
    return /[A-Za-z]{3}/.test(rest.replace(names, " ")) && !kept.some((k) => k.test(text.trim()));
  }).map(([text, where]) => `"${text}" is English, in ${where}`);
}

/** inPseudo looks at the pages of a person in the pseudo-language, and returns what is wrong. */
export async function inPseudo(p, closes = false) {
  const found = [];
  for (const page of process.env.QUINTET_LANG ? [] : p.context.pages()) {
    const shown = await state(page, closes).catch(() => ""); // the page may be closed, or be left right now
    if (shown === "" || seen.has(shown)) continue;
    try {
      const { texts, faults } = await look(page);
      const { width, height } = page.viewportSize();
      for (const f of [...untranslated(texts), ...faults]) if (!/page scrolls|beside the arrow|^⟦(Néíghbórs|Cóññéct6) xx⟧⟦/.test(f)) found.push(`${new URL(page.url()).pathname}, ${width}x${height}: ${f}`);
      seen.add(shown);
    } catch (e) {
      if (!/closed|destroyed|navigat/i.test(e.message)) throw e; // the page is gone
    }
  }
  return found;
}
