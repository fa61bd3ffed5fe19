// The page of a game: the board, the players, the moves and the actions.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import { Actions, Calls, Typed } from "./actions";
import { Announcer } from "./announcer";
import { show, whyIllegal, type Trouble } from "./api";
import { absent, Gone, Premove } from "./away";
import { Board } from "./board";
import { Conditional } from "./conditional";
import { decisiveIn, endText } from "./ending";
import { Join } from "./join";
import { Match } from "./match";
import { attackedKings } from "./men";
import { MoveList, PlayOn, Steps } from "./moves";
import { goNext, NextGame } from "./nextgame";
import { Downloads, Ending, OverActions, ReviewAction } from "./over";
import { Talk } from "./phrases";
import { Player } from "./player";
import { Resize } from "./resize";
import { Rules } from "./rules";
import { drawShapes, hints, toldOfKings } from "./store";
import { mustPass, other, type Move, type Side, type View } from "./types";
import { boot, chessmen, count, gameTitle, has, lookOf, places, playerName, say, sideName } from "./words";

export function Main(): JSX.Element {
  const match = useMemo(() => new Match(boot.id!), []);
  return <Table match={match} />;
}

/** Device is what the page of a game on this device has in place of what needs a server. */
export interface Device {
  actions: JSX.Element;
  after: JSX.Element;
}

/** Table shows a game. */
export function Table({ match, device }: { match: Match; device?: Device }): JSX.Element {
  const [turned, setTurned] = useState(false);
  const v = match.view.value;
  useKeys(match);
  useWheel(match, !!v);
  useTitle(v);
  useFocus(!!v);
  if (!v) return <Waiting match={match} />;
  const { bottom, flip } = orientation(v, turned);
  return (
    <main id="main" class="table" data-state={v.state}>
      <h1 class="hidden">{say("game.title", { first: nameOf(v, "first"), second: nameOf(v, "second"), game: gameTitle(v.game) })}</h1>
      <div class="stage">
        <Player match={match} side={other(bottom)} />
        <div class="boardbox"><Play match={match} v={v} flip={flip} /><Ending match={match} flip={flip} /><Resize /></div>
        <Player match={match} side={bottom} />
      </div>
      <aside class="panel" aria-label={say("panel.title")}>
        <div class="news">
          <Status match={match} v={v} />
          <Gone match={match} />
          <Calls match={match} />
          <Lost match={match} />
        </div>
        <Join match={match} />
        <Steps match={match} />
        <div class="bar actions">
          {device ? device.actions : <><OverActions match={match} /><NextGame match={match} /></>}
          <Actions match={match} flip={() => setTurned(!turned)} />
        </div>
        {device ? device.after : <ReviewAction match={match} />}
        <MoveList match={match} />
        <div class="more">
          {!device && <PlayOn match={match} />}
          <Typed match={match} />
          {!device && <><Conditional match={match} /><Downloads match={match} /><Talk match={match} /></>}
        </div>
        <section class="about">
          <h2>{gameTitle(v.game)}</h2>
          {has(`about.${v.game}`) && <p class="note">{say(`about.${v.game}`)}</p>}
          <Rules game={v.game} options={v.options} open={matchMedia(roomy).matches} />
        </section>
      </aside>
      <Announcer match={match} />
    </main>
  );
}

/** roomy are screens on which the rules have a column of their own (see game.css). */
const roomy = "(min-width: 106rem) and (min-aspect-ratio: 5/4)";

/**
 * orientation says which player is named below the board, and whether the board is
 * rotated: a player sits below. The board is rotated for the second side where the pieces
 * have a direction; elsewhere a1 keeps its corner until the board is turned.
 */
function orientation(v: View, turned: boolean): { bottom: Side; flip: boolean } {
  const own: Side = v.you.length === 1 ? v.you[0] : "first";
  return { bottom: turned ? other(own) : own, flip: turned !== (lookOf(v.game).turned && own === "second") };
}

export const nameOf = (v: View, side: Side): string => (v.seats[side] ? playerName(v.seats[side]) : say("seat.open"));

