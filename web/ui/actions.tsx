// What a player can do besides moving: answer, offer, take back, resign.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import { Icon } from "./icon";
import type { Match, Question } from "./match";
import { readMove, san } from "./men";
import { typing } from "./store";
import { other, type Move, type Request, type Side, type View } from "./types";
import { chessmen, say, sideName } from "./words";

export function Actions({ match, flip }: { match: Match; flip: () => void }): JSX.Element {
  const v = match.view.value!;
  const seated = v.you.length > 0;
  return (
    <>
      {seated && v.state === "live" && <Playing match={match} v={v} />}
      {seated && v.state === "open" && <Confirm match={match} icon="flag" text={say("act.abort")} sure={say("act.abort.sure")} onYes={() => void match.ask({ do: "resign", side: v.you[0] })} />}
      <Action icon="flip" text={say("act.flip")} onClick={flip} />
    </>
  );
}

/** speaker is the side for which a command is given: the only one, or the one whose turn it is. */
const speaker = (v: View): Side => (v.you.length === 1 ? v.you[0] : v.turn ?? "first");

function Playing({ match, v }: { match: Match; v: View }): JSX.Element {
  const me = speaker(v);
  const opponent = v.seats[other(me)];
  const both = v.you.length === 2;
  const asked = v.asked[me];
  const rule = v.options.halt;
  return (
    <>
      {v.berserk && !v.berserk[me] && v.ply <= (me === "first" ? 0 : 1) && <Action icon="low" text={say("act.berserk")} onClick={() => void match.ask({ do: "berserk", side: me })} />}
      {!v.rated && <Action icon="takeback" text={say("act.takeback")} disabled={v.ply === 0 || asked.includes("takeback")} onClick={() => void takeBack(match, v)} />}
      {!opponent?.engine && (
        <Confirm match={match} icon="draw" text={say(both ? "act.agree" : "act.draw")} sure={say(both ? "act.agree.sure" : "act.draw.sure")} disabled={!both && asked.includes("draw")} onYes={() => void draw(match, v, me)} />
      )}
      {rule && rule !== "none" && (
        <Confirm match={match} icon="count" text={say("act.claim")} sure={say("act.claim.sure")} disabled={v.state === "open" || asked.includes("halt") || (rule === "claim" && v.turn !== me)}
          onYes={() => void claim(match, v, me)} />
      )}
      <Confirm match={match} icon="flag" text={say("act.resign")} sure={say("act.resign.sure", { side: sideName(v.game, me) })} onYes={() => void match.ask({ do: "resign", side: me })} />
    </>
  );
}

/** takeBack asks to take back the last move. A player of both sides agrees at once. */
async function takeBack(match: Match, v: View): Promise<void> {
  if (v.you.length === 1) return void match.ask({ do: "takeback", side: v.you[0] });
  const mover = match.shots.value[v.ply - 1]?.turn ?? other(v.turn!);
  const asked = await match.ask({ do: "takeback", side: mover, ply: v.ply - 1 });
  if (asked) await match.ask({ do: "accept", side: other(mover), what: "takeback" });
}

/** draw offers a draw. A player of both sides agrees at once. */
async function draw(match: Match, v: View, me: Side): Promise<void> {
  const asked = v.asked[me].includes("draw") || await match.ask({ do: "offer", side: me });
  if (asked && v.you.length === 2 && !v.asked[other(me)].includes("draw")) await match.ask({ do: "accept", side: other(me), what: "draw" });
}

/** claim stops the game. Where both must agree, a player of both sides does so at once. */
async function claim(match: Match, v: View, me: Side): Promise<void> {
  const asked = await match.ask({ do: "claim", side: me });
  if (asked && v.options.halt === "agreed" && v.you.length === 2) await match.ask({ do: "accept", side: other(me), what: "halt" });
}

/**
 * Calls are questions to the player: confirmations, and requests of the opponent. They
 * cover the status above the buttons, so that the layout does not move and no answer
 * appears under the finger that has just tapped.
 */
