// The page of the board editor: put pieces on a board, see at once whether the rules
// allow the position, and take it to a game, to the analysis board, or as text.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import { Board } from "./board";
import { Editing, type Verdict } from "./editing";
import { Icon } from "./icon";
import { bothSides as sides, countText, keyOf, pieceOfKey, piecesOf, positionQuery } from "./notation";
import { Piece } from "./pieces";
import { Share, toClipboard } from "./share";
import { drawShapes } from "./store";
import type { Side } from "./types";
import { boot, dress, gameFact, gameTitle, listed, lookOf, pieceName, say, setupPage, sideName } from "./words";

export function Main(): JSX.Element {
  const e = useMemo(() => new Editing(boot.id!), []);
  useEffect(() => void e.open(new URLSearchParams(location.search).get("position")), [e]);
  const [above, below]: Side[] = e.flip.value ? ["first", "second"] : ["second", "first"];
  return (
    <main id="main" class="table study editor" data-ready={e.verdict.value !== null} data-wrong={!!e.verdict.value?.wrong}>
      <h1 class="hidden">{say("editor.title", { game: gameTitle(e.game) })}</h1>
      <div class="stage">
        <div class="seat"><Palette e={e} side={above} pits={piecesOf(e.game).includes("#")} /></div>
        <div class={`boardbox${e.state.value ? "" : " loading"}`}>{e.state.value && <Canvas e={e} />}</div>
        <div class="seat"><Palette e={e} side={below} eraser /></div>
      </div>
      <aside class="panel" aria-label={say("editor.panel")}>
        <State e={e} />
        {e.state.value && <Settings e={e} />}
        {e.state.value && <Tools e={e} />}
        {e.state.value && <Text e={e} />}
        <Ways e={e} />
        <p class="hidden" role="status">{e.said.value}</p>
      </aside>
    </main>
  );
}

/** Canvas is the board that is painted on. Keys put pieces on the cell that has the focus. */
function Canvas({ e }: { e: Editing }): JSX.Element {
  const s = e.state.value!;
  const key = (event: KeyboardEvent): void => {
    if (event.altKey) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== "z") return;
      e.undo();
      return event.preventDefault();
    }
    const cell = (event.target as Element).closest("[data-cell]")?.getAttribute("data-cell"), piece = pieceOfKey(e.game, event.key);
    if (!cell || piece === undefined) return;
    e.tool.value = piece;
    e.put(Number(cell), piece);
    event.preventDefault();
  };
  return (
    <div class="canvas" onKeyDown={key}>
      <Board
        game={e.game} board={{ ...s.board, cells: s.cells }} label={say("board.label", { game: gameTitle(e.game) })} flip={e.flip.value} shapes={drawShapes()}
        onCell={(cell) => e.paint(cell, true)} onPaint={(cell, begins, erases) => e.paint(cell, begins, erases)}
      />
    </div>
  );
}

/** Palette offers the pieces of a side, pits and the eraser. */
function Palette({ e, side, pits, eraser }: { e: Editing; side: Side; pits?: boolean; eraser?: boolean }): JSX.Element {
  const digit = side === "first" ? "1" : "2";
  const tools = [...piecesOf(e.game).filter((p) => p[0] === digit), ...(pits ? ["#"] : []), ...(eraser ? [""] : [])];
  return (
    <fieldset class="palette">
      <legend class="hidden">{say("editor.pieces", { side: sideName(e.game, side) })}</legend>
      {tools.map((piece) => {
        const name = piece === "" ? say("editor.erase") : pieceName(e.game, piece), key = keyOf(e.game, piece);
        return (
          <label key={piece} title={say("editor.key", { name, key })}>
            <input type="radio" name="tool" value={piece} checked={e.tool.value === piece} aria-label={name} aria-keyshortcuts={key} onChange={() => { e.tool.value = piece; }} />
            <svg viewBox="-10 -10 20 20" {...dress(e.game)} aria-hidden="true"><Sample game={e.game} piece={piece} /></svg>
          </label>
        );
      })}
    </fieldset>
  );
}

/** Sample draws what a tool puts down. */
function Sample({ game, piece }: { game: string; piece: string }): JSX.Element {
  if (piece === "#") return <path class="hole" d="M-7.5 0A7.5 7.5 0 1 1 7.5 0A7.5 7.5 0 1 1 -7.5 0M-4-4L4 4M4-4L-4 4" />;
  if (piece !== "") return <Piece game={game} code={piece} shapes={drawShapes()} />;
  return <path class="eraser" d="M-7 2.500L1.500-6l5.500 5.500L.5 6h-4zM-3.500-1l5.500 5.500M.5 6H8" />;
}

/** State shows whose turn it is, or what is wrong. Its height is fixed, so that the layout does not move; where nothing is wrong, it says how to paint. */
function State({ e }: { e: Editing }): JSX.Element {
  const v = e.verdict.value, s = e.state.value;
  return (
    <div class="news verdict-of-rules">
      <p class="state">{!s ? say("loading") : e.verdict.value?.wrong ? say("editor.impossible") : v?.result === "ongoing" ? say("status.turn", { side: sideName(e.game, s.turn) }) : say("editor.over")}</p>
      <p class={v?.wrong ? "trouble" : "note"} id="rules-say" role="status">{v && sentenceOf(e.game, v)}</p>
      {v && !v.wrong && <p class="note how">{say("editor.how")}</p>}
    </div>
  );
}