/** Play is the interactive board. */
function Play({ match, v, flip }: { match: Match; v: View; flip: boolean }): JSX.Element {
  const acting = match.acting.value;
  const board = match.board.value!;
  const sent = match.pending.value;
  const mayMove = acting !== null && !sent;
  const me = v.you.length === 1 ? v.you[0] : acting; // who plays both sides means moves for later only while one is on its way
  const waits = me !== null && v.state === "live" && (v.turn !== me || sent !== null) && match.live.value;
  const early = waits ? { mine: me === "first" ? "1" : "2", shifts: [...v.legal, v.last].some((m) => m?.from !== undefined) } : undefined; // the other side may have but to pass
  const attacked = useMemo(() => (chessmen(v.game) && v.state === "live" ? attackedKings(board.cells) : []), [board.cells, v.state]);
  const won = useMemo(() => (match.live.value ? decisiveIn(v, match.shots.value[v.ply - 1]?.cells) : undefined), [v, match.live.value, match.shots.value]);
  const legal = useMemo(() => (mayMove ? v.legal : none), [mayMove, v.legal]);
  return (
    <Board
      game={v.game} board={board} steps lines={match.hint.value} marks={{ attacked, won }} stone={me === "second" ? "2" : "1"} onIllegal={(m) => void explain(match, v, m)} label={say("board.label", { game: gameTitle(v.game) })} flip={flip} shapes={drawShapes()}
      legal={legal} early={early} last={match.last.value} turn={v.turn} pending={[sent, match.premove.value].filter((m) => m !== null)} quiet={!hints.value}
      onMove={(m) => match.play(m)} onEarly={(m) => match.mean(m)}
    />
  );
}

const none: Move[] = [];

/** explain shows why a move is illegal, in the words of the rules. */
async function explain(match: Match, v: View, m: Move | null): Promise<void> {
  const why = m ? await whyIllegal(v.game, v.position, m.move) : say("problem.illegal");
  if (match.view.value === v) match.trouble.value = why || say("problem.illegal");
}

const askEvery = 4_000; // milliseconds

/** Status shows the state of the game in one line. */
function Status({ match, v }: { match: Match; v: View }): JSX.Element {
  const watching = match.link.watching.value ?? v.watching;
  return (
    <div class="status">
      <p class="state">{statusText(v)}</p>
      {v.board.note && !/^\S+ -?\d+, \S+ -?\d+$/.test(v.board.note) && v.state === "live" && <p class="note">{noteText(v)}</p>}
      {!match.live.value && v.state === "live" && <p class="note">{say("moves.past")}</p>}
      {match.premove.value && !absent(match) && <Premove match={match} />}
      {v.state === "live" && v.turn && mustPass(v) && <p class="note">{say("pass.must", { side: sideName(v.game, v.turn) })}</p>}
      {chessmen(v.game) && <KingNews v={v} />}
      {match.trouble.value && <p class="trouble" role="alert">{match.trouble.value}</p>}
      <p class="facts">
        {gameTitle(v.game)}{optionsText(v)}
        {watching > 0 && <span> · {say("watching", { n: watching })}</span>}
        {v.rated && <span> · {say("rated")}</span>}
        {v.tournament && <span> · <a href={`/tournament/${v.tournament}`}>{say("over.tournament")}</a></span>}
        {v.delay > 0 && <span> · {count("delayed", v.delay)}</span>}
        {v.private ? <span> · {say("private")}</span> : v.unlisted && v.you.length < 2 && <span> · {say("unlisted")}</span>}
      </p>
    </div>
  );
}

/** KingNews explains an attacked king, once in a browser. */
function KingNews({ v }: { v: View }): JSX.Element | null {
  const attacked = v.state === "live" && v.you.length > 0 && attackedKings(v.board.cells).length > 0;
  const first = useRef(!toldOfKings.peek());
  useEffect(() => { if (attacked) toldOfKings.value = true; }, [attacked]);
  return attacked && first.current ? <p class="note kings" role="status">{say("king.attacked")}</p> : null;
}

/** noteText translates the half-turn note of Connect6; other notes are shown as they are. */
const noteText = (v: View): string => (places(v) > 0 && v.turn ? count("note.places", places(v)) : v.board.note);

/** optionsText returns the size of the board if it is an option. */
const optionsText = (v: View): string => (v.options.size ? ` ${v.board.cols.length}×${v.board.rows.length}` : "");

export function statusText(v: View): string {
  if (v.state === "open") return say("status.open");
  if (v.state === "live") return v.turn && v.you.length === 1 && v.you[0] === v.turn ? say("status.you") : say("status.turn", { side: sideName(v.game, v.turn!) });
  return endText(v);
}

