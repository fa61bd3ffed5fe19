// Games on the server: one's own, those with an open seat, and those to watch.

import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import { list, pathOf, show, type Listed } from "./api";
import { controlText } from "./clocks";
import { forget, mine } from "./store";
import { resultText } from "./table";
import { sides } from "./types";
import { gameTitle, playerName, say, sideName } from "./words";

const every = 4_000;

export function Lists(): JSX.Element {
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    const look = async (): Promise<void> => {
      if (document.hidden) return;
      const [own, open, live, over] = await Promise.all([ownGames(), ...["open", "live", "over"].map(named)]);
      const ids = new Set(own.map((g) => g.id));
      const others = (list: Listed[]): Listed[] => list.filter((g) => !ids.has(g.id));
      setFound({ own, open: others(open), live: others(live), over: over.filter((g) => g.reason !== "aborted") });
    };
    const again = (): void => void look().catch(() => {}); // what was found before stays
    const timer = setInterval(again, every);
    again();
    return () => clearInterval(timer);
  }, []);
  if (!found) return <div class="lists" />; // all come at once, so that none moves another away
  return (
    <div class="lists">
      {found.own.length > 0 && <List title={say("lists.own")} games={found.own} empty="" verb={say("lists.back")} />}
      <List title={say("lists.open")} games={found.open} empty={say("lists.open.none")} verb={say("lists.join")} />
      <List title={say("lists.live")} games={found.live} empty={say("lists.live.none")} verb={say("lists.watch")} />
      {found.over.length > 0 && <List title={say("lists.over")} games={found.over} empty="" verb={say("lists.look")} />}
    </div>
  );
}

interface Found {
  own: Listed[];
  open: Listed[];
  live: Listed[];
  over: Listed[];
}

/** named returns the latest games of a state. */
const named = async (state: string): Promise<Listed[]> => (await list(`state=${state}&limit=8`)).games;

/** ownGames returns the games in which this browser has a seat and that go on. */
async function ownGames(): Promise<Listed[]> {
  const views = await Promise.all(mine.value.slice(0, 8).map((g) => show(g.id).catch((e) => { if (e.status === 404) forget(g.id); return null; })));
  return views.filter((v) => v !== null && v.state !== "over") as Listed[];
}

function List({ title, games, empty, verb }: { title: string; games: Listed[]; empty: string; verb: string }): JSX.Element {
  return (
    <section class="card list-card">
      <h2>{title}</h2>
      {games.length === 0 && <p class="note">{empty}</p>}
      <ul>{games.map((g) => <Row key={g.id} g={g} verb={verb} />)}</ul>
    </section>
  );
}

function Row({ g, verb }: { g: Listed; verb: string }): JSX.Element {
  const names = sides.map((s) => (g.seats[s] ? playerName(g.seats[s]) : say("seat.free", { side: sideName(g.game, s) })));
  const size = g.options?.size ? ` ${g.options.size}×${g.options.size}` : "";
  return (
    <li>
      <a href={pathOf(g.id)}>
        <span class="line"><b>{gameTitle(g.game)}{size}</b> <span class="note">{g.clock ? controlText(g.clock) : ""}</span></span>
        <span class="line">{names.join(" – ")}</span>
        <span class="line">{[g.state === "over" ? resultText(g) : "", g.watching > 0 ? say("watching", { n: g.watching }) : ""].filter(Boolean).join(" · ")}</span>
        <span class="go">{verb}</span>
      </a>
    </li>
  );
}
