// The page of a review: the board, the graph, the mistakes, and their retry.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import { Board } from "./board";
import { Chart } from "./chart";
import { boardCell, first, useKeptFocus } from "./focus";
import { read, type Kept } from "./keeping";
import { Reviewing, type Ply, type Retry as RetryState, type Review } from "./reviewing";
import { useShownCurrent } from "./scroll";
import { Step } from "./step";
import { drawShapes } from "./store";
import { Submit } from "./submit";
import { rowsOf } from "./turns";
import { sides, type Move, type Side } from "./types";
import { boot, count, gameTitle, language, resultText, phrase, say, sideName } from "./words";

export function Main(): JSX.Element {
  const own = read(new URLSearchParams(location.search).get("device") ?? "");
  if (boot.id) return <Page id={boot.id} />;
  if (own && "v" in own) return <Page id="device" spec={own} />;
  if (boot.local) location.replace("/device"); // reviews of other records need the server
  return boot.local ? <></> : <Submit />;
}

const percent = (share: number): string => new Intl.NumberFormat(language, { style: "percent" }).format(share);

/** title returns the name of a mark. */
const marks: Record<string, string> = { "?!": "inaccuracy", "?": "mistake", "??": "blunder" };

/** Page is a review: of a game on this device, if spec is one. */
function Page({ id, spec }: { id: string; spec?: Kept }): JSX.Element {
  const r = useMemo(() => new Reviewing(id, spec), [id]);
  useEffect(() => r.follow(), [r]);
  useKeys(r);
  useKeptFocus(() => first(".verdict-box .main") ?? (r.retry.peek() ? first(boardCell) : first('.moves [aria-current="step"]', ".moves button")));
  const v = r.review.value, board = r.board.value, shot = r.shown.value;
  useEffect(() => { // after a lost game, start at its turning point
    if (v?.state === "done" && board && v.turning > 0 && !r.touched.peek() && new URLSearchParams(location.search).has("turning")) r.look(v.turning);
  }, [v?.state, !!board]);
  useEffect(() => { if (v) document.title = say("review.of", { game: gameTitle(v.game) }); }, [v?.game]);
  return (
    <main id="main" class="table study" data-state={board ? v?.state : undefined}>
      <h1 class="hidden">{v ? say("review.of", { game: gameTitle(v.game) }) : say("review.title")}</h1>
      <div class="stage">
        <div class="seat">{v && <Score r={r} v={v} side="second" />}</div>
        <div class={`boardbox${board ? "" : " loading"}`}>
          {v && board && shot && <Position r={r} v={v} />}
        </div>
        <div class="seat">{v && <Score r={r} v={v} side="first" />}</div>
      </div>
      <aside class="panel" aria-label={say("review.title")}>
        <Facts r={r} v={v} />
        <State r={r} v={v} />
        {v && board && <>
          <Chart plies={v.plies} moves={v.moves.length} at={r.at.value} turning={v.turning} label={say("review.graph", { side: sideName(v.game, "first") })} text={verdict(r, v, r.ply.value, r.at.value)} onLook={(ply) => r.look(ply)} />
          <Steps r={r} v={v} />
          {r.retry.value ? <Retry r={r} v={v} /> : <Verdict r={r} v={v} />}
          <Moves r={r} v={v} />
          <Said r={r} v={v} />
          <p class="facts ways-on">{r.heading.value?.path && <a href={r.heading.value.path}>{say("review.game.back")}</a>}<a href={`/analysis/${v.game}?${spec ? new URLSearchParams({ position: v.position, moves: v.moves.join(" ") }) : `review=${v.id}`}`}>{say("review.analyse")}</a><a href={spec ? "/device" : "/review"}>{say("review.another")}</a></p>
        </>}
      </aside>
    </main>
  );
}

/** Position is the board. It accepts moves while a mistake is retried. */
function Position({ r, v }: { r: Reviewing; v: Review }): JSX.Element {
  const shot = r.shown.value!, retry = r.retry.value;
  const asks = retry !== null && (retry.state === "ask" || retry.state === "wrong");
  const best = asks && retry.hinted ? retry.legal.find((m) => m.move === v.plies[retry.plies[retry.index] - 1].best) : undefined;
  return (
    <Board
      game={v.game} board={{ ...r.board.value!, cells: shot.cells }} label={say("board.label", { game: gameTitle(v.game) })} steps shapes={drawShapes()}
      last={shot.last ? [shot.last] : []} turn={shot.turn} legal={asks ? retry.legal : none} stone={shot.turn === "second" ? "2" : "1"}
      pending={retry?.put && retry.state !== "shown" ? [retry.put] : []} lines={best?.to === undefined ? [] : [{ from: best.from ?? best.to, to: best.from ?? best.to }]} onMove={(m) => void r.tryMove(m)}
    />
  );
}

