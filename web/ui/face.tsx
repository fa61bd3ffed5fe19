// The faces of engines, drawn from the level and the game so that players recognize them.

import type { JSX } from "preact";

/** mouths maps the ground of a game to the mouth of its engines. */
const mouths: Record<string, string> = { felt: "M8 16.5q4 3 8 0", bamboo: "M8.5 16.5h7", chequered: "M8 17q2-2 4 0t4 0", slate: "M8 17.5q4-3 8 0" };

/** levelOf returns the level of an engine, or 0 if it has none. */
export const levelOf = (engine: string | undefined): number => Number(/^level:(\d+)$/.exec(engine ?? "")?.[1] ?? 0);

/** Face draws a level. Higher levels have wider eyes and longer antennas, the highest a crown. */
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
