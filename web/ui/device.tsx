// The page of games on this device: against an engine in the page, or between two people. It needs no server.

import { useEffect, useMemo, useState } from "preact/hooks";
import type { JSX } from "preact";
import { Action } from "./actions";
import { troubleOf } from "./api";
import { first, useKeptFocus } from "./focus";
import { Icon } from "./icon";
import { begun, changes, drop, isFull, keep, list, most, read, unsaved, type Kept, type Other } from "./keeping";
import { Match } from "./match";
import { san } from "./men";
import { Options } from "./options";
import { Playing } from "./playing";
import { Colour, Games, Level, optionsOf } from "./setup";
import { remember } from "./sharing";
import { choices, userName } from "./store";
import { Table } from "./table";
import { type Both, type Seat, type Side } from "./types";
import { ago, boot, chessmen, facts, gameFact, gameTitle, language, loadWords, playerName, resultText, say } from "./words";
import { Seen } from "./wrong";

const strongest = 8; // the level that a page can play without long waits

export function Main(): JSX.Element {
  const [id, setId] = useState(location.hash.slice(1));
  useEffect(() => {
    const change = (): void => setId(location.hash.slice(1));
    addEventListener("hashchange", change);
    return () => removeEventListener("hashchange", change);
  }, []);
  const game = useMemo(() => (id ? read(id) : null), [id]);
  return game && "v" in game ? <Game key={id} game={game} /> : <Start gone={id !== "" && !game} />;
}

/** Start is the form for a game, and the list of all. */
function Start({ gone }: { gone: boolean }): JSX.Element {
  const query = new URLSearchParams(location.search), position = query.get("position") ?? undefined, asked = query.get("game");
  const [game, setGame] = useState(asked && facts.games.some((g) => g.name === asked) ? asked : choices.value.game ?? "othello");
  const [trouble, setTrouble] = useState(gone ? say("device.gone") : "");
  const get = (key: string, fallback: string): string => choices.value[key] ?? fallback;
  const set = (key: string, value: string): void => { choices.value = { ...choices.value, [key]: value }; };
  const here = get("opponent", "engine") === "here", level = String(Math.min(Number(get("level", "3")), strongest));
  const fact = gameFact(game), options = optionsOf(game, get(`options.${game}`, ""));
  useKeptFocus(() => first(".games-here .cancel", ".games-here button", "form.setup .big"));
  const play = (e: Event): void => {
    e.preventDefault();
    if (refused()) return setTrouble(refused());
    set("game", game);
    open(begun({ game, options: position ? {} : without(options, "halt"), position, seats: seatsOf(here, level, get("colour", "random")) }));
  };
  return (
    <main id="main" class="here">
      <h1>{say("device.title")}</h1>
      <div class="note"><p>{say("device.text")}</p><Ready /></div>
      <form class="card setup" onSubmit={play}>
        {!position && <Games game={game} onGame={setGame} />}
        <fieldset class="choice two">
          <legend>{say("setup.opponent")}</legend>
          {["engine", "here"].map((o) => (
            <label key={o}><input type="radio" name="opponent" checked={here === (o === "here")} onChange={() => set("opponent", o)} /><span>{say(`opponent.${o}`)}</span></label>
          ))}
        </fieldset>
        {!here && <Level game={game} label={say("setup.level")} value={level} most={strongest} onLevel={(n) => set("level", n)} />}
        {!here && <Colour game={game} value={get("colour", "random")} onColour={(c) => set("colour", c)} />}
        {!position && <Options game={{ ...fact, options: fact.options.filter((o) => o.name !== "halt" && o.name !== "pits") }} value={options} onChange={(o) => set(`options.${game}`, JSON.stringify(o))} />}
        {trouble && <Seen text={trouble} />}
        <button class="main big">{say("setup.play.here")}</button>
      </form>
      <Lists />
    </main>
  );
}

/** without returns options but for one. */
const without = (options: Record<string, string>, name: string): Record<string, string> => Object.fromEntries(Object.entries(options).filter(([key]) => key !== name));

/** refused says why no other game can begin; "" if one can. */
const refused = (): string => (unsaved.peek() ? say("device.unsaved") : isFull() ? say("device.many", { n: most }) : "");

