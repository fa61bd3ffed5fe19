// The page of a tournament: who plays, who leads, the boards, and one's own next game.

import { useState } from "preact/hooks";
import type { JSX, TargetedSubmitEvent } from "preact";
import { call, pathOf, type Trouble, who } from "./api";
import { useNearFocus } from "./focus";
import { Alert, values } from "./sending";
import { factsOf, pointsOf, useTour, type Tour } from "./tour";
import { Lobby } from "./tourlobby";
import { Series } from "./tourseries";
import { Boards, Podium, Projector, Standings, State, useTitle } from "./tourtable";
import { boot, facts, say } from "./words";

export function Main(): JSX.Element {
  if (!boot.id) return <Lobby />;
  const query = new URLSearchParams(location.search), embed = query.has("embed");
  if (query.has("series")) return <Series id={boot.id} />;
  return embed || query.has("screen") ? <Projector id={boot.id} embed={embed} /> : <One id={boot.id} />;
}

/** Act sends a request about the tournament, and shows it as it is then. */
type Act = (method: string, path: string, body?: unknown) => void;

function One({ id }: { id: string }): JSX.Element {
  const { t, ahead, trouble, load } = useTour(id), [refused, setRefused] = useState("");
  const act: Act = (method, path, body) => void call(method, `/api/tournaments/${id}${path}`, body).then(() => { setRefused(""); load(); }, (e: Trouble) => setRefused(e.message));
  useTitle(t);
  useNearFocus("main");
  if (!t) return <main id="main" class="person tour"><h1>{say("tour.title")}</h1><Alert text={trouble} /></main>;
  return (
    <main id="main" class="person tour">
      <h1>{t.title}</h1>
      <p class="note">{factsOf(t)} · {say("tour.host", { name: t.host })}{t.series && <> · <a href={`/tournament/${id}?series`}>{say("tour.series", { name: t.series })}</a></>}</p>
      <Alert text={trouble} />
      <Podium t={t} />
      <section class="card part">
        <State t={t} ahead={ahead} />
        <Own t={t} act={act} />
        <Alert text={refused} />
      </section>
      <div class="columns"><Standings t={t} /><Boards t={t} /></div>
      {t.yours && t.phase !== "over" && <Organise t={t} act={act} />}
      <Take t={t} />
      <p><a href="/tournaments">{say("tour.all")}</a></p>
    </main>
  );
}

/** mayJoin reports whether somebody who is not in the tournament can still join it. */
const mayJoin = (t: Tour): boolean => t.phase === "waiting" || (t.phase === "running" && (t.form === "arena" || (t.form === "swiss" && t.round < t.rounds)));

/** Own lets the visitor join, withdraw, and go to the game. */
function Own({ t, act }: { t: Tour; act: Act }): JSX.Element | null {
  const inside = t.you && !t.you.withdrawn;
  const join = (e: TargetedSubmitEvent<HTMLFormElement>): void => act("POST", "/players", values(e));
  if (t.phase === "over") return t.you && t.round > 0 ? <p>{say("tour.you", { rank: t.you.rank, points: pointsOf(t.you.points) })}</p> : null;
  if (!inside) {
    if (!mayJoin(t)) return <p class="note">{say("tour.closed")}</p>;
    if (t.rated && who.value?.guest) return <p class="note">{say("tour.rated")}</p>;
    return (
      <form class="bar" onSubmit={join}>
        {t.code && !t.yours && <label class="field">{say("tour.code")}<input name="code" required maxLength={40} autocomplete="off" spellcheck={false} /></label>}
        <button class="main big">{say(t.you ? "tour.again" : "tour.join")}</button>
      </form>
    );
  }
  return (
    <>
      {t.phase === "running" && <p>{say("tour.you", { rank: t.you!.rank, points: pointsOf(t.you!.points) })}</p>}
      {!t.you!.game && <p class="note">{say("tour.you.wait")}</p>}
      <p class="bar">
        {t.you!.game && <a class="button main big" href={pathOf(t.you!.game.id)}>{say("tour.play")}</a>}
        <button type="button" onClick={() => act("DELETE", "/players/me")}>{say("tour.leave")}</button>
      </p>
    </>
  );
}

/** Organise has the commands of the organiser. */
function Organise({ t, act }: { t: Tour; act: Act }): JSX.Element {
  const add = (e: TargetedSubmitEvent<HTMLFormElement>): void => act("POST", "/levels", { level: Number(values(e).level) });
  return (
    <section class="card part">
      <h2>{say("tour.organise")}</h2>
      {(t.phase === "waiting" || t.form === "arena" || t.form === "swiss") && (
        <form class="bar" onSubmit={add}>
          <label class="field">{say("tour.level")}<select name="level">{Array.from({ length: facts.levels }, (_, i) => <option key={i} value={i + 1}>{i + 1}</option>)}</select></label>
          <button>{say("tour.level.add")}</button>
        </form>
      )}
      <p class="bar">
        {t.phase === "waiting" && <button type="button" class="main" onClick={() => act("POST", "/start")}>{say("tour.start")}</button>}
        <button type="button" onClick={() => { if (confirm(say("tour.end.sure"))) act("DELETE", ""); }}>{say("tour.end")}</button>
      </p>
    </section>
  );
}

/** Take has what people take away: files, a screen for a projector, and an embed for another site. */
function Take({ t }: { t: Tour }): JSX.Element {
  const files = `/api/tournaments/${t.id}/files`, page = `/tournament/${t.id}`;
  const list = [["csv", "standings.csv"], ...(t.form === "swiss" || t.form === "robin" ? [["trf", "report.trf"]] : []), ["zip", "games.zip"], ["ics", "calendar.ics"]];
  return (
    <details class="card part">
      <summary>{say("tour.take")}</summary>
      <ul class="forms">
        {list.map(([key, name]) => <li key={key}><a href={`${files}/${name}`} download>{say(`tour.file.${key}`)}</a></li>)}
        <li><a href={`${page}?screen`} target="_blank">{say("tour.screen")}</a></li>
      </ul>
      <label class="field">{say("tour.embed")}<input readOnly value={`<iframe src="${location.origin}${page}?embed" width="600" height="600"></iframe>`} onFocus={(e) => e.currentTarget.select()} /></label>
    </details>
  );
}
