// A game that has ended: another one, and taking the record away.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import { Action } from "./actions";
import { call, create, formsOf, pathOf, withKey } from "./api";
import { eventOf, ownWords } from "./ending";
import { Face, levelOf } from "./face";
import { Icon } from "./icon";
import type { Match } from "./match";
import { placeResult } from "./resultplace";
import { Share } from "./share";
import { remember, userName } from "./store";
import { next } from "./touring";
import { other, sides, type Side, type View } from "./types";
import { facts, has, lookOf, say, sideName } from "./words";

/** pictures are those of the last board, and the whole game as an animation. */
const pictures: Record<string, string> = { png: "board.png", svg: "board.svg", gif: "game.gif" };

/** OverActions are the buttons of a game that has ended. */
export function OverActions({ match }: { match: Match }): JSX.Element | null {
  const v = match.view.value!;
  useEffect(() => {
    const was = match.happened.value;
    if (v.next && v.you.length > 0 && was?.kind === "rematched") location.href = withKey(pathOf(v.next));
  }, [v.next]);
  const tournament = v.state === "over" && v.you.length === 1 ? v.tournament : undefined;
  useEffect(() => {
    const end = new AbortController();
    if (tournament) void next(tournament, end.signal).catch(() => {}); // the link remains
    return () => end.abort();
  }, [tournament]);
  if (v.state !== "over") return null;
  return (
    <>
      <Rematch match={match} v={v} />
      <Again match={match} v={v} />
      <ShareAction v={v} />
    </>
  );
}

/** Again starts another game: one level up after a win, one down after a loss; otherwise it links to the form. */
function Again({ match, v }: { match: Match; v: View }): JSX.Element {
  const me = v.you.length === 1 ? v.you[0] : null, engine = me && v.seats[other(me)]?.engine;
  const level = levelOf(engine || undefined) + (won(v) === me ? 1 : -1);
  if (!me || !levelOf(engine || undefined) || !won(v) || level < 1 || level > facts.levels) return <a class="button act" href={`/new?game=${v.game}`}><Icon name="play" /><span>{say("over.new")}</span></a>;
  const begin = (): void => {
    const seats = { [me]: "open", [other(me)]: `level:${level}` };
    create({ from: { id: v.id, ply: 0 }, seats, as: me, name: userName.peek().trim(), private: v.private, ...(v.clock ? { clock: v.clock } : {}) }).then(({ id, key }) => {
      remember(id, key);
      location.href = pathOf(id, key);
    }, (e: Error) => { match.trouble.value = e.message; });
  };
  return <button class="act" onClick={begin}><Face level={level} ground={lookOf(v.game).ground} /><span>{say("over.level", { n: level })}</span></button>;
}

/** ShareAction hands the link of the game to the device, or copies it; where neither can be done, the link is shown. */
function ShareAction({ v }: { v: View }): JSX.Element {
  const [copied, setCopied] = useState(false);
  const url = location.origin + withKey(pathOf(v.id));
  const share = async (): Promise<void> => {
    if ((navigator as Partial<Navigator>).share) return navigator.share({ url }).catch(() => {});
    try {
      await navigator.clipboard.writeText(url);
      setCopied(true);
    } catch {
      document.querySelector<HTMLDetailsElement>(".over details")!.open = true;
    }
  };
  return <Action icon="share" text={say(copied ? "share.copied" : "share.action")} onClick={() => void share()} />;
}

/**
 * Ending says on the board how the game has ended, when that happens before one's
 * eyes. It takes no taps, and goes away when the page is used.
 */
export function Ending({ match, flip }: { match: Match; flip: boolean }): JSX.Element | null {
  const v = match.view.value!;
  const [shown, setShown] = useState(false);
  const before = useRef(v.state);
  useEffect(() => {
    if (before.current === "live" && v.state === "over") setShown(true);
    before.current = v.state;
  }, [v.state]);
  useEffect(() => {
    if (!shown) return;
    const away = (): void => setShown(false);
    const began = performance.now();
    const used = (): void => { if (performance.now() - began > readable) away(); };
    const events = ["pointerdown", "keydown", "wheel"];
    for (const e of events) addEventListener(e, used, { passive: true });
    return () => { for (const e of events) removeEventListener(e, used); };
  }, [shown]);
  const area = useRef<HTMLDivElement>(null);
  const open = shown && v.state === "over" && match.live.value;
  useLayoutEffect(() => { if (open) placeResult(area.current!); }, [open, match.shots.value, flip]);
  useLayoutEffect(() => { // it ends before the area is removed, unlike a plain effect
    if (!open) return;
    const resized = new ResizeObserver(() => placeResult(area.current!));
    resized.observe(area.current!);
    return () => resized.disconnect();
  }, [open]);
  if (!open) return null;
  return (
    <div ref={area} class="ending" aria-hidden="true">
      <div>
        <p class="verdict">{verdict(v)}</p>
        <p>{how(v)}</p>
      </div>
      {v.you.length === 1 && won(v) === v.you[0] && <Sparks />}
    </div>
  );
}

/** Sparks celebrate a win. */
const Sparks = (): JSX.Element => <span class="sparks">{Array.from({ length: 14 }, (_, i) => <i key={i} style={{ "--i": i }} />)}</span>;

