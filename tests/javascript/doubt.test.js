// How sure a verdict is, drawn: places of the bands and of the zero test's dots, worked out by hand.
import assert from "node:assert/strict";
import { test } from "node:test";
import { spots } from "../../web/static/doubt/scale.js";
import { stacked } from "../../web/static/doubt/zero-dots.js";

test("margin and bands fill the width and keep their proportions", () => {
  // 10 + 219 + 10 are 239 ns over 239 px: a pixel is a nanosecond.
  assert.deepEqual(spots(219, 10, 10), { first: 66, second: 285, perNs: 1 });
});

test("bands of a dead heat overlap, and the longer one sets the width", () => {
  // From -120 to 119 ns; the second stamp lies 7 ns later, in the middle of both bands.
  assert.deepEqual(spots(7, 119.5, 10), { first: 175.5, second: 182.5, perNs: 1 });
});

test("dots that would cover each other are stacked, the earliest at the left", () => {
  // 144 px are 16 columns of 9: with a claim of 16 a column is a nanosecond.
  const { dots, high } = stacked([3, -16, 3, 0, 3], 16);
  assert.equal(high, 3);
  assert.deepEqual(
    dots.map(({ x, level }) => [x, level]),
    [
      [175 - 144, 0],
      [175, 0],
      [175 + 27, 0],
      [175 + 27, 1],
      [175 + 27, 2],
    ],
  );
});

test("no dot lies outside what is drawn", () => {
  const { dots } = stacked([-40, 40], 40);
  assert.deepEqual(
    dots.map(({ x }) => x),
    [31, 319],
  );
});
