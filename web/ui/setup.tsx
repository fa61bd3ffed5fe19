// Setting up a game: the game, the opponent, the board and the clock.

import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import { create, pathOf, replay, show, sit, type Trouble, who } from "./api";
import { controlText, presets } from "./clocks";
import { columns, crop, Diagram } from "./diagram";
import { Face } from "./face";
import { Options } from "./options";
import { Rules } from "./rules";
import { choices, remember, userName } from "./store";
import { sides, type Board as Picture, type GameFact, type Side } from "./types";
import { facts, gameFact, gameTitle, has, lookOf, say, sideName } from "./words";
import { marked, Seen, Wrong } from "./wrong";

/** fields show their own errors; other errors are shown above the button. */
const fields = ["name", "position", "delay", "clock"];

const opponents = ["engine", "friend", "anyone", "here", "watch"];

/** start is the position of another game to continue from. */
interface Start {
  id: string;
  ply: number;
}

function startOf(): Start | null {
  const q = new URLSearchParams(location.search);
  const id = q.get("from"), ply = Number(q.get("ply"));
  return id ? { id, ply } : null;
}

/** Setup is the form, with the last choices. */
export function Setup({ onGame }: { onGame: (game: string) => void }): JSX.Element {
  const from = startOf();
  const query = new URLSearchParams(location.search), asked = query.get("game"), position = from ? null : query.get("position");
  const fixed = !!(from ?? position);
  const [game, setGame] = useState(asked && facts.games.some((g) => g.name === asked) ? asked : choices.value.game ?? "othello");
  const get = (key: string, fallback: string): string => choices.value[key] ?? fallback;
  const set = (key: string, value: string): void => { choices.value = { ...choices.value, [key]: value }; };
  const options = optionsOf(game, get(`options.${game}`, ""));
  useEffect(() => onGame(game), [game]);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [busy, setBusy] = useState(false);
  const [opened, setOpened] = useState(false); // the part that is folded away
  const [going, setGoing] = useState<{ game: string; board: Picture } | null>(null);
  useEffect(() => { if (position) replay({ game, position }).then(({ board }) => setGoing({ game, board }), setTrouble); }, []);
  useEffect(() => { if (from) void goingOn(from).then((g) => { setGoing(g); setGame(g.game); }).catch(setTrouble); }, []);
  useEffect(() => { // the browser may bring the page back as it was left
    const back = (e: PageTransitionEvent): void => { if (e.persisted) setBusy(false); };
    addEventListener("pageshow", back);
    return () => removeEventListener("pageshow", back);
  }, []);
  useEffect(() => { // a link may choose the opponent
    const wanted = query.get("opponent") ?? "";
    if (opponents.includes(wanted)) set("opponent", wanted);
  }, []);
  const opponent = get("opponent", "engine");
  const at = from ? fields.filter((f) => f !== "position") : fields; // who goes on from a game has no field for it
  const optional = !fixed && gameFact(game).options.length > 0;
  const play = async (e: Event): Promise<void> => {
    e.preventDefault();
    setBusy(true);
    setTrouble(null);
    set("game", game);
    try {
      location.href = await begin(game, options, from, get);
    } catch (e) {
      setTrouble(e as Trouble);
      setBusy(false);
    }
  };
  return (
    <form class="card setup" onSubmit={(e) => void play(e)} noValidate>
      <h2 class={fixed ? "" : "hidden"}>{from ? say("setup.on", { ply: from.ply }) : say(position ? "setup.position" : "setup.title")}</h2>
      {!fixed && <Games game={game} onGame={setGame} />}
      {going && <div class="preview"><Diagram game={going.game} board={going.board} label={say("setup.position")} /></div>}
      <fieldset class="choice">
        <legend>{say("setup.opponent")}</legend>
        {opponents.map((o) => (
          <label key={o}>
            <input type="radio" name="opponent" checked={opponent === o} onChange={() => set("opponent", o)} />
            <span>{say(`opponent.${o}`)}</span>
          </label>
        ))}
      </fieldset>
      {opponent === "anyone" && <p class="note">{say("opponent.listed")}</p>}
      {opponent === "watch"
        ? sides.map((s) => <Level key={s} game={game} label={say("setup.levelOf", { side: sideName(game, s) })} value={get(`level.${s}`, "3")} onLevel={(n) => set(`level.${s}`, n)} />)
        : opponent === "engine" && <Level game={game} label={say("setup.level")} value={get("level", "3")} onLevel={(n) => set("level", n)} />}
      <div class="pair">
        {opponent !== "watch" && opponent !== "here" && <Colour game={game} value={get("colour", "random")} onColour={(c) => set("colour", c)} />}
        <label class="field">{say("setup.clock")}
          <select value={get("clock", "none")} onChange={(e) => set("clock", e.currentTarget.value)}>
            {Object.entries(presets).map(([name, c]) => <option key={name} value={name}>{controlText(c)}</option>)}
            <option value="own">{say("clock.own")}</option>
          </select>
        </label>
      </div>
      {mayRate(opponent, get) && !fixed && <label class="check"><input type="checkbox" checked={get("rated", "") === "yes"} onChange={(e) => set("rated", e.currentTarget.checked ? "yes" : "")} /><span>{say("now.rated")}</span></label>}
      {get("clock", "none") === "own" && <OwnClock get={get} set={set} trouble={trouble} />}
      <details class="rest" onToggle={(e) => { if (e.currentTarget.open) setOpened(true); }}>
        <summary>{say(optional ? "setup.more.options" : "setup.more")}</summary>
        {!fixed && opened && <Options game={gameFact(game)} value={options} onChange={(o) => set(`options.${game}`, JSON.stringify(o))} />}
        <More get={get} set={set} opponent={opponent} from={!!from} position={position} trouble={trouble} />
      </details>
      {trouble && !at.includes(trouble.field) && <Seen text={trouble.message} />}
      <button class="main big" disabled={busy}>{say(`setup.play.${opponent}`)}</button>
      <Rules game={game} />
    </form>
  );
}

