// Clocks to choose from, and how a clock is written.

import type { Control } from "./types";
import { count, say } from "./words";

/** presets are the named clocks of the form. */
export const presets: Record<string, Control | null> = {
  none: null,
  "1+1": { main: 60, increment: 1 },
  "3+2": { main: 180, increment: 2 },
  "5+3": { main: 300, increment: 3 },
  "10+5": { main: 600, increment: 5 },
  "30+20": { main: 1800, increment: 20 },
  "1d": { days: 1 },
  "3d": { days: 3 },
  "7d": { days: 7 },
  "14d": { days: 14 },
};

/** lowTime is when a clock is low, in milliseconds: with an eighth of the time left, but from 10 to 30 seconds; an hour, where turns have days. */
export function lowTime(c: Control | null): number {
  if (c?.days) return 3_600_000;
  return Math.min(Math.max(((c?.main ?? 0) * 1000) / 8, 10_000), 30_000);
}

/** controlText writes a clock as players do: "5+3", "3 days a move". */
export function controlText(c: Control | null): string {
  if (!c) return say("clock.none");
  if (c.days) return count("clock.perMove", c.days);
  const seconds = c.main ?? 0;
  const main = seconds < 60 ? say("clock.seconds", { n: seconds }) : seconds % 60 === 0 ? String(seconds / 60) : (seconds / 60).toFixed(1);
  return `${main}+${c.increment ?? 0}${c.delay ? say("clock.delayed", { n: c.delay }) : ""}`;
}