/** sentenceOf returns the verdict as a sentence. */
function sentenceOf(game: string, v: Verdict): string {
  if (v.wrong) return v.wrong;
  const winner = sides.find((s) => v.result === `${s} wins`);
  if (winner) return say("editor.over.won", { side: sideName(game, winner) });
  if (v.result !== "ongoing") return say("editor.over.draw");
  const counts = countText(game, v);
  return [say("editor.legal", { n: v.legal }), counts].filter(Boolean).join(" · ");
}

/** Settings are the side to move, the half-turn, and the size of the board. */
function Settings({ e }: { e: Editing }): JSX.Element {
  const s = e.state.value!;
  const perTurn = lookOf(e.game).per_turn;
  const size = gameFact(e.game).options.find((o) => o.name === "size");
  const choice = (legend: string, name: string, options: [string, boolean, () => void][]): JSX.Element => (
    <fieldset class="choice">
      <legend>{legend}</legend>
      {options.map(([text, checked, choose]) => <label key={text}><input type="radio" name={name} checked={checked} onChange={choose} /><span>{text}</span></label>)}
    </fieldset>
  );
  return (
    <div class="pairs">
      {choice(say("editor.turn"), "turn", sides.map((side) => [sideName(e.game, side), s.turn === side, () => e.setTurn(side)]))}
      {perTurn > 1 && choice(say("editor.left"), "left", Array.from({ length: perTurn }, (_, i) => i + 1).map((n) => [String(n), s.left === n, () => e.setLeft(n)]))}
      {size && (
        <label class="field">{say("option.size")}
          <select value={s.cols} onChange={(event) => void e.resize(Number(event.currentTarget.value))}>
            {sizesOf(size.min!, size.max!, size.step || 1).map((n) => <option key={n} value={n}>{n}×{n}</option>)}
          </select>
        </label>
      )}
    </div>
  );
}

const sizesOf = (min: number, max: number, step: number): number[] => Array.from({ length: Math.floor((max - min) / step) + 1 }, (_, i) => min + i * step);

function Tools({ e }: { e: Editing }): JSX.Element {
  return (
    <div class="bar tools">
      <button onClick={() => void e.start()}>{say("editor.start")}</button>
      <button onClick={() => e.clear()}>{say("editor.clear")}</button>
      <button aria-pressed={e.flip.value} onClick={() => { e.flip.value = !e.flip.value; }}><Icon name="flip" />{say("act.flip")}</button>
      <button aria-disabled={e.past.value.length === 0} onClick={() => e.undo()}><Icon name="takeback" />{say("editor.undo")}</button>
    </div>
  );
}

const typingPause = 200; // milliseconds without a key before a text is read

/** Text is the position as text, which can be edited and copied. */
function Text({ e }: { e: Editing }): JSX.Element {
  const field = useRef<HTMLTextAreaElement>(null), timer = useRef(0);
  const [copied, setCopied] = useState("");
  const wrong = e.typed.value !== null && !!e.verdict.value?.wrong;
  const input = (text: string): void => {
    e.typed.value = text;
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => void e.type(text), typingPause);
  };
  const copy = async (): Promise<void> => {
    setCopied(""); // it is announced again
    setCopied(say(await toClipboard(e.text.value, field.current!) ? "share.copied" : "share.copy"));
  };
  return (
    <div class="share text-form">
      <label class="field">{say("editor.text")}
        <textarea
          ref={field} rows={2} maxLength={2000} spellcheck={false} autocapitalize="off" autocomplete="off" value={e.typed.value ?? e.text.value} aria-invalid={wrong} aria-describedby="rules-say"
          onInput={(event) => input(event.currentTarget.value)} onBlur={() => e.leave()} onKeyDown={(event) => { if (event.key === "Escape") e.revert(); }}
        />
      </label>
      <button onClick={() => void copy()}>{say("editor.copy")}</button>
      <span role="status">{copied}</span>
    </div>
  );
}

/** Ways are links that open the position elsewhere. */
function Ways({ e }: { e: Editing }): JSX.Element {
  const query = positionQuery(e.text.value);
  const way = (path: string, text: string, icon: string, main = false): JSX.Element => (e.ready.value
    ? <a class={`button${main ? " main" : ""}`} href={path}><Icon name={icon} />{text}</a>
    : <button class={main ? "main" : ""} disabled aria-describedby="rules-say"><Icon name={icon} />{text}</button>);
  return (
    <>
      <div class="bar ways">{way(`${setupPage}?game=${e.game}&${query}`, say("editor.play"), "play", true)}{way(`/analysis/${e.game}?${query}`, say("editor.analyse"), "eye")}</div>
      <Share path={`/editor/${e.game}?${query}`} label={say("editor.link")} />
      <details class="rules"><summary>{say("editor.keys")}</summary>
        <p>{say("editor.keys.text", { keys: listed([...piecesOf(e.game), ""].map((p) => say("editor.key", { name: p === "" ? say("editor.erase") : pieceName(e.game, p), key: keyOf(e.game, p) }))) })}</p>
      </details>
    </>
  );
}
