// Zooming into a board whose cells are too small for a finger.

import type { Metrics, Place } from "./metrics";

/** Window is the part of a drawing that is shown. */
export interface Window extends Place {
  width: number;
  height: number;
}

const enough = 44; // CSS pixels of a cell that any finger hits

export const whole = (m: Metrics): Window => ({ x: 0, y: 0, width: m.width, height: m.height });

/** closer returns a window around a cell in which a finger can hit it, for a screen width in pixels. */
export function closer(m: Metrics, cell: number, pixels: number): Window {
  const part = Math.min(1, ((pixels / enough) * m.unit) / m.width);
  const width = m.width * part, height = m.height * part;
  const { x, y } = m.place(cell);
  return kept(m, { x: x - width / 2, y: y - height / 2, width, height });
}

/** kept returns the window clamped to the drawing. */
export function kept(m: Metrics, w: Window): Window {
  const inside = (at: number, size: number, all: number): number => Math.max(0, Math.min(at, all - size));
  return { ...w, x: inside(w.x, w.width, m.width), y: inside(w.y, w.height, m.height) };
}

/** far reports whether a place is outside the window or near its edge. */
export function far(w: Window, at: Place): boolean {
  const edge = w.width / 16;
  return at.x < w.x + edge || at.y < w.y + edge || at.x > w.x + w.width - edge || at.y > w.y + w.height - edge;
}
