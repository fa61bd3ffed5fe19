// The page to watch games: the best of each kind, and lists of live and finished games.

import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import type { Listed } from "./api";
import { Demo } from "./demo";
import { List, named, peopleFirst, useBest } from "./rows";
import { Screen } from "./screen";
import { facts, gameTitle, say } from "./words";

const every = 5_000; // polling interval in milliseconds

/** Games are the games to watch. */
interface Games {
  live: Listed[];
  over: Listed[];
}

export function Main(): JSX.Element {
  const [found, setFound] = useState<Games | null>(null);
  useEffect(() => {
    const look = async (): Promise<void> => {
      if (document.hidden) return;
      const [live, over] = await Promise.all(["live", "over"].map(named));
      setFound({ live: peopleFirst(live), over: over.filter((g) => g.reason !== "aborted") });
    };
    const again = (): void => void look().catch(() => {}); // on an error, keep the last lists
    const timer = setInterval(again, every);
    again();
    return () => clearInterval(timer);
  }, []);
  return (
    <main id="main" class="index watch">
      <h1>{say("index.watch")}</h1>
      <p class="note">{say("index.watch.text")}</p>
      <div class="screens">{facts.games.map(({ name }) => <Best key={name} game={name} live={found?.live.filter((g) => g.game === name)} />)}</div>
      {found && (
        <div class="lists">
          <List title={say("lists.live")} games={found.live} empty={say("lists.live.none")} verb={say("lists.watch")} />
          {found.over.length > 0 && <List title={say("lists.over")} games={found.over} empty="" verb={say("lists.look")} />}
        </div>
      )}
    </main>
  );
}

/** Best shows the best live game of a kind, or a demo between engines. */
function Best({ game, live }: { game: string; live?: Listed[] }): JSX.Element {
  const best = useBest(live);
  return (
    <section class="card tv">
      <h2>{gameTitle(game)}</h2>
      {best ? <Screen id={best} /> : live ? <Demo game={game} /> : <div class="demo" />}
    </section>
  );
}