/** open stores a game and shows it. */
function open(g: Kept): void {
  keep(g);
  void navigator.storage?.persist?.();
  location.hash = g.id;
}

function seatsOf(here: boolean, level: string, colour: string): Both<Seat> {
  const name = userName.peek().trim() || say("seat.you");
  if (here) return { first: { name: say("here.first", { name }) }, second: { name: say("here.second", { name }) } };
  const me: Side = colour === "random" ? (Math.random() < 0.5 ? "first" : "second") : (colour as Side);
  const engine: Seat = { name: playerName({ name: "", engine: `level:${level}` }), engine: `level:${level}` };
  return me === "first" ? { first: { name }, second: engine } : { first: engine, second: { name } };
}

/** Ready installs the service worker, and says whether the page works without a network. */
function Ready(): JSX.Element | null {
  const [state, setState] = useState<"loading" | "ready" | "online">("loading");
  useEffect(() => {
    const all = navigator.serviceWorker as ServiceWorkerContainer | undefined;
    if (!all) return setState("online");
    void all.ready.then(() => setState("ready"));
    const failed = (): void => { if (!all.controller) setState("online"); };
    import("./installed").then((m) => m.install({ say, loadWords }, failed)).catch(failed);
  }, []);
  return boot.local && state === "online" ? null : <p role="status" data-offline={state}>{say(`device.${state}`)}</p>;
}

/** Lists lists the games on this device. */
function Lists(): JSX.Element {
  changes.value;
  const all = list();
  return (
    <section class="card games-here">
      <h2>{say("device.games")}</h2>
      {all.length === 0 && <p class="note">{say("device.none")}</p>}
      <ul class="plain">{all.map((g) => <li key={g.id} class="bar"><span id={g.id}>{"v" in g ? <Listed g={g} /> : <Strange g={g} />}</span><Delete id={g.id} /></li>)}</ul>
    </section>
  );
}

function Listed({ g }: { g: Kept }): JSX.Element {
  const who = [g.seats.first, g.seats.second].map(playerName).join(" – ");
  return <a href={`#${g.id}`}>{[gameTitle(g.game), who, g.result === "ongoing" ? "" : resultText(g), ago(g.updated)].filter(Boolean).join(" · ")}</a>;
}

/** Strange is what another version has stored: it can be taken away. */
function Strange({ g }: { g: Other }): JSX.Element {
  return <span>{say("device.other")} <button class="quiet" onClick={() => download(`${g.id}.json`, g.text)}>{say("device.raw")}</button></span>;
}

/** Delete deletes a game after it has asked. */
function Delete({ id, then }: { id: string; then?: () => void }): JSX.Element {
  const [sure, setSure] = useState(false);
  const go = (): void => { drop(id); then?.(); };
  return sure ? <><button class="danger" onClick={go}>{say("device.delete.sure")}</button><button class="cancel" onClick={() => setSure(false)}>{say("act.cancel")}</button></> : <button class="quiet" aria-describedby={id} onClick={() => setSure(true)}>{say("device.delete")}</button>;
}

/** Game is a game that is played or looked at. */
function Game({ game }: { game: Kept }): JSX.Element {
  const [match, playing] = useMemo(() => {
    let playing: Playing;
    const match = new Match(game.id, (hear) => (playing = new Playing(game, hear)));
    return [match, playing!];
  }, []);
  const v = playing.view.value, over = v?.state === "over";
  if (!v && match.trouble.value) return <Damaged g={game} trouble={match.trouble.value} />;
  const actions = (
    <>
      {over && <a class="button act" href="/device"><Icon name="play" /><span>{say("over.new")}</span></a>}
      {over && <Action icon="rematch" text={say("device.swap")} onClick={() => swap(playing.game, match)} />}
      {v?.state === "live" && <Hint match={match} playing={playing} />}
    </>
  );
  return <Table match={match} device={{ actions, after: <After playing={playing} match={match} /> }} />;
}

