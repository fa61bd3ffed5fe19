// What forms of pages share: sending them, their values, and their errors.

import { useState } from "preact/hooks";
import type { JSX, TargetedSubmitEvent } from "preact";
import type { Trouble } from "./api";
import { facts, gameTitle, language } from "./words";

/** time writes a time of day in the language of the page. */
export const time = (text: string): string => new Date(text).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });

/** useSending runs the request of a form and keeps its error. */
export function useSending(): { trouble: string; send: (work: () => Promise<unknown>) => void } {
  const [trouble, setTrouble] = useState("");
  const send = (work: () => Promise<unknown>): void => void work().then(() => setTrouble(""), (e: Trouble) => setTrouble(e.message));
  return { trouble, send };
}

/** values returns the fields of a form. */
export const values = (e: TargetedSubmitEvent<HTMLFormElement>): Record<string, string> => {
  e.preventDefault();
  return Object.fromEntries([...new FormData(e.currentTarget)].map(([k, v]) => [k, String(v)]));
};

export const Alert = ({ text }: { text: string }): JSX.Element | null => (text ? <p class="trouble" role="alert">{text}</p> : null);

/** gameOptions lists the games as options of a select. */
export const gameOptions = (): JSX.Element[] => facts.games.map((g) => <option key={g.name} value={g.name}>{gameTitle(g.name)}</option>);
