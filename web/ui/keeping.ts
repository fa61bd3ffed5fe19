// The games that are kept in this browser, each under a key of its own: its moves, and who plays. None is
// removed or replaced but when its player says so.

import { signal } from "@preact/signals";
import { sides, type Both, type Seat, type Side } from "./types";

/** Kept is a game on this device. */
export interface Kept {
  v: 1; // the version of this format
  id: string;
  game: string;
  options: Record<string, string>;
  position?: string; // where it starts, if not as the options say
  moves: string[];
  seats: Both<Seat>;
  seed: number; // of the errors of a level
  result: string; // "ongoing", "first wins", "second wins" or "draw"
  reason: string;
  created: string;
  updated: string;
  study?: string; // the address of its copy on the server
  upload?: { key: string; of: string }; // the idempotency key of the last upload, and `updated` at that time
}

/** Other is a game that a newer version has stored, or that is damaged: it is shown, and never changed. */
export interface Other {
  id: string;
  text: string;
}

const prefix = "quintet.device.";

/** most is how many games are kept: a game has at most a few kilobytes, and a browser keeps five million letters. */
export const most = 200;

/** unsaved is the game that could not be stored, if there is one: only this page has it. */
export const unsaved = signal<Kept | null>(null);

/** reading counts the changes that other windows have made. */
export const changes = signal(0);

addEventListener("storage", (e) => { if (e.key === null || e.key.startsWith(prefix)) changes.value++; });
addEventListener("beforeunload", (e) => { if (unsaved.peek()) e.preventDefault(); });

/** ids lists the games that are stored. */
function ids(): string[] {
  try {
    return Object.keys(localStorage).filter((k) => k.startsWith(prefix)).map((k) => k.slice(prefix.length));
  } catch {
    return []; // storage is switched off
  }
}

const isText = (v: unknown): v is string => typeof v === "string";

/** isKept reports whether a stored value is a game of this version. */
function isKept(v: Partial<Kept> | null): v is Kept {
  return v?.v === 1 && [v.game, v.result, v.reason, v.created, v.updated].every(isText) && Array.isArray(v.moves) && v.moves.every(isText) && sides.every((s) => isText(v.seats?.[s]?.name)) && typeof v.options === "object";
}

/** read returns a game, or what is stored of it; null if nothing is. */
export const read = (id: string): Kept | Other | null => (unsaved.peek()?.id === id ? unsaved.peek() : stored(id));

/** stored returns a game as it is stored. */
export function stored(id: string): Kept | Other | null {
  try {
    const text = localStorage.getItem(prefix + id);
    return text === null ? null : parsed(id, text);
  } catch {
    return null; // storage is switched off
  }
}

function parsed(id: string, text: string): Kept | Other {
  try {
    const v = JSON.parse(text);
    return isKept(v) ? { ...v, id } : { id, text };
  } catch {
    return { id, text };
  }
}

/** list returns all games, the newest first, and what is not understood last. */
export function list(): (Kept | Other)[] {
  const when = (g: Kept | Other): string => ("v" in g ? g.updated : "");
  return ids().map(stored).filter((g) => g !== null).sort((a, b) => when(b).localeCompare(when(a)));
}

export const isFull = (): boolean => ids().length >= most;

/** keep stores a game, but not in place of another version's. If it cannot, the page says so, and asks before it is left. */
export function keep(g: Kept): void {
  const now = stored(g.id);
  try {
    if (now && !("v" in now)) throw new Error("another version");
    localStorage.setItem(prefix + g.id, JSON.stringify(g));
    if (unsaved.peek()?.id === g.id) unsaved.value = null;
  } catch {
    unsaved.value = g;
  }
}

/** drop deletes a game. */
export function drop(id: string): void {
  try {
    localStorage.removeItem(prefix + id);
  } catch {
    // storage is switched off: nothing is there
  }
  changes.value++;
}

/** begun returns a new game. */
export function begun(g: Pick<Kept, "game" | "options" | "position" | "seats">): Kept {
  const [seed, id] = crypto.getRandomValues(new Uint32Array(2)), now = new Date();
  return { v: 1, ...g, id: `${now.getTime().toString(36)}${id.toString(36)}`, moves: [], seed, result: "ongoing", reason: "", created: now.toISOString(), updated: now.toISOString() };
}

/** people are the sides that are played at this device. */
export const people = (g: Kept): Side[] => sides.filter((s) => !g.seats[s].engine);
