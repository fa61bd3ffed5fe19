// A player beside the board: the colour, the name, the count and the clock.

import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import { Away } from "./away";
import { lowTime } from "./clocks";
import { Face, levelOf } from "./face";
import { Icon } from "./icon";
import type { Match } from "./match";
import { booty } from "./men";
import { badgeOf } from "./notation";
import { Said } from "./phrases";
import { Piece } from "./pieces";
import { drawShapes } from "./store";
import type { Side, View } from "./types";
import { chessmen, dress, gameFact, language, listed, lookOf, pieceName, playerName, say, sideName } from "./words";

export function Player({ match, side }: { match: Match; side: Side }): JSX.Element {
  const v = match.view.value!;
  const seat = v.seats[side];
  const turn = v.state === "live" && v.turn === side;
  return (
    <section class={`seat${turn ? " turn" : ""}`} aria-label={say("seat.label", { side: sideName(v.game, side) })}>
      <svg class="badge" viewBox="-10 -10 20 20" {...dress(v.game)} aria-hidden="true"><Piece game={v.game} code={badgeOf(v.game, side)} shapes={drawShapes()} /></svg>
      <span class="who">
        <span class={seat ? "name" : "name open"}>{seat ? playerName(seat) : say("seat.open")}</span>
        <span class="role">
          <Asked v={v} side={side} />
          {sideName(v.game, side)}
          {seat?.engine && <span class="tag">{levelOf(seat.engine) > 0 ? <Face level={levelOf(seat.engine)} ground={lookOf(v.game).ground} /> : <Icon name="engine" />}{say("seat.engine")}</span>}
          {v.berserk?.[side] && <span class="tag">{say("seat.berserk")}</span>}
          {v.you.includes(side) && <span class="tag">{say("seat.you")}</span>}
          {v.vacation?.[side] && v.state === "live" && !v.you.includes(side) ? <span class="tag absent">{say("seat.vacation", { date: new Date(v.vacation[side]).toLocaleDateString(language, { month: "short", day: "numeric" }) })}</span> : <Away match={match} side={side} />}
          <Said match={match} side={side} />
        </span>
      </span>
      {chessmen(v.game) && <Captured match={match} side={side} />}
      {!chessmen(v.game) && score(match, side) !== null && <span class="score" role="img" title={say("seat.count", { n: score(match, side)! })} aria-label={say("seat.count", { n: score(match, side)! })}>{score(match, side)}</span>}
      {v.clocks && <Clock match={match} side={side} />}
    </section>
  );
}

function Asked({ v, side }: { v: View; side: Side }): JSX.Element | null {
  const what = v.asked[side];
  return what.length === 0 ? null : <span class="tag asks">{say(`asks.${what[0]}`)}</span>;
}

/** Captured shows the men that a side has captured, and its lead in material. */
function Captured({ match, side }: { match: Match; side: Side }): JSX.Element {
  const { game } = match.view.value!;
  const start = match.shots.value[0]?.cells ?? gameFact(game).board.cells;
  const { men, ahead } = booty(start, match.board.value!.cells, side === "first" ? "1" : "2");
  const label = listed([...men.map((code) => pieceName(game, code)), ...ahead > 0 ? [say("men.ahead", { n: ahead })] : []]);
  if (!label) return <></>;
  return (
    <span class="captured" role="img" aria-label={say("men.captured", { men: label })} title={say("men.captured", { men: label })}>
      {men.map((code, i) => <svg key={i} class={code === men[i - 1] ? "again" : ""} viewBox="-8.6 -9.7 17.6 17.6" preserveAspectRatio="xMinYMid slice" aria-hidden="true"><Piece game={game} code={code} shapes={false} /></svg>)}
      {ahead > 0 && <span class="ahead">+{ahead}</span>}
    </span>
  );
}

/** score reads what the side has on the board from the board's note: "Black 12, White 9". */
function score(match: Match, side: Side): string | null {
  const m = /^\S+ (-?\d+), \S+ (-?\d+)$/.exec(match.board.value?.note ?? "");
  return m ? m[side === "first" ? 1 : 2] : null;
}

/** Clock shows the time that a side has left, by the server's last message. It keeps running while the connection is lost, because that costs time. */
function Clock({ match, side }: { match: Match; side: Side }): JSX.Element {
  const v = match.view.value!;
  const [, tick] = useState(0);
  const runs = v.running && v.turn === side;
  const left = Math.max(0, v.clocks![side] - (runs ? match.spent() : 0));
  useEffect(() => {
    if (!runs || left === 0) return;
    const step = left < 20_000 ? 100 : 1000;
    const free = Math.max(0, v.free - (performance.now() - match.told.value));
    const timer = setTimeout(() => tick((n) => n + 1), Math.min(free + (left % step) + 5, longest));
    return () => clearTimeout(timer);
  });
  const low = left < lowTime(v.clock) && v.state === "live";
  return (
    <span class={`clock${runs ? " runs" : ""}${low ? " low" : ""}`} role="timer" aria-label={say("clock.label", { side: sideName(v.game, side) })}>
      {low && <Icon name="low" />}
      {clockText(left)}
      {low && <span class="hidden">{say("clock.low")}</span>}
    </span>
  );
}

const longest = 2 ** 31 - 1; // milliseconds of a timer

/** clockText writes milliseconds as days, hours, minutes and seconds, with tenths at the end. */
export function clockText(ms: number): string {
  if (ms < 20_000) return (Math.floor(ms / 100) / 10).toFixed(1);
  const s = Math.ceil(ms / 1000);
  const two = (n: number): string => String(n).padStart(2, "0");
  const days = Math.floor(s / 86400), hours = Math.floor(s / 3600) % 24, minutes = Math.floor(s / 60) % 60;
  if (days > 0) return say("clock.days", { days, hours });
  return hours > 0 ? `${hours}:${two(minutes)}:${two(s % 60)}` : `${minutes}:${two(s % 60)}`;
}
