// The materials of boards and stones: gradients and patterns that all drawings of a page
// share.

import type { JSX } from "preact";
import drawings from "../../picture/pieces.json";

/** Defs is rendered once on a page; it is invisible. */
export function Defs(): JSX.Element {
  return (
    <svg class="defs" width="0" height="0" aria-hidden="true">
      <defs>
        {Object.entries(drawings.stones).map(([id, stops]) => ( // stones lit from the upper left, and flat discs with a moulded rim
          <radialGradient key={id} id={id} {...(id[0] === "d" ? { fx: 0.42, fy: 0.38 } : { cx: 0.36, cy: 0.3, r: 0.78 })}>
            {stops.map(([at, colour]) => <stop key={at} offset={at} style={`stop-color:var(--${colour})`} />)}
          </radialGradient>
        ))}
        {Object.entries(drawings.shades).map(([id, under]) => ( // a shadow, with or without the edge of what throws it
          <radialGradient key={id} id={id}>
            {under && <stop offset=".86" stop-color={under} />}
            <stop offset={under ? ".9" : ".66"} stop-opacity={under ? ".36" : ".6"} /><stop offset="1" stop-opacity="0" />
          </radialGradient>
        ))}
        {Object.entries(drawings.sides).map(([id, [from, to]]) => <linearGradient key={id} id={id} x2=".3" y2="1"><stop stop-color={from} /><stop offset="1" stop-color={to} /></linearGradient>)}
        <pattern id="wood" width="240" height="80" patternUnits="userSpaceOnUse">
          <path class="grain" d="M0 1q60 0.7 120 0t120 0M0 11q60 1.7 120 0t120 0M0 18q60 -1.8 120 0t120 0M0 25q60 1.5 120 0t120 0M0 32q60 1.9 120 0t120 0M0 39q60 1.8 120 0t120 0M0 45q60 2.1 120 0t120 0M0 54q60 1.6 120 0t120 0M0 61q60 -1.4 120 0t120 0M0 66q60 1.1 120 0t120 0M0 73q60 1.3 120 0t120 0" />
          <path class="grain faint" d="M0 7q60 1.2 120 0t120 0M0 15q60 1.8 120 0t120 0M0 22q60 1.2 120 0t120 0M0 28q60 -2.0 120 0t120 0M0 36q60 2.2 120 0t120 0M0 41q60 1.4 120 0t120 0M0 51q60 -0.9 120 0t120 0M0 58q60 2.1 120 0t120 0M0 64q60 1.1 120 0t120 0M0 70q60 -1.8 120 0t120 0" />
        </pattern>
        <pattern id="felt" width="48" height="48" patternUnits="userSpaceOnUse">
          <path class="grain" d="M39 16l-1 .6M44 47l-1 -1M1 29l1 -1M3 10l1 .6M30 15l1.4 -1M6 36l1 1M46 13l1.4 .6M11 24l1 1M8 39l-1 .6M8 8l1 1M13 13l1 1M18 20l1 -1M43 40l1 1M44 12l1.4 .6M1 23l1.4 1M9 16l1 .6M19 38l-1 1M38 43l-1 .6M4 19l1.4 .6M30 44l1.4 1M30 30l-1 1M3 16l1 -1M22 25l1 -1M26 23l1.4 -1M0 28l1 -1M11 39l1 1M15 29l1.4 -1M22 33l1.4 .6M6 37l-1 .6M18 2l1.4 1M13 21l-1 -1M23 9l1.4 .6M44 34l1 .6M43 20l1.4 1M5 40l1 -1M44 19l1.4 1M46 3l1 -1M34 25l1 1M47 38l1.4 .6M29 41l1.4 1M3 40l1 .6M21 13l1 -1M36 8l-1 .6M6 10l1.4 .6M9 3l1.4 .6M9 29l-1 1" />
        </pattern>
        <pattern id="slate" width="200" height="160" patternUnits="userSpaceOnUse">
          <path class="grain" d="M0 30C40 18 70 44 110 34S160 42 200 30M0 112C30 124 80 96 120 108S170 100 200 112M60 0C52 40 84 70 70 100S68 120 60 160" />
          <path class="grain faint" d="M0 70C60 60 90 90 130 84S170 75 200 70M150 0C160 50 128 90 138 115S145 135 150 160" />
        </pattern>
        <radialGradient id="light" cx=".3" cy=".2" r="1.05">
          <stop stop-color="#fff" stop-opacity=".13" /><stop offset=".45" stop-color="#fff" stop-opacity="0" /><stop offset=".6" stop-opacity="0" /><stop offset="1" stop-opacity=".1" />
        </radialGradient>
        <linearGradient id="rim" x2=".7" y2="1"><stop style="stop-color:var(--rim-light)" /><stop offset=".5" style="stop-color:var(--rim)" /><stop offset="1" style="stop-color:var(--rim)" /></linearGradient>
      </defs>
    </svg>
  );
}
