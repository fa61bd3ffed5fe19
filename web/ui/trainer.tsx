// What puzzles and lessons share: a position, its board, a field for typed moves, and the
// progress stored in this browser.

import { useEffect, useState } from "preact/hooks";
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { replay, whyIllegal, type Trouble } from "./api";
import { Board } from "./board";
import { boardCell, first, useKeptFocus } from "./focus";
import { attackedKings, readMove } from "./men";
import { Rules } from "./rules";
import { drawShapes, hints } from "./store";
import type { Board as Picture, Move, Side } from "./types";
import { chessmen, gameFact, gameTitle, lookOf, say, setupPage } from "./words";

/** Position is a position as the board shows it. */
export interface Position {
  board: Picture;
  legal: Move[];
  last: Move[]; // the moves of the newest turn
  text: string;
  turn: Side;
  over: boolean;
  ply: number; // how many moves have been played
}

/** positionAfter plays moves from a position; those from newest on are one turn. */
export async function positionAfter(game: string, start: string, moves: string[], newest: number): Promise<Position> {
  const r = await replay({ game, position: start, moves, list: true });
  const cells = r.board.cells.slice();
  for (const f of r.frames) for (const [cell, piece] of Object.entries(f.changes)) cells[Number(cell)] = piece;
  const note = r.frames.at(-1)?.note ?? r.board.note;
  return {
    board: { ...r.board, cells, note }, legal: r.moves ?? [], last: r.frames.slice(newest), text: r.position,
    turn: r.frames.at(-1)?.turn ?? r.turn, over: r.result !== "ongoing", ply: moves.length,
  };
}

/** sameTurn reports whether two turns have the same moves, in any order. */
export const sameTurn = (a: string[], b: string[]): boolean =>
  a.length === b.length && a.every((m) => a.filter((x) => x === m).length === b.filter((x) => x === m).length);

/** Absent is the page of a game that has nothing to train with: its board and its rules. */
export function Absent({ game, text }: { game: string; text: string }): JSX.Element {
  return (
    <>
      <div class="stage">
        <div class="seat" />
        <div class="boardbox"><Board game={game} board={gameFact(game).face} label={say("board.label", { game: gameTitle(game) })} shapes={drawShapes()} /></div>
        <div class="seat" />
      </div>
      <aside class="panel" aria-label={say("panel.title")}>
        <p class="state" role="status">{text}</p>
        <Rules game={game} open />
        <div class="bar"><a class="button main" href={`${setupPage}?game=${game}`}>{say("lessons.play")}</a></div>
      </aside>
    </>
  );
}

/** Trainer is the board on which moves are tried. */
export function Trainer(p: { game: string; at: Position; side: Side; active: boolean; onMove: (m: Move) => void; onTrouble: (text: string) => void }): JSX.Element {
  const explain = async (m: Move | null): Promise<void> => {
    p.onTrouble(""); // the same mistake is announced again
    const why = m ? await whyIllegal(p.game, p.at.text, m.move) : "";
    p.onTrouble(why || say("problem.illegal"));
  };
  const attacked = chessmen(p.game) && !p.at.over ? attackedKings(p.at.board.cells) : [];
  return (
    <Board
      game={p.game} board={p.at.board} label={say("board.label", { game: gameTitle(p.game) })} flip={lookOf(p.game).turned && p.side === "second"} shapes={drawShapes()}
      legal={p.active ? p.at.legal : none} last={p.at.last} turn={p.at.turn} quiet={!hints.value} marks={{ attacked }}
      onMove={p.onMove} onIllegal={(m) => void explain(m)}
    />
  );
}

const none: Move[] = [];

/** TypedMove is a field for moves in notation. */
export function TypedMove({ game, at, active, onMove, onTrouble }: { game: string; at: Position; active: boolean; onMove: (m: Move) => void; onTrouble: (text: string) => void }): JSX.Element {
  const [text, setText] = useState("");
  const submit = async (e: Event): Promise<void> => {
    e.preventDefault();
    if (!active || !text.trim()) return;
    const m = readMove(game, at.board.cells, at.legal, text);
    onTrouble("");
    if (!m) return onTrouble((await whyIllegal(game, at.text, text.trim())) || say("problem.illegal"));
    setText("");
    onMove(m);
  };
  return (
    <form class="typed" onSubmit={(e) => void submit(e)}>
      <input value={text} maxLength={20} autocomplete="off" autocapitalize="off" spellcheck={false} aria-label={say("study.type")} placeholder={say("study.type")} onInput={(e) => setText(e.currentTarget.value)} />
      <button disabled={!active}>{say("study.play")}</button>
    </form>
  );
}

const heard = signal({ text: "", n: 0 });

/** News shows a sentence and announces it, or what is to be said instead. */
export function News({ text, said = text, kind }: { text: string; said?: string; kind: "" | "good" | "bad" }): JSX.Element {
  useEffect(() => { heard.value = { text: said, n: heard.peek().n + 1 }; }, [said]);
  return <p class={`verdict-line ${kind}`}>{text}</p>;
}

/** Heard announces news. It outlives their puzzle or lesson: screen readers ignore what a live region holds when it appears. */
export const Heard = (): JSX.Element => <p class="hidden" role="status"><span key={heard.value.n}>{heard.value.text}</span></p>;

/** useTrainerFocus keeps the focus where the next thing is to be done. */
export function useTrainerFocus(): void {
  useKeptFocus((last) => {
    if (first('.panel[data-phase="busy"]')) return null;
    return last.matches("select") ? first("select") : last.closest(".lesson-steps") ? first('.lesson-steps [aria-current="step"]') : first(".panel .main", boardCell);
  });
}

/** useTrouble shows why a move is illegal for as long as it takes to read. */
export function useTrouble(): [string, (text: string) => void] {
  const [text, setText] = useState("");
  useEffect(() => {
    const timer = text ? setTimeout(() => setText(""), 8_000) : 0;
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
}

/** messageOf returns the message of a failed request. */
export const messageOf = (e: unknown): string => (e as Trouble).message;
