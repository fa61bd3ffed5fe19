// The final of a league on one screen: its bracket, and its games, move by move. A result shows in the bracket only
// after its games have been shown.

import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import { call, replay } from "./api";
import { Alert, useSending } from "./sending";
import { still } from "./demo";
import { Diagram } from "./diagram";
import { Icon } from "./icon";
import type { Move, Replay } from "./types";
import { gameTitle, say } from "./words";

interface Player {
  name: string;
  guest: string;
  you: boolean;
}

interface Match {
  players: [number, number];
  games: { points: number; position: string; moves: string[] }[];
}

interface Meeting {
  players: [number, number];
  winner: number;
  after: number;
}

interface State {
  title: string;
  game: string;
  number: number;
  players: Player[];
  matches: Match[];
  rounds: Meeting[][];
  champion: number;
}

const every = 3_000; // milliseconds between two requests
const pace = 600; // milliseconds for which a position is shown
const rest = 5; // positions for which the end of a game is shown

/** Final shows the matches that were played since it opened, one after the other, or all from the start. */
export function Final({ path }: { path: string }): JSX.Element {
  const [f, setFinal] = useState<State | null>(null);
  const [shown, setShown] = useState<{ number: number; matches: number } | null>(null);
  const [names, setNames] = useState(false);
  const [stopped, setStopped] = useState(still());
  const { trouble, send } = useSending();
  useEffect(() => {
    const load = (): void => send(async () => setFinal(await call<State>("GET", path)));
    load();
    const timer = setInterval(load, every);
    return () => clearInterval(timer);
  }, [path]);
  useEffect(() => {
    if (!f) return;
    if (shown?.number !== f.number) setShown({ number: f.number, matches: shown ? 0 : f.matches.length });
    else if (f.matches[shown.matches]?.games.length === 0) setShown({ ...shown, matches: shown.matches + 1 }); // a bye
  }, [f, shown]);
  if (!f || shown?.number !== f.number) return <main id="main" class="class final"><h1>{say("class.final.last")}</h1><Alert text={trouble} /></main>;
  const n = shown.matches, match = f.matches[n], show = (matches: number): void => setShown({ ...shown, matches });
  const nameOf = (player: number): string => { const p = f.players[player]; return (names || p.you ? p.name : p.guest) || "–"; };
  const over = !match && f.champion >= 0;
  return (
    <main id="main" class="class final">
      <h1>{say("class.final.title", { title: f.title })}</h1>
      <Alert text={trouble} />
      <div class="bar">
        {n > 0 && <button type="button" onClick={() => show(0)}>{say("class.final.start")}</button>}
        {match && <button type="button" onClick={() => show(n + 1)}>{say("class.final.skip")}</button>}
        {f.players.some((p) => !p.you && p.name !== p.guest) && <button type="button" aria-pressed={names} onClick={() => setNames(!names)}>{say("class.final.names")}</button>}
      </div>
      <div class="stage">
        {match && match.games.length > 0 && <Play key={`${f.number} ${n}`} game={f.game} match={match} names={match.players.map(nameOf)} stopped={stopped} stop={setStopped} done={() => show(n + 1)} />}
        {!match && <p class="champion" role="status">{over ? say("class.final.won", { name: nameOf(f.champion) }) : say("class.final.waiting")}</p>}
        <Bracket f={f} n={n} nameOf={nameOf} />
      </div>
    </main>
  );
}

interface Film {
  replay: Replay;
  positions: string[][];
  moves: Move[];
}

/** film returns the positions of a game. */
async function film(game: string, g: Match["games"][0]): Promise<Film> {
  const r = await replay({ game, position: g.position, moves: g.moves }), positions = [r.board.cells];
  for (const f of r.frames) positions.push(Object.assign(positions.at(-1)!.slice(), f.changes));
  return { replay: r, positions, moves: r.frames };
}

