// Pieces as they are drawn: every pip is there, groups lie as they should; what a tap does to what is taken.
import assert from "node:assert/strict";
import { test } from "node:test";
import { dealt, half, halves, pictured, tile } from "../../web/static/games/pieces.js";
import { summed, tapped } from "../../web/static/games/tapping.js";

test("a tile has as many pips as its name says, up to fifteen on a half", () => {
  for (let high = 0; high <= 15; high += 1) {
    assert.equal(tile(`${high}-4`).all("circle").length, high + 4);
    assert.equal(half(high).all("circle").length, high);
  }
});

test("no two pips of a half lie on each other, and none on the line", () => {
  for (let n = 2; n <= 15; n += 1) {
    const places = half(n)
      .all("circle")
      .map((pip) => [pip.attributes.cx, pip.attributes.cy, pip.attributes.r].map(Number));
    for (const [i, [x, y, r]] of places.entries()) {
      assert.ok(x - r > 0 && x + r < 40 && y - r > 0 && y + r < 40, `${n}: ${x} ${y}`);
      for (const [x2, y2] of places.slice(i + 1)) assert.ok(Math.hypot(x - x2, y - y2) >= 2 * r, `${n}`);
    }
  }
});

test("cards that are alike lie level, cards in a row climb, and a row without an end fades", () => {
  const drawn = pictured("=3 /4 /*");
  const cards = drawn
    .all("rect")
    .map(({ attributes }) => [Number(attributes.x), Number(attributes.y), attributes.class]);
  // Three alike from 1, nine apart, half way up the highest climb (5 steps of 2): y = 1 + 5.
  assert.deepEqual(cards.slice(0, 3), [
    [1, 6, "gr-card"],
    [10, 6, "gr-card"],
    [19, 6, "gr-card"],
  ]);
  // Two steps, a card of 13 and 7 between: the row of four begins at 39 and climbs by two.
  assert.deepEqual(cards.slice(3, 7), [
    [39, 11, "gr-card"],
    [48, 9, "gr-card"],
    [57, 7, "gr-card"],
    [66, 5, "gr-card"],
  ]);
  assert.deepEqual(
    cards.slice(7).map(([, , style]) => style),
    ["gr-card", "gr-card", "gr-card", "gr-open", "gr-open", "gr-open"],
  );
  assert.equal(drawn.all("circle").length, 3);
});

test("a name that is no piece has no picture", () => {
  assert.equal(pictured(""), null);
  assert.equal(pictured("Hand 3"), null);
  assert.deepEqual(halves("12-7"), [12, 7]);
});

test("a tap takes one more while there is one, then gives all of them back", () => {
  assert.deepEqual(tapped(["7S"], "7S", 2), ["7S", "7S"]);
  assert.deepEqual(tapped(["7S", "KD", "7S"], "7S", 2), ["KD"]);
  assert.equal(
    summed(
      ["5-5", "3-1"],
      new Map([
        ["5-5", 10],
        ["3-1", 4],
      ]),
    ),
    14,
  );
});

test("who deals and who starts is said while both of them sit there", () => {
  const state = {
    rows: [
      { seat: 1, player: "Ana" },
      { seat: 2, player: "Ben" },
    ],
  };
  assert.equal(dealt({ dealer: 1, starter: 2 }, state), "Ana deals, Ben starts.");
  for (const line of [{ dealer: 1, starter: null }, { dealer: null, starter: 2 }, undefined]) {
    assert.equal(dealt(line, state), null);
  }
});
