// The moves that were played, and stepping through them.

import { useEffect, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import { withKey } from "./api";
import type { Match } from "./match";
import { useShownCurrent } from "./scroll";
import { Step } from "./step";
import { rowsOf, type Row } from "./turns";
import { count, say, sideName } from "./words";

/** Steps is the bar by which one steps through the game. */
export function Steps({ match }: { match: Match }): JSX.Element {
  const v = match.view.value!;
  const at = match.ply.value;
  const stepped = useStepped(match);
  const step = (icon: string, key: string, to: number | null, off: boolean): JSX.Element => (
    <Step icon={icon} name={say(key)} off={off || !there(match, to)} go={() => match.look(to)} />
  );
  return (
    <div class="steps">
      {step("first", "moves.first", 0, at === 0)}
      {step("back", "moves.back", at - 1, at === 0)}
      <span class="at">{match.live.value ? count("moves.count", v.ply) : say("moves.at", { n: at, of: v.ply })}</span>
      <Step icon={match.film.running.value ? "pause" : "play"} name={say("moves.film")} kind="film" pressed={match.film.running.value} off={v.ply === 0 || !there(match, 0)} go={() => match.film.toggle()} />
      {step("forward", "moves.forward", at + 1, at >= v.ply)}
      {step("newest", "moves.newest", null, match.live.value)}
      <p class="hidden" aria-live="polite" data-stepped>{stepped}</p>
    </div>
  );
}

/** there reports whether the position after a ply is known. */
const there = (match: Match, ply: number | null): boolean => ply === null || ply >= match.view.value!.ply || !!match.shots.value[ply];

/** MoveList lists the moves; each goes to its position. */
export function MoveList({ match }: { match: Match }): JSX.Element {
  const v = match.view.value!;
  const at = match.ply.value;
  const list = useRef<HTMLOListElement>(null);
  const rows = turns(match);
  useEffect(() => {
    const box = list.current!;
    if (box.contains(document.activeElement)) box.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true }); // keys go on from where they have come to
  }, [at, v.ply, rows.length]);
  useShownCurrent(list, [at, v.ply, rows.length]);
  return (
    <section class="moves" aria-label={say("moves.title")}>
      <ol ref={list} class="list" aria-label={say("moves.title")} data-empty={say("moves.none")} style={{ "--wide": Math.max(2, ...rows.map((r) => r.plies.length)) }}>
        {rows.map((t) => (
          <li key={t.number} value={t.number}>
            {t.late && <span />}
            {t.plies.map((ply) => {
              return <button key={ply} class="move" tabIndex={ply === Math.max(at, 1) ? 0 : -1} aria-current={ply === at ? "step" : undefined} disabled={!there(match, ply)} onClick={() => match.look(ply)}>{match.notation(ply)}</button>;
            })}
          </li>
        ))}
      </ol>
      {match.unread.value && <p class="note">{say("moves.unread")}</p>}
    </section>
  );
}

/** PlayOn offers another game from the position that is looked at, unless the rules end the game there. */
export function PlayOn({ match }: { match: Match }): JSX.Element | null {
  const v = match.view.value!;
  const at = match.ply.value;
  const ended = v.reason === "rules" || v.reason === "repetition"; // no move is possible from there
  if (ended && at === v.ply) return null;
  return <a class="plain" href={withKey(`/new?from=${v.id}&ply=${at}`)}>{say("moves.playon")}</a>;
}

/** useStepped says to which move who looks has stepped; that a move was played is said elsewhere. */
function useStepped(match: Match): string {
  const [said, setSaid] = useState("");
  const v = match.view.value!, looked = match.looked.value, before = useRef(looked);
  useEffect(() => {
    if (before.current === looked) return setSaid("");
    before.current = looked;
    const n = match.ply.value, turn = match.shots.value[n - 1]?.turn;
    setSaid(n === 0 ? say("moves.said.start") : say("moves.said", { n, side: turn ? sideName(v.game, turn) : "", move: match.notation(n) }));
  }, [looked, v.ply]);
  return said;
}

/** turns groups the moves in rows of a turn of each side. While positions are not loaded, sides are taken to alternate. */
function turns(match: Match): Row[] {
  const shots = match.shots.value;
  return rowsOf(Array.from({ length: match.view.value!.ply }, (_, i) => shots[i]?.turn ?? (i % 2 === 0 ? "first" : "second")));
}