/** optionsOf returns the options chosen last for a game that still exist. */
export function optionsOf(game: string, text: string): Record<string, string> {
  const known = gameFact(game).options.map((o) => o.name);
  try {
    return Object.fromEntries(Object.entries(JSON.parse(text || "{}")).filter(([name, value]) => known.includes(name) && typeof value === "string")) as Record<string, string>;
  } catch {
    return {}; // it was written by something else
  }
}

async function goingOn(from: Start): Promise<{ game: string; board: Picture }> {
  const v = await show(from.id);
  const r = await replay({ game: v.game, position: v.start, moves: v.moves.slice(0, from.ply) });
  const cells = r.board.cells.slice();
  for (const f of r.frames) for (const [i, code] of Object.entries(f.changes)) cells[Number(i)] = code;
  return { game: v.game, board: { ...r.board, cells } };
}

export function Games({ game, onGame }: { game: string; onGame: (name: string) => void }): JSX.Element {
  return (
    <fieldset class="games" style={{ "--games": columns(facts.games.length) }}>
      <legend class="hidden">{say("setup.game")}</legend>
      {facts.games.map((g) => (
        <label key={g.name} class="tile">
          <input type="radio" name="game" value={g.name} checked={g.name === game} onChange={() => onGame(g.name)} />
          <span class="face" aria-hidden="true"><Diagram game={g.name} board={crop(g.face)} label={gameTitle(g.name)} /></span>
          <span class="name">{gameTitle(g.name)}</span>
          <span class="about" aria-hidden="true">{aboutOf(g)}</span>
        </label>
      ))}
      <p class="chosen" aria-hidden="true">{aboutOf(gameFact(game))}</p>
    </fieldset>
  );
}

/** aboutOf describes a game in a line. */
const aboutOf = (g: GameFact): string => (has(`about.${g.name}`) ? say(`about.${g.name}`) : g.blurb ?? g.title);

export function Level({ game, label, value, most = facts.levels, onLevel }: { game: string; label: string; value: string; most?: number; onLevel: (n: string) => void }): JSX.Element {
  return (
    <label class="field level">{label}
      <span class="slide">
        <input type="range" min={1} max={most} value={value} onInput={(e) => onLevel(e.currentTarget.value)} />
        <output><Face level={Number(value)} ground={lookOf(game).ground} />{value} <span class="note">{say(`level.${strength(Number(value))}`)}</span></output>
      </span>
      <span class="note">{has(`level.say.${value}`) ? say(`level.say.${value}`) : ""}</span>
    </label>
  );
}

/** strength describes a level beside the other levels of its game. */
const strength = (level: number): string => ["easiest", "easy", "medium", "hard", "hardest"][Math.min(4, Math.floor(((level - 1) * 5) / facts.levels))];

