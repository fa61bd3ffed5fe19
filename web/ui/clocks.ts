// Clocks to choose from, and how a clock is written.

import type { Control } from "./types";
import { count, say } from "./words";

/** presets are the clocks that are offered by name. */
export const presets: Record<string, Control | null> = {
  none: null,
  "1+1": { main: 60, increment: 1 },
  "3+2": { main: 180, increment: 2 },
  "5+3": { main: 300, increment: 3 },
  "10+5": { main: 600, increment: 5 },
  "30+20": { main: 1800, increment: 20 },
  "1d": { days: 1 },
  "3d": { days: 3 },
};

/** controlText writes a clock as players do: "5+3", "3 days a move". */
export function controlText(c: Control | null): string {
  if (!c) return say("clock.none");
  if (c.days) return count("clock.perMove", c.days);
  const minutes = (c.main ?? 0) / 60;
  const main = Number.isInteger(minutes) ? String(minutes) : minutes.toFixed(1);
  return `${main}+${c.increment ?? 0}${c.delay ? say("clock.delayed", { n: c.delay }) : ""}`;
}
