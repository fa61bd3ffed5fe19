// A game that has ended: another one, and taking the record away.

import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import { Action } from "./actions";
import { formsOf, pathOf, withKey } from "./api";
import { Icon } from "./icon";
import { Share } from "./join";
import type { Match } from "./match";
import { other, type View } from "./types";
import { say } from "./words";

/** pictures are those of the last board, and the whole game as an animation. */
const pictures: Record<string, string> = { png: "board.png", svg: "board.svg", gif: "game.gif" };

/** OverActions are the buttons of a game that has ended. */
export function OverActions({ match }: { match: Match }): JSX.Element | null {
  const v = match.view.value!;
  useEffect(() => {
    const was = match.happened.value;
    if (v.next && v.you.length > 0 && was?.kind === "rematched") location.href = withKey(pathOf(v.next));
  }, [v.next]);
  if (v.state !== "over") return null;
  return (
    <>
      <Rematch match={match} v={v} />
      <a class="button act" href={`/?game=${v.game}`}><Icon name="play" /><span>{say("over.new")}</span></a>
    </>
  );
}

/** Rematch offers another game, or leads to the one that was agreed. */
export function Rematch({ match, v }: { match: Match; v: View }): JSX.Element | null {
  const me = v.you[0];
  const alone = v.you.length === 1; // who plays both sides has nobody to ask
  const asked = alone && v.asked[me].includes("rematch");
  if (v.next) return <a class="button main act" href={withKey(pathOf(v.next))}><Icon name="rematch" /><span>{say("over.next")}</span></a>;
  if (!me || v.reason === "aborted" || !v.seats.first || !v.seats.second || (alone && v.asked[other(me)].includes("rematch"))) return null;
  return <Action main icon="rematch" text={say(asked ? "over.rematch.asked" : "over.rematch")} label={say(asked ? "over.rematch.asked" : "over.rematch.swap")} disabled={asked} onClick={() => void rematch(match, v)} />;
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
    </section>
  );
}

/** rematch asks for another game; who plays both sides agrees at once. */
async function rematch(match: Match, v: View): Promise<void> {
  const [me, self] = v.you;
  const asked = v.asked[me].includes("rematch") || await match.ask({ do: "rematch", side: me });
  if (asked && self) await match.ask({ do: "accept", side: self, what: "rematch" });
}
