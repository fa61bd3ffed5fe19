// Every text comes from the catalogue in web/strings: see say.

import { sides, type Boot, type Facts, type GameFact, type Look, type Side, type View } from "./types";

export const boot: Boot = JSON.parse(document.getElementById("boot")!.textContent!);
declare const quintet: Facts; // set by the script with the facts

export const facts: Facts = quintet;
export const language = document.documentElement.lang;

/** setupPage is the page on which a game is set up: on a static site there is no other than that of games on this device. */
export const setupPage = boot.local ? "/device" : "/new";

/** loadWords adds a catalogue that the first page does not need: web/strings/en.PART.json. */
export async function loadWords(part: string): Promise<void> {
  const words: { default: Record<string, string> } = await import(new URL(`words.${language}.${part}.js`, import.meta.url).href);
  Object.assign(facts.words, words.default);
}

/** phrase translates an English sentence of the rules or the server; other languages than English set it: see sentence.ts. */
export const phrases = { of: (text: string): string => text };
export const phrase = (text: string): string => phrases.of(text);

type Values = Record<string, string | number>;

/** say returns the text of a key, with the values filled in for {names}. */
export function say(key: string, values: Values = {}): string {
  const text = facts.words[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (all, name) => (name in values ? String(values[name]) : all));
}

export const has = (key: string): boolean => key in facts.words;

/** listed returns a list as a text: "A, B, C" in English. */
export const listed = (parts: string[]): string => parts.join(say("list.separator"));

const rules = new Intl.PluralRules(language);

/** count returns the text of a number of things: the keys key.one, key.other and so on. */
export function count(key: string, n: number, shown = new Intl.NumberFormat(language).format(n)): string {
  const exact = `${key}.${rules.select(n)}`;
  return say(has(exact) ? exact : `${key}.other`, { n: shown });
}

export function gameFact(name: string): GameFact {
  return facts.games.find((g) => g.name === name) ?? facts.games[0];
}

export const lookOf = (game: string): Look => gameFact(game).look;

/** chessmen reports whether a game is played with the men of chess. */
export const chessmen = (game: string): boolean => lookOf(game).set === "chessmen";

/** dress returns the attributes by which the style sheets know the board and the pieces of a game. */
export function dress(game: string): Record<string, string> {
  const { ground, set } = lookOf(game);
  return { "data-game": game, "data-ground": ground, "data-pieces": set };
}

/** gameTitle is the short name of a game, its own if the catalogue has none. */
export const gameTitle = (name: string): string => (has(`game.${name}`) ? say(`game.${name}`) : gameFact(name).title);

/** sideName is what a side of a game is called. */
export function sideName(game: string, side: Side): string {
  const own = gameFact(game).sides[sides.indexOf(side)];
  const key = `side.${own.toLowerCase()}`;
  return has(key) ? say(key) : own;
}

/** playerName is the name of a player; engines are called by their level, or what they do. */
export function playerName(seat: { name: string; engine?: string }): string {
  const level = /^level:(\d+)$/.exec(seat.engine ?? "");
  if (level) return say("engine.level", { n: level[1] });
  return seat.engine && has(`engine.${seat.engine}`) ? say(`engine.${seat.engine}`) : seat.name;
}

/** places returns how many stones are left to place in the turn, as the board's note says it; 0 where it does not. */
export const places = (v: View): number => Number(/^\S+ places (\d+)$/.exec(v.board.note)?.[1] ?? 0);

/** resultText returns the result of a game and its reason, if it was not the rules: those need the board (see ending.ts). */
export function resultText(v: Pick<View, "game" | "result" | "reason">): string {
  const how = say(`reason.${v.reason || "rules"}`);
  if (v.result === "first wins") return say("status.won", { side: sideName(v.game, "first"), how }).trim();
  if (v.result === "second wins") return say("status.won", { side: sideName(v.game, "second"), how }).trim();
  return v.result === "draw" ? say("status.drawn", { how }).trim() : how;
}

/** pieceName says what stands on a cell. */
export function pieceName(game: string, code: string): string {
  if (code === "") return say("piece.none");
  if (code === "#") return say("piece.pit");
  const side = sideName(game, code[0] === "1" ? "first" : "second");
  const key = `piece.${code[1]}`;
  return has(key) ? say(key, { side }) : say("piece.other", { side, kind: code[1] });
}

const spans: [Intl.RelativeTimeFormatUnit, number][] = [["day", 86_400_000], ["hour", 3_600_000], ["minute", 60_000]];
const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" });

/** ago says how long ago a moment was, in the largest unit that fits; "" for less than a minute. */
export function ago(time: string): string {
  const since = Date.now() - Date.parse(time);
  const span = spans.find(([, ms]) => since >= ms);
  return span ? relative.format(-Math.floor(since / span[1]), span[0]) : "";
}
