// Applies events to a game, so that the page need not fetch it again.

import type { Happening, View } from "./types";

/**
 * follow returns the game after an event. It returns null if the event does not say
 * enough: an event before it is missing, it has no board, or it may depend on the
 * client's seat, which events do not contain.
 */
export function follow(v: View, m: Happening): View | null {
  const moved = m.kind === "moved", back = m.kind === "takenback";
  if (m.n !== v.events || !m.board || !m.asked || m.kind === "sat" || m.ply !== (moved ? v.ply + 1 : back ? m.ply : v.ply)) return null;
  const moves = moved ? [...v.moves, m.move!] : back ? v.moves.slice(0, m.ply) : v.moves;
  return {
    ...v, ply: m.ply, turn: m.turn, moves, position: m.position ?? v.position, board: m.board, legal: m.legal ?? [],
    last: moved ? { move: m.move!, from: m.from, to: m.to } : back ? m.last : v.last,
    clocks: m.clocks ?? null, running: !!m.running, free: m.free ?? 0, state: m.state, result: m.result, reason: m.reason ?? "",
    berserk: m.kind === "berserked" ? { ...v.berserk!, [m.side!]: true } : v.berserk,
    asked: m.asked, next: m.next ?? v.next, updated: m.time ?? v.updated, events: m.n + 1,
  };
}