export function Colour({ game, value, onColour }: { game: string; value: string; onColour: (c: string) => void }): JSX.Element {
  return (
    <fieldset class="choice">
      <legend>{say("setup.colour")}</legend>
      {["first", "random", "second"].map((c) => (
        <label key={c}>
          <input type="radio" name="colour" checked={value === c} onChange={() => onColour(c)} />
          <span>{c === "random" ? say("colour.random") : say("colour.side", { side: sideName(game, c as Side) })}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** mayRate reports whether the game can be rated: two people with accounts, and a clock. */
const mayRate = (opponent: string, get: Get): boolean => who.value?.guest === false && (opponent === "friend" || opponent === "anyone") && get("clock", "none") !== "none";

type Get = (key: string, fallback: string) => string;
type Set = (key: string, value: string) => void;

function OwnClock({ get, set, trouble }: { get: Get; set: Set; trouble: Trouble | null }): JSX.Element {
  const number = (key: string, fallback: string, max: number): JSX.Element => (
    <label class="field">{say(`clock.${key}`)}
      <input {...(key === "minutes" ? marked("clock", trouble) : {})} type="number" min={key === "minutes" ? 0.1 : 0} max={max} step="any" value={get(key, fallback)} onInput={(e) => set(key, e.currentTarget.value)} />
    </label>
  );
  return (
    <>
      <div class="row">{number("minutes", "5", 1440)}{number("increment", "3", 3600)}{number("delay", "0", 3600)}</div>
      <Wrong field="clock" trouble={trouble} />
    </>
  );
}

function More({ get, set, opponent, from, position, trouble }: { get: Get; set: Set; opponent: string; from: boolean; position: string | null; trouble: Trouble | null }): JSX.Element {
  return (
    <>
      <label class="field">{say("settings.name")}
        <input {...marked("name", trouble)} value={userName.value} maxLength={40} autocomplete="nickname" placeholder={who.value?.name} onInput={(e) => { userName.value = e.currentTarget.value; }} />
      </label>
      <Wrong field="name" trouble={trouble} />
      {!from && (
        <>
          <label class="field">{say("setup.text")}
            <input {...marked("position", trouble)} name="position" defaultValue={position ?? ""} autocomplete="off" spellcheck={false} />
          </label>
          <Wrong field="position" trouble={trouble} />
        </>
      )}
      <label class="field">{say("setup.delay")}
        <input {...marked("delay", trouble)} type="number" min={0} max={3600} value={get("watchers", "0")} onInput={(e) => set("watchers", e.currentTarget.value)} />
      </label>
      <Wrong field="delay" trouble={trouble} />
      {opponent !== "anyone" && (
        <label class="check"><input type="checkbox" checked={get("private", "") === "yes"} onChange={(e) => set("private", e.currentTarget.checked ? "yes" : "")} /><span>{say("setup.private")}</span></label>
      )}
    </>
  );
}

/** begin opens the game, takes the player's seats, and returns its address. */
async function begin(game: string, options: Record<string, string>, from: Start | null, get: Get): Promise<string> {
  const opponent = get("opponent", "engine");
  const name = userName.value.trim();
  const colour = get("colour", "random");
  const me: Side = colour === "random" ? (Math.random() < 0.5 ? "first" : "second") : (colour as Side);
  const level = (side: Side): string => `level:${get(opponent === "watch" ? `level.${side}` : "level", "3")}`;
  const engine = (side: Side): string => (opponent === "watch" || (opponent === "engine" && side !== me) ? level(side) : "open");
  const position = document.querySelector<HTMLInputElement>('.setup [name="position"]')?.value.trim();
  const rest = options.halt ? { halt: options.halt } : undefined; // all else is in the position
  const body: Record<string, unknown> = {
    ...(from ? { from } : position ? { game, position, options: rest } : { game, options }),
    seats: { first: engine("first"), second: engine("second") },
    private: opponent !== "anyone" && get("private", "") === "yes",
    unlisted: opponent === "friend" || opponent === "here",
    delay: Math.round(Number(get("watchers", "0"))),
    rated: mayRate(opponent, get) && !from && !position && get("rated", "") === "yes",
  };
  const clock = chosenClock(get);
  if (clock) body.clock = clock;
  const short = [...name].slice(0, 38).join("").trim(); // a number follows
  if (opponent === "here") Object.assign(body, { as: "first", name: say("here.first", { name: short }) });
  else if (opponent !== "watch") Object.assign(body, { as: me, name });
  const made = await create(body);
  if (opponent === "here") await sit(made.id, "second", say("here.second", { name: short }));
  if (opponent !== "watch") remember(made.id, made.key);
  return pathOf(made.id, made.key);
}

function chosenClock(get: Get): unknown {
  const name = get("clock", "none");
  if (name !== "own") return presets[name];
  return {
    main: Math.round(Number(get("minutes", "5")) * 60),
    increment: Math.round(Number(get("increment", "3"))),
    delay: Math.round(Number(get("delay", "0"))),
  };
}
