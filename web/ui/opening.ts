// Where an analysis comes from: the address names a position, a game or a review, and
// a reloaded page restores its draft.

import { effect } from "@preact/signals";
import { Analysing } from "./analysing";
import { call, show } from "./api";
import { keys, remember } from "./sharing";
import { factsOf, type Start } from "./shots";
import { Syncing, treeOf, type Study } from "./syncing";
import { rootId, Tree, type WireNode } from "./tree";
import { boot } from "./words";

/** Opened is an analysis, with its study if it is shared. */
export interface Opened {
  a: Analysing;
  sync: Syncing | null;
}

/** begin opens the analysis that the address names. */
export async function begin(): Promise<Opened> {
  if (boot.page === "study") return beginStudy(boot.id!);
  const draft = readDraft();
  if (draft) return { a: await opened(new Analysing(draft.start, new Tree(draft.nodes)), draft.at), sync: null };
  const { start, moves } = await source(new URLSearchParams(location.search));
  const tree = new Tree();
  if (moves.length > 0) (await factsOf(start, moves)).moves.reduce((parent, m, i) => {
    tree.apply({ do: "add", id: `m${i}`, parent, move: m.move, san: m.san, cells: { from: m.from, to: m.to } });
    return `m${i}`;
  }, rootId);
  return { a: await opened(new Analysing(start, tree)), sync: null };
}

async function beginStudy(id: string): Promise<Opened> {
  const given = new URLSearchParams(location.search).get("key"), key = given ?? keys.peek()[id] ?? "";
  const study = await call<Study>("GET", `/api/studies/${encodeURIComponent(id)}${key && `?key=${encodeURIComponent(key)}`}`);
  if (given && study.editable) remember(id, given);
  const a = new Analysing({ game: study.game, position: study.position }, treeOf(study));
  const sync = new Syncing(a, study, key);
  await a.open();
  return { a, sync };
}

async function opened(a: Analysing, at?: string): Promise<Analysing> {
  await a.open(at !== undefined && a.tree.nodes.has(at) ? at : undefined);
  return a;
}

/** source loads what the address names. */
async function source(q: URLSearchParams): Promise<{ start: Start; moves: string[] }> {
  const from = q.get("from"), review = q.get("review");
  if (from) {
    const v = await show(from);
    return { start: { game: v.game, position: v.start }, moves: v.moves };
  }
  if (review) {
    const v = await call<{ game: string; position: string; moves: string[] }>("GET", `/api/reviews/${encodeURIComponent(review)}`);
    return { start: { game: v.game, position: v.position }, moves: v.moves };
  }
  return { start: { game: boot.id!, position: q.get("position") ?? undefined }, moves: (q.get("moves") ?? "").split(/[\s,]+/).filter(Boolean) };
}

interface Draft {
  start: Start;
  nodes: WireNode[];
  at: string;
}

const draftKey = (): string => `quintet.analysis:${location.pathname}${location.search}`;

/** readDraft returns the draft stored before the page was reloaded. */
function readDraft(): Draft | null {
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (visit?.type === "navigate") return null;
  try {
    return JSON.parse(sessionStorage.getItem(draftKey()) ?? "null") as Draft | null;
  } catch {
    return null; // storage is switched off, or holds something else
  }
}

const pause = 500; // milliseconds

/** keepDraft stores a private analysis for as long as the window is open. It returns a function that stops that. */
export function keepDraft(a: Analysing): () => void {
  let timer = 0;
  const keep = (): void => {
    if (a.editor) return; // the server keeps it
    try {
      sessionStorage.setItem(draftKey(), JSON.stringify({ start: a.start, nodes: a.tree.wire(), at: a.at.peek() } satisfies Draft));
    } catch {
      // storage is full or switched off: it is lost with the page
    }
  };
  const stop = effect(() => {
    a.changes.value; a.at.value;
    clearTimeout(timer);
    timer = window.setTimeout(keep, pause);
  });
  addEventListener("pagehide", keep);
  return () => { stop(); clearTimeout(timer); removeEventListener("pagehide", keep); };
}
