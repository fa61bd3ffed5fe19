// A game that waits for players: a seat to take, or a link to send.

import { useState } from "preact/hooks";
import type { JSX } from "preact";
import { pathOf, type Trouble, who, withKey } from "./api";
import type { Match } from "./match";
import { Share } from "./share";
import { learnt, userName } from "./store";
import { sides, type Side, type View } from "./types";
import { gameTitle, say, sideName } from "./words";
import { marked, Wrong } from "./wrong";

export function Join({ match }: { match: Match }): JSX.Element | null {
  const v = match.view.value!;
  if (v.state !== "open") return null;
  const open = sides.filter((s) => !v.seats[s]);
  if (v.you.length > 0) return <Invite v={v} />;
  return <Seats match={match} v={v} open={open} />;
}

function Seats({ match, v, open }: { match: Match; v: View; open: Side[] }): JSX.Element {
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const take = async (side: Side): Promise<void> => {
    setTrouble(null);
    match.trouble.value = "";
    try {
      await match.join(side, userName.value.trim());
    } catch (e) {
      const t = e as Trouble;
      if (t.field === "name") setTrouble(t);
      else match.trouble.value = t.message; // that somebody else has the seat is to be read when this is gone
    }
  };
  return (
    <div class="card invite">
      {!learnt.value[v.game] && <p class="note">{say("first.ask", { game: gameTitle(v.game) })} <a href={`/learn/${v.game}`} target="_blank">{say("first.learn")}</a></p>}
      <label class="field">{say("join.name")}
        <input {...marked("name", trouble)} value={userName.value} maxLength={40} autocomplete="nickname" placeholder={who.value?.name} onInput={(e) => { userName.value = e.currentTarget.value; }} />
      </label>
      <Wrong field="name" trouble={trouble} />
      <div class="bar">
        {open.map((s) => <button key={s} class="main" onClick={() => void take(s)}>{say("join.take", { side: sideName(v.game, s) })}</button>)}
      </div>
    </div>
  );
}

function Invite({ v }: { v: View }): JSX.Element {
  return (
    <div class="card invite">
      <p>{say("invite.text")}</p>
      <Share path={withKey(pathOf(v.id))} label={say("invite.link")} />
      <Notify />
    </div>
  );
}

/** Notify asks whether the browser may say that somebody has come, where that can be asked. */
function Notify(): JSX.Element | null {
  const [asked, setAsked] = useState(!("Notification" in window) || Notification.permission !== "default");
  if (asked) return null;
  return <button onClick={() => void Notification.requestPermission().finally(() => setAsked(true))}>{say("invite.notify")}</button>;
}
