// The presence of the players, and what can be done about an opponent who left.

import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import type { Match } from "./match";
import { other, type Presence, type Side } from "./types";
import { count, playerName, say } from "./words";

/** now returns the current presence of a side. The server sends it only when a player comes or goes. */
function now(match: Match, side: Side): Presence | null {
  const { of, at } = match.presence.value, p = of[side];
  if (!p || p.here) return p;
  const since = performance.now() - at;
  const left = (ms: number | null): number | null => (ms === null ? null : Math.max(0, ms - since));
  return { ...p, away: p.away + since, claimwin: left(p.claimwin), calloff: left(p.calloff) };
}

/** useTicks renders every second while active. */
function useTicks(needed: boolean): void {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!needed) return;
    const timer = setInterval(() => tick((n) => n + 1), 1000);
    return () => clearInterval(timer);
  }, [needed]);
}

/** timeText returns a rounded duration. */
function timeText(ms: number): string {
  const s = Math.floor(ms / 1000);
  if (s < 100) return count("time.seconds", s);
  if (s < 6000) return count("time.minutes", Math.round(s / 60));
  return s < 172_800 ? count("time.hours", Math.round(s / 3600)) : count("time.days", Math.round(s / 86_400));
}

/** Away shows beside a player's name since when the player is away. */
export function Away({ match, side }: { match: Match; side: Side }): JSX.Element | null {
  const v = match.view.value!, p = now(match, side);
  useTicks(!!p && !p.here && v.state === "live");
  if (!p || v.state === "open" || v.you.includes(side)) return null;
  if (p.here) return <span class="tag present">{say("presence.here")}</span>;
  if (v.state === "over") return null; // nobody waits for them
  return <span class="tag absent">{say("presence.away", { time: timeText(p.away) })}</span>;
}

const soon = 600_000; // milliseconds: that something may be claimed later is not said

/** absent returns the presence of the opponent if it is their turn and they are away or slow. */
export function absent(match: Match): Presence | null {
  const v = match.view.value!;
  const me = v.state === "live" && v.you.length === 1 && v.turn !== v.you[0] ? v.you[0] : null;
  const p = me && now(match, other(me));
  return p && (!p.here || p.claimwin === 0) ? p : null;
}

/**
 * Gone lets a player claim the win or abort the game while the opponent, whose turn it is,
 * is away. It covers the status, so that the layout does not move.
 */
export function Gone({ match }: { match: Match }): JSX.Element | null {
  const v = match.view.value!, me = v.you[0], p = absent(match);
  useTicks(!!p && !p.here);
  if (!p) return null;
  const name = playerName(v.seats[other(me)]!);
  const wait = Math.min(p.claimwin ?? Infinity, p.calloff ?? Infinity);
  const trouble = match.trouble.value;
  const early = match.premove.value && (wait > 0 || !trouble);
  const lines = [ // the most important first: there is no place for all
    trouble && <p key="trouble">{trouble}</p>,
    wait > 0 && wait <= soon && <p key="wait" class="note">{say(p.claimwin === wait ? "away.wait.win" : "away.wait.off", { time: timeText(wait + 999) })}</p>,
    <p key="since">{p.here ? say("away.slow", { name }) : say("away.since", { name, time: timeText(p.away) })}</p>,
  ].filter(Boolean).slice(0, (wait > 0 ? 2 : 1) - (early ? 1 : 0)).reverse();
  return (
    <div class="absence">
      {early && <Premove match={match} /> /* first, so that no other button takes its place */}
      {lines}
      <p class="bar">
        {p.claimwin === 0 && <button class="main" onClick={() => void match.ask({ do: "claimwin", side: me })}>{say("away.win")}</button>}
        {p.calloff === 0 && <button onClick={() => void match.ask({ do: "calloff", side: me })}>{say("act.abort")}</button>}
      </p>
    </div>
  );
}

/** Premove says that a premove is set, and clears it. */
export const Premove = ({ match }: { match: Match }): JSX.Element => (
  <p class="note">{say("premove.set")} <button class="quiet" onClick={() => { match.premove.value = null; }}>{say("premove.clear")}</button></p>
);