const none: Move[] = [];

/** Facts shows the game, its result and its date. */
function Facts({ r, v }: { r: Reviewing; v: Review | null }): JSX.Element {
  const h = r.heading.value;
  const result = !v || !h || h.result === "ongoing" ? "" : resultText({ game: v.game, result: h.result, reason: h.reason });
  return <p class="facts played">{v && [gameTitle(v.game), result, h?.date].filter(Boolean).join(" · ")}</p>;
}

/** Score shows who played a side, and that side's accuracy. */
function Score({ r, v, side }: { r: Reviewing; v: Review; side: Side }): JSX.Element {
  const player = r.heading.value?.players[side];
  const own = v.plies.filter((p) => p.side === side);
  return (
    <>
      <span class="who"><span class="name">{player ? say("review.player", { name: player, side: sideName(v.game, side) }) : sideName(v.game, side)}</span>
        <span class="role">{Object.entries(marks).map(([mark, name]) => <Count key={mark} mark={mark} name={name} n={own.filter((p) => p.judgement === mark).length} />)}</span>
      </span>
      {own.length > 0 && <span class="score" title={say("review.accuracy")}><span class="hidden">{say("review.accuracy")} </span>{percent(v.accuracy[side] / 100)}</span>}
    </>
  );
}

/** Count tells how many moves have a mark: in words, or on narrow screens by the glyph of the list of moves. */
const Count = ({ mark, name, n }: { mark: string; name: string; n: number }): JSX.Element => (
  <span class={`mark ${name}`}><span class="words">{count(`review.${name}`, n)}</span><span class="brief" aria-hidden="true">{n} {mark}</span></span>
);

/** State shows the progress of the review, and the turning point. */
function State({ r, v }: { r: Reviewing; v: Review | null }): JSX.Element {
  return (
    <div class="news"><div class="status">
      <p class="state">{stateText(v)}</p>
      <p class="hidden" role="status">{progressText(r, v)}</p>
      {v && v.state !== "done" && <progress max={v.moves.length} value={reviewed(v)} aria-label={say("review.progress")} />}
      {v && v.state === "done" && <p class="note">{turningText(r, v)} {v.turning > 0 && <button class="quiet" onClick={() => r.look(v.turning)}>{say("review.show")}</button>}</p>}
      {r.trouble.value && <p class="trouble" role="alert">{r.trouble.value}</p>}
    </div></div>
  );
}

/** reviewed is how many moves are assessed. */
const reviewed = (v: Review): number => v.plies.flat().length; // skips the plies not assessed yet

function stateText(v: Review | null): string {
  if (!v) return say("loading");
  if (v.state === "done") return say("review.done");
  if (v.state === "queued" && v.place > 0) return say("review.queued", { place: v.place });
  return say("review.running", { n: reviewed(v), of: v.moves.length });
}

/** progressText is what screen readers announce of the progress: not every move. */
function progressText(r: Reviewing, v: Review | null): string {
  if (!v || (r.shots.value.length === 0 && !r.trouble.value)) return stateText(null); // until the moves are loaded: the result would be announced twice, first without their numbers
  if (v.state === "queued" && v.place > 0) return stateText(v);
  return v.state === "done" ? `${say("review.ready")} ${turningText(r, v)}` : say("review.begun", { of: v.moves.length });
}

/** turningText describes the turning point. */
function turningText(r: Reviewing, v: Review): string {
  const p = v.plies[v.turning - 1];
  if (!p) return say("review.clean");
  const before = chances(p, p.lead) + p.loss;
  return say("review.turning", { side: sideName(v.game, p.side), move: r.label(p.ply), before: percent(Math.min(before, 1)), after: percent(chances(p, p.lead)) });
}

/** chances are those of the side that moved. */
const chances = (p: Ply, lead: number): number => (p.side === "first" ? lead : 1 - lead);