export function Calls({ match }: { match: Match }): JSX.Element {
  const v = match.view.value!;
  const me = v.you.length === 1 ? v.you[0] : null;
  const question = match.question.value;
  if (question && v.state !== "over") return <div class="calls"><Sure key={question.sure} match={match} question={question} /></div>;
  return (
    <div class="calls">
      {me && v.asked[other(me)].map((what: Request) => (
        <div key={what} class="ask" role="group" aria-label={say(`asks.${what}`)}>
          <p>{say(`news.asks.${what}`, { side: sideName(v.game, other(me)) })}</p>
          <button class="main" onClick={() => void match.ask({ do: "accept", what, side: me })}>{say("act.accept")}</button>
          {what !== "halt" && <button onClick={() => void match.ask({ do: "decline", what, side: me })}>{say("act.decline")}</button>}
        </div>
      ))}
    </div>
  );
}

/** Sure asks for confirmation. It takes the focus, and returns it on Cancel. A key that was already held down does not answer. */
function Sure({ match, question }: { match: Match; question: Question }): JSX.Element {
  const yes = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => yes.current?.focus({ preventScroll: true }), []);
  const close = (): void => { match.question.value = null; };
  const cancel = (): void => { close(); question.from?.focus(); };
  return (
    <div class="ask sure" role="group" aria-label={question.sure} onKeyDown={(e) => { if (e.key === "Escape") cancel(); else if (e.repeat && e.key !== "Tab") e.preventDefault(); }}>
      <button class="danger" ref={yes} onClick={() => { close(); question.yes(); }}>{question.sure}</button>
      <button onClick={cancel}>{say("act.cancel")}</button>
    </div>
  );
}

/** written returns a legal move in the game's notation. */
const written = (v: View, m: Move): string => (chessmen(v.game) ? san(v.board.cells, m) : m.move);

/** Typed is the field for typed moves. Small screens fold it. */
export function Typed({ match }: { match: Match }): JSX.Element | null {
  const v = match.view.value!;
  if (v.you.length === 0 || v.state !== "live") return null;
  return (
    <details class="typing" open={typing.value} onToggle={(e) => { typing.value = e.currentTarget.open; }}>
      <summary>{say("typed.label")}</summary>
      <TypedForm match={match} v={v} />
    </details>
  );
}

function TypedForm({ match, v }: { match: Match; v: View }): JSX.Element {
  const [text, setText] = useState("");
  const acting = match.acting.value;
  const submit = (e: Event): void => {
    e.preventDefault();
    const wanted = text.trim();
    if (!wanted || !acting) return;
    const move = readMove(v.game, v.board.cells, v.legal, wanted);
    if (!move) { match.trouble.value = say("typed.illegal", { move: wanted }); return; }
    if (match.play(move)) setText("");
  };
  return (
    <form class="typed" onSubmit={submit}>
      <input id="typed" aria-label={say("typed.label")} value={text} onInput={(e) => setText(e.currentTarget.value)} autocomplete="off" autocapitalize="off" spellcheck={false} placeholder={v.legal[0] ? written(v, v.legal[0]) : ""} />
      <button disabled={!acting}>{say("typed.play")}</button>
    </form>
  );
}

interface ActionProps {
  icon: string;
  text: string;
  label?: string; // the whole name, where the text is short
  disabled?: boolean;
  pressed?: boolean;
  main?: boolean;
  onClick: (e: MouseEvent) => void;
}

export function Action({ icon, text, label, disabled, pressed, main, onClick }: ActionProps): JSX.Element {
  return <button class={main ? "act main" : "act"} aria-label={label} aria-expanded={pressed} disabled={disabled} onClick={onClick}><Icon name={icon} /><span>{text}</span></button>;
}

/** Confirm is a button that asks for confirmation. A second tap on it does nothing. */
export function Confirm(p: { match: Match; icon: string; text: string; sure: string; disabled?: boolean; onYes: () => void }): JSX.Element {
  const ask = (e: MouseEvent): void => {
    p.match.question.value = { sure: p.sure, yes: p.onYes, from: e.currentTarget as HTMLElement };
  };
  return <Action icon={p.icon} text={p.text} disabled={p.disabled} pressed={p.match.question.value?.sure === p.sure} onClick={ask} />;
}