/** Play shows the games of a match. The second player moves first in the second game. */
function Play({ game, match, names, stopped, stop, done }: { game: string; match: Match; names: string[]; stopped: boolean; stop: (stopped: boolean) => void; done: () => void }): JSX.Element {
  const [at, setAt] = useState({ game: 0, ply: 0 });
  const [shown, setFilm] = useState<Film | null>(null);
  useEffect(() => {
    let late = false;
    setFilm(null);
    film(game, match.games[at.game]).then((r) => { if (!late) setFilm(r); }, done); // what cannot be replayed is skipped
    return () => { late = true; };
  }, [at.game]);
  useEffect(() => {
    if (stopped || !shown) return;
    const timer = setTimeout(() => {
      if (at.ply < shown.moves.length + rest) setAt({ ...at, ply: at.ply + 1 });
      else if (at.game + 1 < match.games.length) setAt({ game: at.game + 1, ply: 0 });
      else done();
    }, pace);
    return () => clearTimeout(timer);
  }, [at, shown, stopped]);
  const [first, second] = at.game === 0 ? names : [names[1], names[0]], ply = Math.min(at.ply, shown?.moves.length ?? 0);
  return (
    <div class="film">
      {shown && <Diagram key={at.game} game={game} board={{ ...shown.replay.board, cells: shown.positions[ply] }} last={ply > 0 ? shown.moves[ply - 1] : undefined} label={say("tv.label", { first, second, game: gameTitle(game) })} />}
      <div class="caption">
        <p role="status">{say("class.final.game", { first, second, n: at.game + 1, of: match.games.length })}</p>
        <button class="quiet icon stop" type="button" aria-label={say(stopped ? "demo.go" : "demo.stop")} title={say(stopped ? "demo.go" : "demo.stop")} onClick={() => stop(!stopped)}><Icon name={stopped ? "play" : "pause"} /></button>
      </div>
    </div>
  );
}

/** Bracket shows who has met whom after n matches. */
function Bracket({ f, n, nameOf }: { f: State; n: number; nameOf: (player: number) => string }): JSX.Element {
  const rounds = Math.ceil(Math.log2(f.players.length));
  const known = (m: Meeting | undefined): boolean => m !== undefined && m.after > 0 && m.after <= n;
  const meeting = (round: number, i: number): Meeting | undefined =>
    (round === 0 || known(f.rounds[round - 1]?.[2 * i]) && known(f.rounds[round - 1]?.[2 * i + 1]) ? f.rounds[round]?.[i] : undefined);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={say("class.final.title", { title: f.title })}>
      <div class="bracket">
        {Array.from({ length: rounds }, (_, round) => (
          <section key={round}>
            <h2>{round === rounds - 1 ? say("class.final.last") : say("class.final.round", { n: round + 1 })}</h2>
            <ol>
              {Array.from({ length: 2 ** (rounds - 1 - round) }, (_, i) => <Pair key={i} m={meeting(round, i)} known={known(meeting(round, i))} matches={f.matches.slice(0, n)} playing={f.matches[n]} nameOf={nameOf} />)}
            </ol>
          </section>
        ))}
      </div>
    </div>
  );
}

/** Pair is two players of a round with their points so far: one for a win, a half for a draw. */
function Pair({ m, known, matches, playing, nameOf }: { m: Meeting | undefined; known: boolean; matches: Match[]; playing: Match | undefined; nameOf: (player: number) => string }): JSX.Element {
  const both = (o: Match | undefined): boolean => m !== undefined && o !== undefined && m.players.every((p) => o.players.includes(p));
  const points = (player: number): string => {
    const of = matches.filter(both).flatMap((o) => o.games.map((g) => (o.players[0] === player ? g.points : 2 - g.points)));
    return of.length ? String(of.reduce((a, b) => a + b, 0) / 2) : "";
  };
  const row = (player: number | undefined): JSX.Element => {
    if (player === undefined) return <span class="player">–</span>;
    if (player < 0) return <span class="player note">{say("class.final.bye")}</span>;
    const name = nameOf(player), won = known && m!.winner === player;
    return <span class="player"><span>{won ? <strong>{name} ✓</strong> : name}</span> <span>{points(player)}</span></span>;
  };
  return <li aria-current={both(playing) || undefined}>{row(m?.players[0])}{row(m?.players[1])}</li>;
}
