// A tournament as the server has it, followed by its stream: what the page and the projector show.

import { useEffect, useState } from "preact/hooks";
import { call, type Trouble, who } from "./api";
import { controlText } from "./clocks";
import { follow, open } from "./touring";
import type { Both, Control } from "./types";
import { count, gameTitle, language, listed, playerName, say } from "./words";

export interface Listed {
  id: string;
  title: string;
  form: "arena" | "swiss" | "robin" | "knockout";
  games: { game: string; options: Record<string, string> }[];
  clock: Control;
  rated: boolean;
  phase: "waiting" | "running" | "over";
  starts: string;
  ended: string;
  players: number;
  winner: string;
  joined: boolean;
}

export interface Row {
  rank: number;
  player: number;
  name: string;
  rating: number;
  points: number;
  ties: number[];
  wins: number;
  draws: number;
  losses: number;
  streak: number;
  withdrawn: boolean;
}

export interface Game {
  id: string;
  round: number;
  game: string;
  players: Both<number>;
  names: Both<string>;
  result: string;
  ply: number;
}

export interface Tour extends Listed {
  host: string;
  rounds: number;
  minutes: number;
  berserk: boolean;
  code: boolean;
  series: string;
  now: string;
  why: string;
  round: number;
  next: string;
  running: number;
  events: number;
  yours: boolean;
  you: (Row & { game: Game | null }) | null;
  ties: string[];
  standings: Row[];
  boards: Game[];
}

/** Followed is a tournament with what its page needs beside it. */
export interface Followed {
  t: Tour | null;
  ahead: number; // milliseconds by which the server's clock is ahead of this device's
  trouble: string;
  load: () => void;
}

/** useTour fetches a tournament whenever its stream says that it has changed. It opens the visitor's next game, once. */
export function useTour(id: string): Followed {
  const [found, setFound] = useState<{ t: Tour | null; ahead: number }>({ t: null, ahead: 0 }), [trouble, setTrouble] = useState("");
  const signed = who.value?.guest === false;
  const load = (): void => {
    void call<Tour>("GET", `/api/tournaments/${id}`).then((t) => {
      setFound({ t, ahead: Date.parse(t.now) - Date.now() });
      setTrouble("");
      if (t.you?.game) open(t.you.game.id);
    }, (e: Trouble) => setTrouble(e.message));
  };
  useEffect(() => {
    const end = new AbortController();
    load();
    void follow(id, end.signal, load);
    return () => end.abort();
  }, [signed]);
  return { ...found, trouble, load };
}

/** called is the name of a player, who may be a level. */
export const called = (name: string): string => playerName({ name, engine: name });

/** factsOf says what is played, in a line. */
export function factsOf(t: Listed & Partial<Tour>): string {
  const kinds = listed(t.games.map(({ game, options }) => gameTitle(game) + (options.size ? ` ${options.size}×${options.size}` : "")));
  const length = t.form === "arena" ? t.minutes && count("tour.minutes.of", t.minutes) : t.form === "swiss" && t.rounds && count("tour.rounds.of", t.rounds);
  return [say(`tour.form.${t.form}`), length || "", kinds, controlText(t.clock), t.rated ? say("now.rated") : "", t.berserk ? say("tour.berserk") : "", count("tour.players", t.players)].filter(Boolean).join(" · ");
}

/** number writes points: 2½. */
export const number = (n: number): string => `${n >= 1 || n % 1 === 0 ? Math.floor(n) : ""}${{ 0.5: "½", 0.25: "¼", 0.75: "¾" }[n % 1] ?? ""}`;

/** pointsOf writes a number of points with its unit. */
export const pointsOf = (n: number): string => count("tour.points.of", n, number(n));

/** moment writes a time of day, with the date unless it is today. */
export function moment(text: string): string {
  const at = new Date(text), today = at.toDateString() === new Date().toDateString();
  return at.toLocaleString(language, { ...(today ? {} : { dateStyle: "medium" }), timeStyle: "short" });
}
