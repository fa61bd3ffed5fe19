// Golden pictures: a dozen scenes as they looked when somebody last looked at them.
// make golden writes them; look at the difference before you commit it.
//
// Machines draw the same letters and edges a little differently. So texts are drawn in
// the display face, which comes with the pages, and pictures are compared coarsely: the
// mean colour of every block of 8 by 8 pixels may differ by some steps of 255, and few
// blocks by more. A piece that is missing or a box that has moved changes dozens. The
// mean of a block survives JPEG, which keeps the tree small.

import { test } from "node:test";
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { browser } from "./common.mjs";
import { scenes, themes } from "./scenes.mjs";

const folder = new URL("testdata/golden/", import.meta.url);
const block = 8; // pixels
const steps = 14; // of 255, by which the mean of a block may differ in a channel
const few = 0.002; // the part of the blocks that may differ by more

// What differs from run to run and from machine to machine is not drawn.
const still = `
  *, ::before, ::after { animation: none !important; transition: none !important; caret-color: transparent !important; font-family: Fraunces !important; }
  .clock, pre.lines, time { visibility: hidden !important; }
  .head .who span { display: none !important; } /* guests have other names every time */
`;

/** pictures are scenes with the size of the window and, where it is not light, the theme. */
const pictures = [
  ["home", 1280, 800], ["home", 390, 844], ["home", 1280, 800, "dark"], ["settings", 1280, 800],
  ["othello-middle", 1280, 800], ["othello-middle", 390, 844, "dark"], ["othello-end", 1280, 800], ["loa-middle", 844, 390],
  ["neighbors-middle", 390, 844], ["connect6-end", 1280, 800], ["chess-middle", 1280, 800, "dark"], ["chess-middle", 667, 375, "contrast"],
];

/** different returns which part of the blocks of two pictures differs, decoded by the browser itself. */
const different = (page, old, now) => page.evaluate(async ([sources, block, steps]) => {
  const means = [];
  for (const source of sources) {
    const image = await createImageBitmap(await (await fetch(source)).blob());
    const [wide, high] = [Math.floor(image.width / block), Math.floor(image.height / block)];
    const context = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height }).getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    const sums = new Float64Array(wide * high * 3);
    for (let y = 0; y < high * block; y++) for (let x = 0; x < wide * block; x++) {
      const from = 4 * (y * image.width + x), to = 3 * (Math.floor(y / block) * wide + Math.floor(x / block));
      for (let c = 0; c < 3; c++) sums[to + c] += data[from + c];
    }
    means.push({ wide, high, sums: sums.map((s) => s / block ** 2) });
  }
  const [a, b] = means;
  if (a.wide !== b.wide || a.high !== b.high) return 1;
  let count = 0;
  for (let i = 0; i < a.sums.length; i += 3) if ([0, 1, 2].some((c) => Math.abs(a.sums[i + c] - b.sums[i + c]) > steps)) count++;
  return count / (a.wide * a.high);
}, [[old, now].map((picture) => `data:image/jpeg;base64,${picture.toString("base64")}`), block, steps]);

export default function () {
  test("the pages look as in the golden pictures", async () => {
    const found = [], blank = await browser.newPage();
    mkdirSync(folder, { recursive: true });
    for (const [scene, width, height, theme = "light"] of pictures) {
      const p = await scenes[scene]({ width, height, hasTouch: width < 1000, ...themes[theme], drawn: true });
      await p.page.addStyleTag({ content: still });
      await p.page.evaluate(() => document.fonts.ready);
      await p.page.mouse.move(0, 0);
      const name = `${scene}-${theme}-${width}.jpeg`, file = new URL(name, folder);
      const now = await p.page.screenshot({ animations: "disabled", type: "jpeg", quality: 70 });
      await p.close();
      if (process.env.QUINTET_GOLDEN || !existsSync(file)) {
        if (!process.env.QUINTET_GOLDEN) found.push(`${name} is missing: run make golden`);
        else writeFileSync(file, now);
        continue;
      }
      const part = await different(blank, readFileSync(file), now);
      if (part <= few) continue;
      writeFileSync(join(process.env.SHOTS, "golden-" + name), now);
      found.push(`${name}: ${(part * 100).toFixed(2)} % of it differs; what it looks like now is golden-${name} in ${process.env.SHOTS}`);
    }
    await blank.close();
    assert.deepEqual(found, []);
  });
}
