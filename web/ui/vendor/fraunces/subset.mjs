// Makes fraunces.woff2, the display face of titles and results, from the variable
// font: one instance (display size, soft corners, semibold), with the letters that
// English needs. A language with more letters adds them here.
//
//     npm install --prefix /tmp/fraunces subset-font@2 @fontsource-variable/fraunces@5.3.0
//     node subset.mjs /tmp/fraunces

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const from = createRequire(join(process.argv[2], "package.json"));
const subset = from("subset-font");
const ascii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join("");
const font = await subset(readFileSync(from.resolve("@fontsource-variable/fraunces/files/fraunces-latin-full-normal.woff2")), ascii + "–—’“”…×½·", {
  targetFormat: "woff2",
  variationAxes: { opsz: 72, SOFT: 100, WONK: 0, wght: 640 },
  preserveNameIds: [0, 13, 14], // copyright and licence
  keepFeatures: ["kern", "tnum"], // tabular figures for scores
  noHinting: true,
  dropTables: ["gasp", "STAT", "DSIG"],
});
writeFileSync(new URL("fraunces.woff2", import.meta.url), font);
