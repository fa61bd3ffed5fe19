// Requests to the server. A request that fails throws a Trouble, whose message is
// for people.

import { signal } from "@preact/signals";
import type { Both, Problem, Replay, Side, View } from "./types";
import { boot, has, language, phrase, say } from "./words";

export class Trouble extends Error {
  constructor(message: string, readonly status: number, readonly code = "", readonly field = "", readonly detail = "") {
    super(message);
  }
}

/** troubleOf translates a problem into the page's language, or keeps the server's text if it cannot. */
export function troubleOf(p: Partial<Problem>, status: number): Trouble {
  const key = `problem.${p.reason}`;
  const until = p.until ? new Date(p.until).toLocaleTimeString(language) : "";
  const text = has(key) ? say(key, { until, why: phrase(p.error ?? "") }) : p.error ?? say("error.status", { status });
  return new Trouble(text, status, p.code, p.field, p.error);
}

/** call sends a request and returns its answer. */
export async function call<T>(method: string, path: string, body?: unknown, key?: string): Promise<T> {
  if (boot.local) return locally(method, path, body);
  if (method !== "GET" && !who.peek()) await (asked ?? look()).catch(() => {});
  const headers: Record<string, string> = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  const response = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) }).catch(() => null);
  if (!response && alone()) return locally(method, path, body);
  if (!response) throw new Trouble(say("error.connection"), 0); // it comes back
  const data = await response.json().catch(() => ({}));
  if (!response.ok) throw troubleOf(data, response.status);
  return data as T;
}

/** alone reports whether the browser engine answers what fails: there is no network, or the site is an app. */
export const alone = (): boolean => !navigator.onLine || !!navigator.serviceWorker?.controller;

/** locally asks the engine in the page. */
export async function locally<T>(method: string, path: string, body?: unknown): Promise<T> {
  const [status, text] = await import("./local").then((m) => m.answer(method, path, body), () => [0, ""] as const);
  if (status === 200) return JSON.parse(text);
  throw status ? troubleOf(JSON.parse(text), status) : new Trouble(say("error.connection"), 0);
}

/** newKey returns an idempotency key. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");

/** withKey adds the key of a private game, taken from the page's address. */
export function withKey(path: string): string {
  const key = new URLSearchParams(location.search).get("key");
  return key ? `${path}${path.includes("?") ? "&" : "?"}key=${encodeURIComponent(key)}` : path;
}

/** pathOf returns the path of a game's page. */
export const pathOf = (id: string, key?: string): string => `/g/${id}${key ? `?key=${encodeURIComponent(key)}` : ""}`;

export interface Created {
  id: string;
  url: string;
  key?: string;
  token?: string;
  side?: Side;
}

export interface Listed {
  id: string;
  url: string;
  game: string;
  options: Record<string, string>;
  state: View["state"];
  clock: View["clock"];
  seats: View["seats"];
  ply: number;
  result: string;
  reason: string;
  rated?: boolean;
  changes?: Both<number>; // of the players' ratings
  side?: Side; // of the person whose games are listed
  watching: number;
  updated: string;
}

export const create = (body: unknown): Promise<Created> => call("POST", withKey("/api/games"), body, newKey()); // the key is that of a private game to go on from
export const sit = (id: string, side: Side, name: string): Promise<unknown> =>
  call("POST", withKey(`/api/games/${id}/seats/${side}`), { name }, newKey());
export const show = (id: string): Promise<View> => call("GET", withKey(`/api/games/${id}`));
export const formsOf = async (id: string): Promise<string[]> => (await call<{ forms: string[] }>("GET", withKey(`/api/games/${id}/forms`))).forms;
export const list = (query: string): Promise<{ games: Listed[] }> => call("GET", `/api/games?${query}`);
export const replay = (question: { game: string; options?: Record<string, string>; position?: string; moves?: string[]; list?: boolean }): Promise<Replay> =>
  call("POST", "/api/replay", question);

/** sentence turns an error's reason into a sentence in the language of the page. */
export function sentence(why: string): string {
  const own = phrase(why);
  return own === why ? why && `${why[0].toUpperCase()}${why.slice(1)}.` : own;
}

/** whyIllegal asks the server why a move is illegal in a position; "" if there is no reason. */
export async function whyIllegal(game: string, position: string, move: string): Promise<string> {
  try {
    await replay({ game, position, moves: [move] });
    return "";
  } catch (e) {
    const why = /: ([^:]+)$/.exec((e as Trouble).detail)?.[1] ?? "";
    return sentence(why);
  }
}

/** Who is the visitor: a guest with a friendly name, or somebody with an account. */
export interface Who {
  name: string;
  guest: boolean;
  role?: string;
  created?: string;
  keyed?: boolean; // the account has passkeys and no password
  challenges?: number; // that wait
  vacation?: { until?: string; days: number };
}

/** accountAsked counts how often the account dialog was asked for. */
export const accountAsked = signal(0);

/** who is null until the server has answered. */
export const who = signal<Who | null>(null);

/** asked is the latest question who the visitor is. Its answer makes a new browser a guest, by a cookie: commands wait for it, so that the cookie of a sign-in is not replaced. */
let asked: Promise<Who> | undefined;

/** look fetches the visitor from the server. */
export async function look(): Promise<void> {
  asked = call<Who>("GET", "/api/account");
  who.value = await asked;
}
