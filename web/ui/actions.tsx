// What a player can do beside moving: answer, offer, take back, resign.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ComponentChildren, JSX, RefObject } from "preact";
import { Icon } from "./icon";
import type { Match } from "./match";
import { mustPass, other, type Request, type Side, type View } from "./types";
import { say, sideName } from "./words";

export function Actions({ match, flip }: { match: Match; flip: () => void }): JSX.Element {
  const v = match.view.value!;
  const seated = v.you.length > 0;
  return (
    <div class="actions">
      {seated && v.state === "live" && <Typed match={match} v={v} />}
      <div class="bar">
        {seated && v.state === "live" && <Playing match={match} v={v} />}
        {seated && v.state === "open" && <Confirm icon="flag" text={say("act.abort")} sure={say("act.abort.sure")} onYes={() => void match.ask({ do: "resign", side: v.you[0] })} />}
        <Action icon="flip" text={say("act.flip")} onClick={flip} />
      </div>
    </div>
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
      <Action icon="takeback" text={say("act.takeback")} disabled={v.ply === 0 || asked.includes("takeback")} onClick={() => void takeBack(match, v)} />
      {!opponent?.engine && (
        <Confirm icon="draw" text={say(both ? "act.agree" : "act.draw")} sure={say(both ? "act.agree.sure" : "act.draw.sure")} disabled={!both && asked.includes("draw")} onYes={() => void draw(match, v, me)} />
      )}
      {rule && rule !== "none" && (
        <Confirm icon="count" text={say("act.claim")} sure={say("act.claim.sure")} disabled={v.state === "open" || asked.includes("halt") || (rule === "claim" && v.turn !== me)}
          onYes={() => void claim(match, v, me)} />
      )}
      <Confirm icon="flag" text={say("act.resign")} sure={say("act.resign.sure", { side: sideName(v.game, me) })} onYes={() => void match.ask({ do: "resign", side: me })} />
    </>
  );
}

/** takeBack asks for the last move back; who plays both sides agrees at once. */
async function takeBack(match: Match, v: View): Promise<void> {
  if (v.you.length === 1) return void match.ask({ do: "takeback", side: v.you[0] });
  const mover = match.shots.value[v.ply - 1]?.turn ?? other(v.turn!);
  const asked = await match.ask({ do: "takeback", side: mover, ply: v.ply - 1 });
  if (asked) await match.ask({ do: "accept", side: other(mover), what: "takeback" });
}

/** draw offers a draw; who plays both sides agrees at once. */
async function draw(match: Match, v: View, me: Side): Promise<void> {
  const asked = v.asked[me].includes("draw") || await match.ask({ do: "offer", side: me });
  if (asked && v.you.length === 2 && !v.asked[other(me)].includes("draw")) await match.ask({ do: "accept", side: other(me), what: "draw" });
}

/** claim stops the game; where both must want it, who plays both sides agrees at once. */
async function claim(match: Match, v: View, me: Side): Promise<void> {
  const asked = await match.ask({ do: "claim", side: me });
  if (asked && v.options.halt === "agreed" && v.you.length === 2) await match.ask({ do: "accept", side: other(me), what: "halt" });
}

/**
 * Calls are what a player must answer: a turn that can only be passed, and what the
 * other side asks for. They lie over the page, so that nothing on it moves away
 * from under a finger.
 */
export function Calls({ match }: { match: Match }): JSX.Element {
  const v = match.view.value!;
  const acting = match.acting.value;
  const me = v.you.length === 1 ? v.you[0] : null;
  return (
    <div class="calls">
      {acting && mustPass(v) && (
        <div class="ask" role="group" aria-label={say("pass.do")}>
          <p>{say("pass.must", { side: sideName(v.game, acting) })}</p>
          <button class="main" onClick={() => match.play(v.legal[0])}>{say("pass.do")}</button>
        </div>
      )}
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

/** Typed takes a move in writing. */
function Typed({ match, v }: { match: Match; v: View }): JSX.Element {
  const [text, setText] = useState("");
  const acting = match.acting.value;
  const submit = (e: Event): void => {
    e.preventDefault();
    const wanted = text.trim().toLowerCase();
    if (!wanted || !acting) return;
    const move = v.legal.find((m) => m.move.toLowerCase() === wanted);
    if (!move) { match.trouble.value = say("typed.illegal", { move: text.trim() }); return; }
    if (match.play(move)) setText("");
  };
  return (
    <form class="typed" onSubmit={submit}>
      <label for="typed">{say("typed.label")}</label>
      <input id="typed" value={text} onInput={(e) => setText(e.currentTarget.value)} autocomplete="off" autocapitalize="off" spellcheck={false} placeholder={v.legal[0]?.move ?? ""} />
      <button disabled={!acting}>{say("typed.play")}</button>
    </form>
  );
}

interface ActionProps {
  icon: string;
  text: string;
  disabled?: boolean;
  button?: RefObject<HTMLButtonElement | null>;
  onClick: () => void;
}

export function Action({ icon, text, disabled, button, onClick }: ActionProps): JSX.Element {
  return <button ref={button} class="act" disabled={disabled} onClick={onClick}><Icon name={icon} /><span>{text}</span></button>;
}

/** Confirm asks again before it does what cannot be undone. */
export function Confirm(p: { icon: string; text: string; sure: string; disabled?: boolean; onYes: () => void }): JSX.Element {
  const [asking, setAsking] = useState(false);
  const first = useRef<HTMLButtonElement>(null), was = useRef(false);
  useLayoutEffect(() => { // the focus comes when it is asked, and goes back on Cancel; what else happens in the game does not move it
    if (asking !== was.current) first.current?.focus();
    was.current = asking;
  }, [asking]);
  if (!asking) return <Action icon={p.icon} text={p.text} disabled={p.disabled} button={first} onClick={() => setAsking(true)} />;
  return (
    <Group label={p.sure}>
      <button class="danger" ref={first} onClick={() => { setAsking(false); p.onYes(); }}>{p.sure}</button>
      <button onClick={() => setAsking(false)}>{say("act.cancel")}</button>
    </Group>
  );
}

/** Group is not answered by a key that is held down since before it asked. */
const Group = ({ label, children }: { label: string; children: ComponentChildren }): JSX.Element =>
  <div class="sure" role="group" aria-label={label} onKeyDown={(e) => { if (e.repeat && e.key !== "Tab") e.preventDefault(); }}>{children}</div>;
