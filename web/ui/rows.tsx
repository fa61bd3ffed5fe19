// Games in lists, with links to them.

import { useRef, useState } from "preact/hooks";
import type { JSX, TargetedEvent } from "preact";
import { list, pathOf, type Listed } from "./api";
import { controlText } from "./clocks";
import { Diagram } from "./diagram";
import { keyTo } from "./store";
import { other, sides, type Side, type View } from "./types";
import { ago, gameTitle, language, playerName, resultText, say, sideName } from "./words";

const few = 5; // games that a list shows at first
export const most = 30; // games that a list shows when all are asked for
const untouched = 15 * 60_000; // milliseconds without a move, after which a game against an engine is not listed

/** named returns the latest games of a state. */
export const named = async (state: string): Promise<Listed[]> => (await list(`state=${state}&limit=${most}`)).games;

export const engines = (g: Listed): number => sides.filter((s) => g.seats[s]?.engine).length;

/** peopleFirst sorts games by how many people play them, watched ones and those that have begun first, and drops untouched games against engines. */
export function peopleFirst(games: Listed[]): Listed[] {
  const alive = games.filter((g) => engines(g) === 0 || Date.now() - Date.parse(g.updated) < untouched);
  return alive.sort((a, b) => engines(a) - engines(b) || b.watching - a.watching || Math.sign(b.ply) - Math.sign(a.ply));
}

/** useBest returns the first game of a list, which is the best, and keeps it until it leaves a list that has another. */
export function useBest(games: Listed[] | undefined): string {
  const kept = useRef("");
  if (games && !games.some((g) => g.id === kept.current)) kept.current = games[0]?.id ?? kept.current;
  return kept.current;
}

/** isTurn reports whether a game waits for who looks; who plays both sides is not waited for. */
export const isTurn = (g: Listed | View): boolean => "you" in g && g.state === "live" && g.you.length === 1 && g.you[0] === g.turn;

export function List({ title, games, empty, verb, first = few, more }: { title: string; games: (Listed | View)[]; empty: string; verb: string; first?: number; more?: () => void }): JSX.Element {
  const [all, setAll] = useState(false);
  const rest = !all && games.length > first;
  const showMore = (e: TargetedEvent<HTMLButtonElement>): void => { // the button disappears: from here, Tab reaches the first new row
    e.currentTarget.previousElementSibling!.querySelector<HTMLElement>("li:last-child a")?.focus();
    setAll(true);
    more?.();
  };
  return (
    <section class="card list-card">
      <h2>{title}</h2>
      {games.length === 0 && <p class="note">{empty}</p>}
      <ul>{(rest ? games.slice(0, first) : games).map((g) => <Row key={g.id} g={g} verb={verb} />)}</ul>
      {(rest || more) && <button type="button" class="quiet all" onClick={showMore}>{say("lists.more")}</button>}
    </section>
  );
}

/** Row is a game in a list, with a link to it. Of a game of somebody's, the opponent comes first. */
export function Row({ g, verb }: { g: Listed | View; verb: string }): JSX.Element {
  const me = sideOf(g);
  const names = (me ? [other(me), me] : sides).map((s) => (g.seats[s] ? playerName(g.seats[s]) : say("seat.free", { side: sideName(g.game, s) })));
  const size = g.options?.size ? ` ${g.options.size}×${g.options.size}` : "";
  const how = isTurn(g) ? say("status.you") : verb;
  const facts = [g.state === "over" ? outcome(g) : "", g.rated ? rated(g, me) : "", g.watching > 0 ? say("watching", { n: g.watching }) : "", ago(g.updated)].filter(Boolean).join(" · ");
  const key = keyTo(g.id), query = new URLSearchParams({ ply: String(g.ply), ...(key ? { key } : {}) });
  return (
    <li>
      <a href={pathOf(g.id, key)}>
        {"board" in g ? <span class="thumb"><Diagram game={g.game} board={g.board} label="" /></span> : <img class="thumb" src={`/api/games/${g.id}/board.svg?${query}`} alt="" width="58" height="58" loading="lazy" />}
        <span class="line"><b>{gameTitle(g.game)}{size}</b> <span class="note">{g.clock ? controlText(g.clock) : ""}</span></span>{pause}
        <span class="line"><span>{names[0]}</span> – <span>{names[1]}</span></span>{pause}
        <span class="line"><span>{facts}</span></span>{facts && pause}
        <span class={isTurn(g) ? "go now" : "go"}>{how}</span>
      </a>
    </li>
  );
}

/** pause keeps what screen readers read of a row apart. */
const pause = <span class="hidden">, </span>;

/** sideOf returns the side of the visitor, or of the person whose games are listed; null if they have both or none. */
function sideOf(g: Listed | View): Side | null {
  if ("you" in g) return g.you.length === 1 ? g.you[0] : null;
  return g.side ?? null;
}

/** rated says that a game is rated, and by how much it has changed the rating of its side, if at all. */
function rated(g: Listed | View, me: Side | null): string {
  const change = "changes" in g && me ? g.changes?.[me] : 0;
  return change ? `${say("now.rated")} ${signed.format(change)}` : say("now.rated");
}

const signed = new Intl.NumberFormat(language, { signDisplay: "exceptZero" });

/** outcome says how a game has ended, to its players as theirs. */
function outcome(g: Listed | View): string {
  const me = sideOf(g), how = /wins$/.test(g.result) ? (g.result === `${me} wins` ? "won" : "lost") : g.result === "draw" ? "drawn" : "";
  if (!me || !how) return resultText(g);
  if ("you" in g) return how === "drawn" ? resultText(g) : say(`over.you.${how}`);
  return say(`person.${how}`);
}