/** Waiting is the page until the game is loaded. It asks whether the game exists, because the socket cannot tell. */
function Waiting({ match }: { match: Match }): JSX.Element {
  const lost = match.link.up.value === false;
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    if (!lost) return setTrouble("");
    const ask = (): void => void show(match.id).catch((e: Trouble) => {
      if (e.status === 404) location.reload();
      else setTrouble(e.status === 0 || e.status === 503 ? say("error.page") : e.message);
    });
    const timer = setInterval(ask, askEvery);
    ask();
    return () => clearInterval(timer);
  }, [lost]);
  return (
    <main id="main" class="table">
      <h1 class="hidden">{document.title}</h1>
      <div class="stage"><div class="seat" /><div class="boardbox loading" /><div class="seat" /></div>
      <aside class="panel" aria-label={say("panel.title")}><div class="news"><p class="state">{trouble || say("loading")}</p><Lost match={match} /></div></aside>
    </main>
  );
}

/** Lost says that the connection is lost, over the status, which may be out of date: names and clocks stay in view, and nothing moves. */
function Lost({ match }: { match: Match }): JSX.Element {
  return <p class="lost" role="status" data-lost={match.link.up.value === false}>{match.link.up.value === false ? say("connection.lost") : ""}</p>;
}

/** useTitle sets the page's title, and notifies a player of a hidden page: it is their turn, or their game has begun. */
function useTitle(v: View | null): void {
  const [begun, setBegun] = useState(false);
  const before = useRef(v?.state);
  useEffect(() => {
    if (before.current === "open" && v?.state === "live" && v.you.length > 0 && document.hidden) setBegun(true);
    before.current = v?.state;
  }, [v?.state]);
  useEffect(() => {
    const seen = (): void => { if (!document.hidden) setBegun(false); };
    document.addEventListener("visibilitychange", seen);
    return () => document.removeEventListener("visibilitychange", seen);
  }, []);
  useEffect(() => {
    if (!v) return;
    const mine = v.state === "live" && v.turn && v.you.includes(v.turn) && v.you.length === 1;
    const title = say("game.title", { first: nameOf(v, "first"), second: nameOf(v, "second"), game: gameTitle(v.game) });
    document.title = begun ? say("title.begun", { title }) : mine ? say("title.turn", { title }) : title;
  }, [v, begun]);
}

/** useFocus moves the focus of a removed button to the board, so that Tab does not restart at the top of the page. */
function useFocus(shown: boolean): void {
  useEffect(() => {
    const main = document.getElementById("main")!;
    let last: Element | null = null, ring = false;
    const come = (e: FocusEvent): void => { last = e.target as Element; ring = last.matches(":focus-visible"); };
    const go = (e: FocusEvent): void => queueMicrotask(() => { if (last === e.target && last!.isConnected) last = null; });
    const seen = new MutationObserver(() => {
      if (!last || last.isConnected || document.activeElement !== document.body) return;
      main.querySelector<SVGGElement>('.stage [role="gridcell"][tabindex="0"]')?.focus({ preventScroll: !ring }); // under a finger, the page stays where it is
    });
    main.addEventListener("focusin", come);
    main.addEventListener("focusout", go);
    seen.observe(main, { childList: true, subtree: true });
    return () => {
      main.removeEventListener("focusin", come);
      main.removeEventListener("focusout", go);
      seen.disconnect();
    };
  }, [shown]);
}

/** useKeys steps through the game by keys that no other element handles. */
function useKeys(match: Match): void {
  useEffect(() => {
    const key = (e: KeyboardEvent): void => {
      if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || (e.target as Element).closest("input, textarea, select, dialog, summary")) return;
      const at = match.ply.value;
      if (e.key === "ArrowLeft") match.look(at - 1);
      else if (e.key === "ArrowRight") match.look(at + 1);
      else if (e.key === "Home") match.look(0);
      else if (e.key === "End") match.look(null);
      else if (e.key === "n" && match.view.value?.you.length) goNext(match);
      else if (e.key === " " && !(e.target as Element).closest("button, a")) match.film.toggle();
      else return;
      e.preventDefault();
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, [match]);
}

const notch = 40; // pixels of the wheel that make a step

/** useWheel steps through the game by the wheel over the board. */
function useWheel(match: Match, shown: boolean): void {
  useEffect(() => {
    const box = document.querySelector(".boardbox")!;
    let turned = 0;
    const wheel = (e: Event): void => {
      const { deltaY, ctrlKey } = e as WheelEvent;
      if (ctrlKey || !match.view.value?.ply || box.querySelector(".board.close")) return;
      e.preventDefault();
      turned += deltaY;
      if (Math.abs(turned) < notch) return;
      match.look(match.ply.value + Math.sign(turned));
      turned = 0;
    };
    box.addEventListener("wheel", wheel, { passive: false });
    return () => box.removeEventListener("wheel", wheel);
  }, [match, shown]);
}