function Steps({ r, v }: { r: Reviewing; v: Review }): JSX.Element {
  const at = r.at.value, most = v.moves.length;
  const line = r.line.value;
  return (
    <div class="steps">
      <Step icon="first" name={say("moves.first")} off={at === 0 && !line} go={() => r.look(0)} />
      <Step icon="back" name={say("moves.back")} off={at === 0 && !line} go={() => r.go(-1)} />
      <span class="at">{line ? say("review.line.at", { n: r.step.value }) : say("moves.at", { n: at, of: most })}</span>
      <Step icon="forward" name={say("moves.forward")} off={line ? r.step.value === line.shots.length - 1 : at === most} go={() => r.go(1)} />
      <Step icon="newest" name={say("moves.newest")} off={at === most && !line} go={() => r.look(most)} />
    </div>
  );
}

/** verdict describes the quality of a move. */
function verdict(r: Reviewing, v: Review, p: Ply | undefined, at: number): string {
  if (at === 0) return say("review.start");
  if (!p) return say("review.later");
  const values = { side: sideName(v.game, p.side), move: r.label(p.ply), best: r.named(p.ply, [p.best])[0], loss: percent(p.loss), why: phrase(p.why), chances: percent(chances(p, p.lead)) };
  return say(`review.${kindOf(p)}`, values);
}

/** kindOf returns the key of what is said of a move. */
function kindOf(p: Ply): string {
  if (p.judgement) return `said.${marks[p.judgement]}`;
  if (p.move === "pass") return "said.pass";
  if (p.score === winsAtOnce) return "said.wins";
  if (p.best_score < -proved) return "said.lost";
  return p.move === p.best ? "said.best" : "said.good";
}

const won = 30_000; // the score of a win, less the plies to the end
const winsAtOnce = won - 1;
const proved = 20_000; // greater scores are

/** scoreText formats a score; proved ones as plies to the end. */
function scoreText(score: number): string {
  const plies = won - Math.abs(score);
  if (Math.abs(score) > proved) return score > 0 ? count("review.wins", plies) : say("review.loses", { n: plies });
  if (Math.abs(score) === proved) return say(score > 0 ? "review.near.win" : "review.near.loss");
  return new Intl.NumberFormat(language, { signDisplay: "exceptZero", maximumFractionDigits: 2 }).format(score / 100);
}

/** Verdict describes the current move, with the best line. */
function Verdict({ r, v }: { r: Reviewing; v: Review }): JSX.Element {
  const p = r.ply.value, shown = r.line.value !== null;
  return (
    <section class="verdict-box" aria-label={say("review.move")}>
      <p class={`verdict-text ${p ? marks[p.judgement] ?? "" : ""}`}>{verdict(r, v, p, r.at.value)}</p>
      {p && p.pv.length > 0 && p.move !== p.best && (
        <p class="pv"><span class="note">{say("review.best", { score: scoreText(p.best_score) })}</span>
          {r.named(p.ply, p.pv).map((m, i) => <button key={i} class="move" aria-current={shown && r.step.value === i + 1 ? "step" : undefined} onClick={() => void r.showLine(i + 1)}>{m}</button>)}
          {shown && <button class="quiet" onClick={() => r.look(p.ply)}>{say("review.back")}</button>}
        </p>
      )}
      <div class="bar">
        {v.state === "done" && sides.map((s) => r.mistakes(s).length > 0 && <button key={s} onClick={() => void r.startRetry(s)}>{say("review.retry", { side: sideName(v.game, s) })}</button>)}
      </div>
    </section>
  );
}

/** Retry asks for a better move than a mistake. */
function Retry({ r, v }: { r: Reviewing; v: Review }): JSX.Element {
  const t = r.retry.value!, p = v.plies[t.plies[t.index] - 1];
  const open = isOpen(t);
  return (
    <section class="verdict-box retry" aria-label={say("review.retrying")}>
      <p class="note">{say("review.retry.at", { n: t.index + 1, of: t.plies.length })}</p>
      <p class={`verdict-text ${t.state === "ask" ? "" : t.state}`}>{retryText(r, v)}</p>
      {open && t.hinted && <p class="note hint">{say("review.hint", { cell: hintCell(r, p) })}</p>}
      <div class="bar">
        {open && !t.hinted && <button onClick={() => r.hint()}>{say("review.retry.hint")}</button>}
        {open && passes(t.legal) && <button onClick={() => void r.tryMove(t.legal[0])}>{say("review.retry.pass")}</button>}
        {open && <button onClick={() => void r.solve()}>{say("review.retry.solution")}</button>}
        {!open && <button class="main" onClick={() => void r.nextRetry()}>{say(t.index + 1 < t.plies.length ? "review.retry.next" : "review.retry.end")}</button>}
        <button class="quiet" onClick={() => r.look(p.ply)}>{say("review.retry.stop")}</button>
      </div>
    </section>
  );
}

