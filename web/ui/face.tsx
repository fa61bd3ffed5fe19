// The faces of engines: drawn from the level and the game, so that one knows them again.

import type { JSX } from "preact";

/** mouths are those of the games by their ground: every game's engines have their own. */
const mouths: Record<string, string> = { felt: "M8 16.5q4 3 8 0", bamboo: "M8.5 16.5h7", chequered: "M8 17q2-2 4 0t4 0", slate: "M8 17.5q4-3 8 0" };

/** levelOf returns the level of an engine; 0 if it is none of the levels. */
export const levelOf = (engine: string | undefined): number => Number(/^level:(\d+)$/.exec(engine ?? "")?.[1] ?? 0);

/** Face is the face of a level: the higher it is, the wider its eyes and the longer its antennas; the highest have a crown. */
export function Face({ level, ground }: { level: number; ground: string }): JSX.Element {
  const eye = 0.9 + level * 0.12, tall = 4.5 - level * 0.3;
  const top = level >= 9 ? "M7 7V3l2.5 2L12 2l2.5 3L17 3v4" : level >= 5 ? `M9 7V${tall + 1}M15 7V${tall + 1}` : `M12 7V${tall}`;
  return (
    <svg class="glyph face-of" viewBox="0 0 24 24" aria-hidden="true">
      <path d={`${top}M7 7h10q3 0 3 3v8q0 3-3 3H7q-3 0-3-3v-8q0-3 3-3z${mouths[ground] ?? mouths.bamboo}`} />
      <circle cx="9" cy="12.5" r={eye} fill="currentColor" /><circle cx="15" cy="12.5" r={eye} fill="currentColor" />
    </svg>
  );
}