/** won returns the side that has won, if one has. */
const won = (v: View): Side | undefined => sides.find((s) => v.result === `${s} wins`);

/** how says what ended the game, to its loser by what the winner has. The score of Othello is in the verdict. */
function how(v: View): string {
  const event = eventOf(v), winner = won(v), lost = winner && v.you.length === 1 && v.you[0] !== winner;
  if (lost && has(`lost.${event}`)) return say(`lost.${event}`, { side: sideName(v.game, winner) });
  if (event === "discs") return say(v.board.cells.includes("") ? "end.stuck" : "end.full");
  return event ? say(`end.${event}`) : ownWords(v) || say(`reason.${v.reason || "rules"}`);
}

const readable = 800; // milliseconds for which the end stays, whatever is done

/** verdict says who has won, to a player as theirs, and with which score where that decides. */
export function verdict(v: View): string {
  const me = v.you.length === 1 ? v.you[0] : null;
  const winner = won(v);
  const m = lookOf(v.game).ending === "most" || v.reason === "halt" ? /^\S+ (-?\d+), \S+ (-?\d+)$/.exec(v.board.note) : null;
  const counts = m && (v.reason === "rules" || v.reason === "halt") ? (me === "second" || (!me && winner === "second") ? [m[2], m[1]] : [m[1], m[2]]).join("–") : "";
  const drawn = v.result === "draw", mine = winner === me;
  const text = !winner ? say(drawn ? "over.draw" : "over.title") : !me ? say("over.side.won", { side: sideName(v.game, winner) }) : say(mine ? "over.you.won" : "over.you.lost");
  return counts ? `${text} ${counts}` : text;
}

/** Rematch offers another game, or leads to the one that was agreed. */
export function Rematch({ match, v }: { match: Match; v: View }): JSX.Element | null {
  const me = v.you[0];
  const alone = v.you.length === 1; // a player of both sides has no opponent to ask
  const asked = alone && v.asked[me].includes("rematch");
  if (v.tournament) return <a class="button main act" href={`/tournament/${v.tournament}`}><Icon name="flag" /><span>{say("over.tournament")}</span></a>;
  if (v.next) return <a class="button main act" href={withKey(pathOf(v.next))}><Icon name="rematch" /><span>{say("over.next")}</span></a>;
  if (!me || v.reason === "aborted" || !v.seats.first || !v.seats.second || (alone && v.asked[other(me)].includes("rematch"))) return null;
  return <Action main icon="rematch" text={say(asked ? "over.rematch.asked" : "over.rematch")} label={say(asked ? "over.rematch.asked" : "over.rematch.swap")} disabled={asked} onClick={() => void rematch(match, v)} />;
}

/** ReviewAction asks for the review of the game, and goes to its page. */
export function ReviewAction({ match }: { match: Match }): JSX.Element | null {
  const v = match.view.value!;
  const [busy, setBusy] = useState(false);
  if (v.state !== "over" || v.ply === 0) return null;
  const winner = won(v), lost = v.you.length === 1 && !!winner && winner !== v.you[0];
  const review = (): void => {
    setBusy(true);
    call<{ id: string }>("POST", withKey(`/api/games/${v.id}/review`)).then(({ id }) => { location.href = `/review/${id}?game=${v.id}${lost ? "&turning" : ""}`; }, (e: Error) => { match.trouble.value = e.message; setBusy(false); });
  };
  return <button class="review" disabled={busy} onClick={review}><Icon name="eye" />{say(lost ? "over.decisive" : "over.review")}</button>;
}

/** Downloads offers the record of a game that has ended, and its link. */
export function Downloads({ match }: { match: Match }): JSX.Element | null {
  const v = match.view.value!;
  const [forms, setForms] = useState(["quintet"]); // which can express every game; the others are asked for when they are to be seen
  if (v.state !== "over") return null;
  return (
    <section class="over" aria-label={say("over.title")}>
      <details onToggle={(e) => { if (e.currentTarget.open) void formsOf(v.id).then(setForms, () => {}); }}>
        <summary>{say("over.take")}</summary>
        <ul class="forms">
          {forms.map((f) => <li key={f}><a href={withKey(`/api/games/${v.id}/record?form=${f}`)} download>{say(`form.${f}`)}</a></li>)}
          {Object.entries(pictures).map(([f, file]) => <li key={f}><a href={withKey(`/api/games/${v.id}/${file}`)} download={`${v.game}-${v.id}.${f}`}>{say(`form.${f}`)}</a></li>)}
        </ul>
        <Share path={withKey(pathOf(v.id))} label={say("over.link")} />
      </details>
      <p class="facts"><a href={withKey(`/analysis/${v.game}?from=${v.id}`)}>{say("over.analyse")}</a> · <a href={`/puzzles/${v.game}`}>{say("home.puzzles")}</a></p>
    </section>
  );
}

/** rematch asks for another game. A player of both sides agrees at once. */
async function rematch(match: Match, v: View): Promise<void> {
  const [me, self] = v.you;
  const asked = v.asked[me].includes("rematch") || await match.ask({ do: "rematch", side: me });
  if (asked && self) await match.ask({ do: "accept", side: self, what: "rematch" });
}