/** retryText asks for a move, or assesses the one that was tried. */
function retryText(r: Reviewing, v: Review): string {
  const t = r.retry.value!, p = v.plies[t.plies[t.index] - 1], named = (move: string): string => (move ? r.named(p.ply, [move])[0] : "");
  return say(`review.retry.${t.state}`, { side: sideName(v.game, p.side), move: r.label(p.ply), tried: named(t.tried), best: named(p.best) });
}

const isOpen = (t: RetryState): boolean => t.state === "ask" || t.state === "wrong";

/** Said is what screen readers announce: the task of a retry, a move of the best line, or the verdict on a move. The slider announces its own values. */
function Said({ r, v }: { r: Reviewing; v: Review }): JSX.Element {
  const [said, setSaid] = useState("");
  const t = r.retry.value, line = r.line.value, at = r.at.value, p = r.ply.value;
  const text = (): string => {
    if (t && isOpen(t) && t.hinted) return say("review.hint", { cell: hintCell(r, v.plies[t.plies[t.index] - 1]) });
    if (t) return `${t.state === "ask" ? `${say("review.retry.at", { n: t.index + 1, of: t.plies.length })}. ` : ""}${retryText(r, v)}`;
    if (line && p && r.step.value > 0) return say("review.line.said", { n: r.step.value, move: r.named(p.ply, p.pv)[r.step.value - 1] });
    return verdict(r, v, p, at);
  };
  useEffect(() => {
    if (r.touched.peek() && !document.activeElement?.closest('[role="slider"]')) setSaid(text());
  }, [t, line, at, r.step.value]);
  return <p class="hidden" role="status">{said}</p>;
}

const passes = (legal: Move[]): boolean => legal.length === 1 && legal[0].to === undefined;

/** hintCell returns the cell on which the best move begins, or the stone's target. */
function hintCell(r: Reviewing, p: Ply): string {
  const m = r.retry.value!.legal.find((l) => l.move === p.best), b = r.board.value!;
  const cell = m?.from ?? m?.to;
  return cell === undefined ? p.best : b.cols[cell % b.cols.length] + b.rows[Math.floor(cell / b.cols.length)];
}

/** Moves lists the moves with their marks. */
function Moves({ r, v }: { r: Reviewing; v: Review }): JSX.Element {
  const at = r.at.value, list = useRef<HTMLOListElement>(null);
  const rows = rowsOf(r.movers.value);
  useShownCurrent(list, [at]);
  return (
    <section class="moves" aria-label={say("moves.title")}>
      <ol ref={list} class="list" style={{ "--wide": Math.max(2, ...rows.map((t) => t.plies.length)) }}>
        {rows.map((t) => (
          <li key={t.number} value={t.number}>
            {t.late && <span />}
            {t.plies.map((ply) => {
              const mark = v.plies[ply - 1]?.judgement ?? "";
              return (
                <button key={ply} class={`move ${marks[mark] ?? ""}`} tabIndex={ply === Math.max(at, 1) ? 0 : -1} aria-current={ply === at ? "step" : undefined} onClick={() => r.look(ply)}>
                  {r.names.value[ply - 1]}{mark && <span aria-hidden="true">{mark}</span>}{mark && <span class="hidden"> {say(`review.name.${marks[mark]}`)}</span>}
                </button>
              );
            })}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** useKeys steps through the game by keys that no other element handles. */
function useKeys(r: Reviewing): void {
  useEffect(() => {
    const key = (e: KeyboardEvent): void => {
      if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || (e.target as Element).closest("input, textarea, select, dialog, summary")) return;
      if (e.key === "ArrowLeft") r.go(-1);
      else if (e.key === "ArrowRight") r.go(1);
      else if (e.key === "Home") r.look(0);
      else if (e.key === "End") r.look(Infinity);
      else return;
      e.preventDefault();
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, [r]);
}
