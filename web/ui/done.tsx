// What the students of a class have done in lessons and puzzles, for its teacher.

import { useState } from "preact/hooks";
import type { JSX } from "preact";
import { call } from "./api";
import { Alert, useSending } from "./sending";
import { facts, gameTitle, say } from "./words";

interface Student {
  id: string;
  name: string;
  games: Record<string, { lessons: number; puzzles: number }>;
}

export function Done({ path }: { path: string }): JSX.Element {
  const [list, setList] = useState<Student[]>([]);
  const { trouble, send } = useSending();
  const load = (): void => send(async () => setList((await call<{ students: Student[] }>("GET", `${path}/progress`)).students));
  const title = say("class.done");
  return (
    <details class="card part wide" onToggle={(e) => { if (e.currentTarget.open) load(); }}>
      <summary>{title}</summary>
      <p class="note">{say("class.done.text")}</p>
      <Alert text={trouble} />
      <div class="scroll" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead><tr><th scope="col">{say("class.name.column")}</th>{facts.games.map((g) => <th key={g.name} scope="col">{gameTitle(g.name)}</th>)}</tr></thead>
          <tbody>{list.map((s) => <tr key={s.id}><th scope="row">{s.name}</th>{facts.games.map(({ name }) => <td key={name}>{s.games[name].lessons} · {s.games[name].puzzles}</td>)}</tr>)}</tbody>
        </table>
      </div>
    </details>
  );
}
