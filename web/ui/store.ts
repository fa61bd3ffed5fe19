// What this browser stores: a name, games and settings. Seats are held by cookies, which
// scripts cannot read.

import { computed, effect, signal, type Signal } from "@preact/signals";

const prefix = "quintet.";

function load<T>(key: string, fallback: T): T {
  try {
    const text = localStorage.getItem(prefix + key);
    return text === null ? fallback : { ...wrap(fallback), ...wrap(JSON.parse(text)) }.v as T;
  } catch {
    return fallback; // storage is switched off, or holds something else
  }
}

/** wrap merges objects and replaces everything else. */
const wrap = (v: unknown): { v: unknown } => ({ v });

function save(key: string, value: unknown): void {
  try {
    localStorage.setItem(prefix + key, JSON.stringify(value));
  } catch {
    // storage is full or switched off: it is forgotten with the page
  }
}

/** kept is a signal stored in this browser. */
export function kept<T>(key: string, fallback: T): Signal<T> {
  const s = signal(load(key, fallback));
  effect(() => save(key, s.value));
  return s;
}

export type Material = "own" | "wood" | "slate";
export type Set = "turned" | "plain";
export type Theme = "auto" | "light" | "dark" | "contrast";

export const userName = kept("name", "");
export const theme = kept<Theme>("theme", "auto");
export const material = kept<Material>("material", "own");
export const set = kept<Set>("set", "turned");
export const shapes = kept("shapes", false);
export const sound = kept("sound", true); // browsers keep silent until the page was touched
/** how loud sounds are, from 0 to 100 */
export const volume = kept("volume", 60);
export const hints = kept("hints", true);
/** whether an engine's reply waits until the player's own move was visible */
export const pace = kept("pace", true);
/** whether moves are animated */
export const motion = kept("motion", true);
/** the factor by which animations are slower */
export const speed = kept("speed", 1);
/** the size of the board, as a percentage of the available space */
export const boardSize = kept("boardSize", 100);
/** whether the hint about attacked kings was shown */
export const toldOfKings = kept("toldOfKings", false);
/** whether the field for typed moves is open: from the first, where there is room */
export const typing = kept("typing", matchMedia("(min-width: 62rem) and (min-height: 40rem)").matches);

/** Mine is a game in which this browser has a seat. */
export interface Mine {
  id: string;
  at: number;
  key?: string; // of a private game, for those who are to be invited
  over?: boolean;
}

export const mine = signal(load<Mine[]>("games", []));

const most = 64; // games that are remembered: as many as the server gives cookies for

/** change updates the stored list, which other windows may have changed. */
function change(how: (list: Mine[]) => Mine[]): void {
  mine.value = how(load<Mine[]>("games", mine.peek()));
  save("games", mine.value);
}

addEventListener("storage", (e) => { if (e.key === `${prefix}games`) mine.value = load<Mine[]>("games", []); });

/** remember puts a game at the front of the list. It keeps a known key. */
export function remember(id: string, key?: string | null): void {
  change((list) => fit([{ id, at: Date.now(), key: key ?? list.find((g) => g.id === id)?.key }, ...list.filter((g) => g.id !== id)]));
}

/** fit limits the list: it drops the oldest finished games, then the oldest. */
function fit(list: Mine[]): Mine[] {
  if (list.length <= most) return list;
  const out = list.findLastIndex((g) => g.over);
  return fit(list.filter((_, i) => i !== (out < 0 ? list.length - 1 : out)));
}

/** finish stores when a game ended, so that the newest are listed first. */
export function finish(id: string, at: number): void {
  if (mine.peek().some((g) => g.id === id && !g.over)) change((list) => list.map((g) => (g.id === id ? { ...g, at, over: true } : g)));
}

/** forget removes a game that was aborted or no longer exists. */
export function forget(id: string): void {
  if (isMine(id)) change((list) => list.filter((g) => g.id !== id));
}

/** isMine reports whether this browser has a seat in a game. */
export const isMine = (id: string): boolean => mine.peek().some((g) => g.id === id);

/** keyTo is the key of a private game, if this browser knows it. */
export const keyTo = (id: string): string | undefined => mine.peek().find((g) => g.id === id)?.key;

/** solved has what this browser made of puzzles, by game and ID: solved at the first try (true), later (false), tried in vain so far (null). */
export const solved = kept<Record<string, Record<string, boolean | null>>>("puzzles", {});

/** learnt lists the completed steps of each game's lesson by number. */
export const learnt = kept<Record<string, number[]>>("lessons", {});

/** classOf is the class that the visitor attends as a student; "" for none. */
export const classOf = kept("classOf", "");

/** Streak is on how many successive days (UTC) this browser solved a puzzle of the day. */
export const streak = kept<{ last: string; run: number; best: number }>("streak", { last: "", run: 0, best: 0 });

/** streakOn returns the streak on a day: one day without a puzzle ends it. */
export const streakOn = (day: string): number => (Date.parse(day) - Date.parse(streak.value.last) <= 86_400_000 ? streak.value.run : 0);

/** Choices are those of the last set-up, by field. */
export const choices = kept<Record<string, string>>("choices", {});

effect(() => { document.documentElement.dataset.material = material.value; });
effect(() => { document.documentElement.dataset.set = set.value; });
effect(() => { document.documentElement.style.setProperty("--speed", String(speed.value)); });
effect(() => { document.documentElement.style.setProperty("--zoom", String(Math.min(100, Math.max(50, boardSize.value)) / 100)); });
effect(() => { document.documentElement.dataset.motion = motion.value ? "on" : "off"; });

/** drawShapes makes the sides differ by shape, too. */
export const drawShapes = (): boolean => shapes.value || highContrast.value;

const moreContrast = matchMedia("(prefers-contrast: more)"), deviceContrast = signal(moreContrast.matches);
moreContrast.addEventListener("change", () => { deviceContrast.value = moreContrast.matches; });

/** highContrast is whether that theme is shown: chosen, or what the device asks for. */
export const highContrast = computed(() => theme.value === "contrast" || (theme.value === "auto" && deviceContrast.value));

effect(() => { document.documentElement.dataset.theme = highContrast.value ? "contrast" : theme.value; });
