// The icons, drawn with lines in a square of 24 by 24.

import type { JSX } from "preact";

const paths: Record<string, string> = {
  logo: "M12 2.5l8.7 6.3-3.3 10.2H6.6L3.3 8.8z",
  menu: "M4 6.5h16M4 12h16M4 17.5h16",
  settings: "M4 7h10m4 0h2M4 17h2m4 0h10M16 4.5v5M8 14.5v5",
  first: "M18 6l-6 6 6 6M7 6v12",
  back: "M15 6l-6 6 6 6",
  forward: "M9 6l6 6-6 6",
  newest: "M6 6l6 6-6 6M17 6v12",
  flip: "M7 20V6m0 0L4 9m3-3l3 3M17 4v14m0 0l-3-3m3 3l3-3",
  flag: "M6 21V4m0 1h12l-3 4 3 4H6",
  draw: "M6 9h12M6 15h12",
  takeback: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  rematch: "M4 12a8 8 0 0 1 14-5l2 2M20 4v5h-5M20 12a8 8 0 0 1-14 5l-2-2M4 20v-5h5",
  share: "M12 15V4m0 0L8 8m4-4l4 4M5 13v6h14v-6",
  download: "M12 4v11m0 0l-4-4m4 4l4-4M5 19h14",
  engine: "M7 8h10v9H7zM12 4v4M3.5 12.5H7m10 0h3.5M10 12v1m4-1v1",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c1-4 4-5.5 7.5-5.5s6.5 1.5 7.5 5.5",
  eye: "M2.5 12C5 7.5 8.3 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-5.8 6.5-9.5 6.5s-7-2-9.5-6.5zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  count: "M5 19V9m7 10V5m7 14v-7",
  whole: "M9 4H4v5m0-5l6 6M15 20h5v-5m0 5l-6-6",
  low: "M7 3h10M7 21h10M8 3c0 5 8 5 8 9s-8 4-8 9M16 3c0 5-8 5-8 9s8 4 8 9",
  rules: "M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM9 9h6M9 13h6",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  close: "M6 6l12 12M18 6L6 18",
  home: "M4 11l8-7 8 7v9h-5v-6H9v6H4z",
};

export function Icon({ name }: { name: string }): JSX.Element {
  return <svg class={`glyph ${name}`} viewBox="0 0 24 24" aria-hidden="true"><path d={paths[name]} /></svg>;
}
