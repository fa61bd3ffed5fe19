// Progress with puzzles and lessons: this browser keeps it, and exchanges it with the visitor's account and class.

import { effect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { call, type Trouble, who } from "./api";
import { classOf, kept, learnt, solved, streak } from "./store";

/** Rating is an Elo rating against puzzles, after how many of them, and what the latest changed. */
export interface Rating {
  rating: number;
  puzzles: number;
  change: number;
}

export const ratings = kept<Record<string, Rating>>("ratings", {});

/** owner is the account whose progress this browser has; "" before it had an account. */
const owner = kept("progressOf", "");

const pause = 10_000; // milliseconds after a change

const signals = { puzzles: solved, lessons: learnt, ratings, streak };
type Progress = { [K in keyof typeof signals]: (typeof signals)[K]["value"] };
const names = Object.keys(signals) as (keyof Progress)[];
const own = (): Progress => Object.fromEntries(names.map((k) => [k, signals[k].peek()])) as Progress;

/** exchange sends what this browser has and takes what the account has, unless something has changed meanwhile. */
async function exchange(): Promise<void> {
  const name = who.peek()!.name, fresh = owner.peek() !== "" && owner.peek() !== name;
  const sent: Progress = fresh ? { puzzles: {}, lessons: {}, ratings: {}, streak: { last: "", run: 0, best: 0 } } : own(); // the progress of another account stays with that
  const before = own();
  let all = sent;
  if (who.peek()!.guest === false) all = await call<Progress>("POST", "/api/account/progress", all);
  if (classOf.peek()) all = await toClass(all);
  owner.value = name;
  for (const k of names) if (signals[k].peek() === before[k] && JSON.stringify(before[k]) !== JSON.stringify(all[k])) (signals[k] as { value: unknown }).value = all[k];
}

/** toClass exchanges a student's progress with the class, if the student is still in it. */
async function toClass(sent: Progress): Promise<Progress> {
  try {
    return await call<Progress>("POST", `/api/classes/${classOf.peek()}/progress`, sent);
  } catch (e) {
    if ((e as Trouble).status !== 404) throw e;
    classOf.value = "";
    return sent;
  }
}

/** useSyncedProgress keeps the progress of an account or a student up to date while a page shows it. */
export function useSyncedProgress(): void {
  const signed = who.value?.guest === false || !!who.value && classOf.value !== "";
  useEffect(() => {
    if (!signed) return;
    let timer = 0, known: Progress | null = null;
    const send = (): void => void exchange().then(() => { known = own(); }, () => {}); // it is sent later, or when a page is opened
    const changed = (): boolean => !!known && names.some((k) => known![k] !== signals[k].peek());
    const hide = (): void => { if (document.hidden && changed()) send(); };
    const stop = effect(() => {
      for (const k of names) void signals[k].value; // any change of them
      clearTimeout(timer);
      if (changed()) timer = setTimeout(() => { if (changed()) send(); }, pause);
    });
    send();
    document.addEventListener("visibilitychange", hide);
    return () => {
      stop();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", hide);
    };
  }, [signed]);
}
