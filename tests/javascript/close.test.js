// The two bands of a touch that was too close, on the phone: places worked out by hand.
import assert from "node:assert/strict";
import { test } from "node:test";
import { places } from "../../web/static/pages/nose/close.js";
import { says } from "../../web/static/pages/nose/says.js";

test("a wired nose has its own narrow band beside a phone's wide one", () => {
  // Of 200 px 80 ms on either side of 20 ms make 2 px a ms; both lie around the middle, 175.
  const phone = { t_ns: 0, u_ns: 40 };
  const wire = { t_ns: 20, u_ns: 10 };
  assert.deepEqual(places([phone, wire], 50), {
    at: [155, 195],
    bands: [
      [75, 160],
      [175, 40],
    ],
    both: [175, 40],
  });
});

test("what the stamps leave of the whole is shared by both, and too much is taken from both alike", () => {
  const two = (own) => [
    { t_ns: 0, u_ns: own },
    { t_ns: 40, u_ns: own },
  ];
  // 30 on either side of 40 are 100: 2 px each; the bands overlap by 20.
  const expected = {
    at: [135, 215],
    bands: [
      [75, 120],
      [155, 120],
    ],
    both: [155, 40],
  };
  assert.deepEqual(places(two(10), 60), expected);
  assert.deepEqual(places(two(90), 60), expected);
});

test("a phone says first what has to be done, below a verdict and above all else before a deal", () => {
  const row = { out: false, aside: false };
  const due = { kind: "settle", says: "West is silent." };
  const state = {
    phase: "verdict",
    headline: "East was last",
    proof: ["0.4 s"],
    faults: [],
    rows: [],
    first: [],
    phones: [],
    due,
  };
  assert.deepEqual(says(state, row, false, []), ["East was last", ["West is silent.", "0.4 s"]]);
  const ready = { ...state, phase: "ready", headline: "Ready to deal" };
  assert.deepEqual(says(ready, row, false, []), ["West is silent.", ["0.4 s"]]);
  const play = { ...state, due: { kind: "play", says: "Next round" } };
  assert.deepEqual(says(play, row, false, []), ["East was last", ["0.4 s"]]);
});
