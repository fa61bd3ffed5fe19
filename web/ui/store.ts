// What this browser remembers: a name, games, and how things are to look. The
// seats themselves are held by cookies, which scripts cannot read.

import { effect, signal, type Signal } from "@preact/signals";

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

/** kept is a value that this browser remembers. */
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
/** whether an engine's reply waits until one's own move was seen */
export const pace = kept("pace", true);
/** whether moves are animated */
export const motion = kept("motion", true);
/** by how much longer animations take than usual */
export const speed = kept("speed", 1);
/** the size of the board, as a percentage of the room that there is */
export const boardSize = kept("boardSize", 100);
/** whether it was said what an attacked king means */
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

/** change changes the list as it is in all windows, not as this one has read it once. */
function change(how: (list: Mine[]) => Mine[]): void {
  mine.value = how(load<Mine[]>("games", mine.peek()));
  save("games", mine.value);
}

addEventListener("storage", (e) => { if (e.key === `${prefix}games`) mine.value = load<Mine[]>("games", []); });

/** remember puts a game to the front of those to come back to. A key that is known stays known. */
export function remember(id: string, key?: string | null): void {
  change((list) => fit([{ id, at: Date.now(), key: key ?? list.find((g) => g.id === id)?.key }, ...list.filter((g) => g.id !== id)]));
}

/** fit drops what is too much: the oldest games that are over, then the oldest. */
function fit(list: Mine[]): Mine[] {
  if (list.length <= most) return list;
  const out = list.findLastIndex((g) => g.over);
  return fit(list.filter((_, i) => i !== (out < 0 ? list.length - 1 : out)));
}

/** finish notes when a game came to its end, so that the newest are listed first. */
export function finish(id: string, at: number): void {
  if (mine.peek().some((g) => g.id === id && !g.over)) change((list) => list.map((g) => (g.id === id ? { ...g, at, over: true } : g)));
}

/** forget takes a game that was called off, or is gone, from the list. */
export function forget(id: string): void {
  if (mine.peek().some((g) => g.id === id)) change((list) => list.filter((g) => g.id !== id));
}

/** keyTo is the key of a private game, if this browser knows it. */
export const keyTo = (id: string): string | undefined => mine.peek().find((g) => g.id === id)?.key;

/** Choices are those of the last set-up, by what they are. */
export const choices = kept<Record<string, string>>("choices", {});

effect(() => { document.documentElement.dataset.material = material.value; });
effect(() => { document.documentElement.dataset.set = set.value; });
effect(() => { document.documentElement.style.setProperty("--speed", String(speed.value)); });
effect(() => { document.documentElement.style.setProperty("--zoom", String(Math.min(100, Math.max(50, boardSize.value)) / 100)); });
effect(() => { document.documentElement.dataset.motion = motion.value ? "on" : "off"; });

/** drawShapes says whether the sides differ by form, too. */
export const drawShapes = (): boolean => shapes.value || theme.value === "contrast";

effect(() => {
  const contrast = matchMedia("(prefers-contrast: more)");
  document.documentElement.dataset.theme = theme.value === "auto" && contrast.matches ? "contrast" : theme.value;
});
