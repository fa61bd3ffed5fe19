// The handle that resizes the board: a slider, moved by mouse or keys. The size is stored
// as a percentage of the available space.

import { useRef } from "preact/hooks";
import type { JSX } from "preact";
import { boardSize } from "./store";
import { say } from "./words";

const least = 50, most = 100, step = 5; // per cent

const within = (size: number): number => Math.round(Math.min(most, Math.max(least, size)));

/** Resize is at the lower right corner of the board; touch screens have none (see game.css). */
export function Resize(): JSX.Element {
  const from = useRef<{ x: number; y: number; size: number; width: number } | null>(null);
  const onPointerDown = (e: PointerEvent): void => {
    if (e.button !== 0) return;
    const corner = e.currentTarget as HTMLElement;
    e.preventDefault(); // no text is selected on the way
    corner.setPointerCapture(e.pointerId);
    corner.focus({ preventScroll: true });
    from.current = { x: e.clientX, y: e.clientY, size: boardSize.value, width: corner.parentElement!.clientWidth };
  };
  const onPointerMove = (e: PointerEvent): void => {
    const f = from.current;
    if (!f) return;
    const [dx, dy] = [e.clientX - f.x, e.clientY - f.y];
    boardSize.value = within((f.size * (f.width + (Math.abs(dx) > Math.abs(dy) ? dx : dy))) / f.width);
  };
  const stop = (): void => { from.current = null; };
  const onKeyDown = (e: KeyboardEvent): void => {
    const to = ({ ArrowRight: boardSize.value + step, ArrowUp: boardSize.value + step, ArrowLeft: boardSize.value - step, ArrowDown: boardSize.value - step, Home: least, End: most } as Record<string, number | undefined>)[e.key];
    if (to === undefined) return;
    boardSize.value = within(to);
    e.preventDefault();
    e.stopPropagation();
  };
  return (
    <div
      class="resize" role="slider" tabIndex={0} aria-label={say("board.size")} title={say("board.size")} aria-valuemin={least} aria-valuemax={most} aria-valuenow={within(boardSize.value)} aria-valuetext={`${within(boardSize.value)} %`}
      onPointerDown={onPointerDown} onPointerMove={onPointerMove} onPointerUp={stop} onPointerCancel={stop} onKeyDown={onKeyDown} onDblClick={() => { boardSize.value = most; }}
    />
  );
}