/** Damaged is a game that the rules do not allow: a browser may have stored a part of it. */
function Damaged({ g, trouble }: { g: Kept; trouble: string }): JSX.Element {
  return (
    <main id="main" class="here">
      <h1>{gameTitle(g.game)}</h1>
      <Seen text={trouble} />
      <p><Strange g={{ id: g.id, text: JSON.stringify(g) }} /></p>
      <p class="bar"><a href="/device">{say("device.games")}</a><Delete id={g.id} then={() => { location.href = "/device"; }} /></p>
    </main>
  );
}

/** swap begins another game, with the colours swapped. */
function swap({ game, options, position, seats }: Kept, match: Match): void {
  if (refused()) match.trouble.value = refused();
  else open(begun({ game, options, position, seats: { first: seats.second, second: seats.first } }));
}

/** Hint shows on the board what an engine would play. */
function Hint({ match, playing }: { match: Match; playing: Playing }): JSX.Element {
  const v = match.view.value, [said, setSaid] = useState("");
  useEffect(() => setSaid(""), [v?.ply]);
  const ask = async (): Promise<void> => {
    const move = await playing.hint().catch((e: Error) => { match.trouble.value = e.message; return ""; });
    const found = match.view.peek() === v && v?.legal.find((m) => m.move === move);
    if (!v || !found) return;
    setSaid(say("device.hinted", { move: chessmen(v.game) ? san(v.board.cells, found) : move }));
    if (found.to !== undefined) match.hint.value = [{ from: found.from ?? found.to, to: found.to }];
  };
  return (
    <>
      <Action icon="eye" text={say("device.hint")} disabled={match.acting.value === null} onClick={() => void ask()} />
      <span class="hidden" role="status">{said}</span>
    </>
  );
}

/** After is what can be done with a game besides playing. */
function After({ playing, match }: { playing: Playing; match: Match }): JSX.Element {
  const v = playing.view.value, g = playing.game;
  if (!v) return <></>;
  const names = new URLSearchParams({ device: g.id, first: playerName(g.seats.first), second: playerName(g.seats.second), date: new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(new Date(g.created)) });
  const analyse = new URLSearchParams({ position: v.start, moves: v.moves.join(" ") });
  const save = (): void => void playing.record().then((text) => download(`${g.game}-${g.id}.txt`, text), (e: Error) => { match.trouble.value = e.message; });
  return (
    <>
      {unsaved.value?.id === g.id && <p class="trouble" role="alert">{say("device.unsaved")}</p>}
      {v.state === "over" && v.ply > 0 && <a class="button review" href={`/review?${names}`}><Icon name="eye" />{say("over.review")}</a>}
      <p class="bar links">
        <a href="/device">{say("device.games")}</a>
        {v.state === "over" && <a href={`/analysis/${g.game}?${analyse}`}>{say("over.analyse")}</a>}
        <button class="quiet" onClick={save}>{say("device.record")}</button>
        {!boot.local && <Upload playing={playing} match={match} />}
        <Delete id={g.id} then={() => { location.href = "/device"; }} />
      </p>
    </>
  );
}

/** Upload makes a study of the game, which is unrated and has an address. */
function Upload({ playing, match }: { playing: Playing; match: Match }): JSX.Element {
  const [to, setTo] = useState(playing.game.study), [busy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    setBusy(true);
    try {
      const g = playing.game, title = `${playerName(g.seats.first)} – ${playerName(g.seats.second)}`;
      const r = await fetch("/api/studies", { method: "POST", headers: { "Content-Type": "application/json", "Idempotency-Key": playing.uploadKey() }, body: JSON.stringify({ record: await playing.record(), title }) });
      const made = await r.json();
      if (r.status === 409 || r.status === 404) playing.note({ upload: undefined }); // the key is of another text, or of a study that was erased
      if (!r.ok) throw troubleOf(made, r.status);
      remember(made.id, made.key);
      playing.note({ study: `/study/${made.id}` });
      setTo(playing.game.study);
    } catch (e) {
      match.trouble.value = e instanceof TypeError ? say("error.connection") : (e as Error).message;
    }
    setBusy(false);
  };
  return to ? <a href={to}>{say("device.study")}</a> : <button class="quiet" disabled={busy} onClick={() => void send()}>{say("device.upload")}</button>;
}

/** download hands a text to the device as a file. */
function download(name: string, text: string): void {
  const a = document.createElement("a"), url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  a.href = url;
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
