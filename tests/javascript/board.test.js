// The projector's arithmetic: slow motion, sizes, bands; figures by hand.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stacked } from "../../web/static/games/chart.js";
import { headlineSize } from "../../web/static/lib/fit.js";
import { anew, dealing } from "../../web/static/pages/board/deal.js";
import { bandsOf, filling } from "../../web/static/pages/board/standings.js";
import { slowness, timeline } from "../../web/static/photo-finish/timeline.js";
import { grid, inOrder } from "../../web/static/result/paint.js";

const MS = 1e6;

test("slow motion is a round number, and never longer than five seconds", () => {
  assert.equal(slowness(246 * MS), 20); // 4.92 s
  assert.equal(slowness(250 * MS), 20); // exactly 5 s
  assert.equal(slowness(251 * MS), 10);
  assert.equal(slowness(2400 * MS), 2);
  assert.equal(slowness(5000 * MS), 1);
  assert.equal(slowness(10_000 * MS), 0.5); // sped up rather than waited for
  assert.equal(slowness(1000), 1000); // a microsecond is not stretched without end
});

test("marks land in true proportion, then the lens, the last one, the margin and the letter", () => {
  const times = timeline(200 * MS);
  assert.equal(times.times, 20);
  assert.equal(times.at(0), 0.3);
  assert.ok(Math.abs(times.at(50 * MS) - 1.3) < 1e-9);
  assert.ok(Math.abs(times.end - 4.3) < 1e-9);
  const order = [times.end, times.wedge, times.rival, times.last, times.margin, times.letter];
  assert.deepEqual(
    order,
    [...order].sort((a, b) => a - b),
  );
  assert.ok(timeline(250 * MS).letter < 7.8);
});

test("a headline fills 94 % of the line, at most 23.4 hundredths of the height, and breaks before it is small", () => {
  assert.equal(headlineSize(4, 160), 23.4); // 4 ems would have room for 37.6
  assert.ok(Math.abs(headlineSize(10, 160) - 15.04) < 1e-9); // 160 * 0.94 / 10
  const broken = headlineSize(20, 160); // 7.52 in one line: two lines of 160 * 0.94 * 2 * 0.86 / 20 = 12.93
  assert.ok(Math.abs(broken - 12.9344) < 1e-9);
  assert.ok(headlineSize(60, 160) < 23.4 * 0.33);
});

const row = (seat, given = {}) => ({
  seat,
  player: `P${seat}`,
  letters: [],
  word: ["P", "I", "G"],
  out: false,
  winner: false,
  score: null,
  notes: [],
  ...given,
});

test("players stand in bands by letters, those who are out below, the winner above", () => {
  const rows = [
    row(1, { letters: ["P", "I"] }),
    row(2),
    row(3, { letters: ["P", "I", "G"], out: true }),
    row(4, { letters: ["P", "I"] }),
    row(5, { letters: ["P"] }),
  ];
  const found = bandsOf(rows);
  assert.deepEqual(
    found.map((band) => [band.says, band.rows.map((one) => one.seat)]),
    [
      ["no letter", [2]],
      ["one letter", [5]],
      ["one to go", [1, 4]],
      ["out", [3]],
    ],
  );
  const won = bandsOf(rows.map((one) => ({ ...one, winner: one.seat === 4 })));
  assert.deepEqual(won[0].rows[0].seat, 4);
});

test("names are as large as columns and lines allow, for three players as for 26", () => {
  // Three in a band each, 130 by 74 units: 74 / 3 * 0.62 is more than the limit of 13; 130 / 5.5 is, too.
  assert.deepEqual(filling([1, 1, 1], 4, 130, 74), { columns: 1, size: 13, lines: 3, folds: false });
  // 26 in bands of 9, 7, 6 and 4. Four columns: 3 + 2 + 2 + 1 = 8 lines of 74 / 8 * 0.62 = 5.735, and of the width
  // 130 / 4 / 5.5 = 5.909; three columns: 10 lines of 4.588; five: 2 + 2 + 2 + 1 = 7, but only 130 / 5 / 5.5 = 4.727.
  const found = filling([9, 7, 6, 4], 4, 130, 74);
  assert.deepEqual([found.columns, found.lines], [4, 8]);
  assert.ok(Math.abs(found.size - 5.735) < 1e-9);
});

test("long names stand in two lines where that makes them larger by more than a seventh", () => {
  // Three names of 20 ems, 10 in two lines: 106 / 21.5 = 4.93 whole, 106 / 11.5 = 9.217 folded; 74 / 3 * 0.38 = 9.373.
  const found = filling([3], 20, 106, 74, 10);
  assert.deepEqual([found.columns, found.lines, found.folds], [1, 3, true]);
  assert.ok(Math.abs(found.size - 106 / 11.5) < 1e-9);
  // Eight: 4.93 whole and, of the height, at most 74 / 8 * 0.38 = 3.515 folded; two columns fold to 53 / 11.5 = 4.609.
  assert.equal(filling([8], 20, 106, 74, 10).folds, false);
});

test("labels of the graph keep apart, and above the floor", () => {
  assert.deepEqual(stacked([10, 12, 90], 10, 100), [10, 20, 90]);
  assert.deepEqual(stacked([95, 96, 97], 10, 100), [80, 90, 100]);
});

test("in the picture of a result names are as large as they stand whole, and cut before they are too small", () => {
  const laid = (n, longest, high) => {
    const { columns, lines, size } = grid(n, longest, high);
    return [columns, lines, Number(size.toFixed(2))];
  };
  assert.deepEqual(laid(4, 10, 400), [1, 4, 42]); // lines of 78 would hold 48.36, more than the limit
  // 26 in 468: two columns of 13 lines hold 36 * 0.62 = 22.32; three of 9 hold 32.24, and (288 - 20) / 10 = 26.8 across.
  assert.deepEqual(laid(26, 10, 468), [3, 9, 26.8]);
  assert.deepEqual(laid(26, 13, 468), [2, 13, 22.32]); // three: 268 / 13 = 20.62
  assert.deepEqual(laid(26, 60, 468), [2, 13, 20]); // whole they would be 430 / 60 = 7.17
});

test("in the picture of a result winners come first, then the best", () => {
  const order = (rows, highest) => inOrder(rows, highest).map((one) => one.seat);
  const out = row(2, { letters: ["P", "I", "G"], out: true });
  assert.deepEqual(
    order([row(1, { letters: ["P"] }), out, row(3, { winner: true, letters: ["P", "I"] }), row(4)]),
    [3, 4, 1, 2],
  );
  const scores = [row(1, { score: 30 }), row(2, { score: -5 }), row(3, { score: 30 })];
  assert.deepEqual(order(scores, false), [2, 1, 3]);
  assert.deepEqual(order(scores, true), [1, 3, 2]);
});

/** Return a moment before a deal: four play Pig, and Ana deals. */
const before = (given = {}) => ({
  round_no: 1,
  finish: null,
  told: null,
  notes: [],
  advice: { title: "Ana deals.", sentences: ["Take the aces, kings, queens and jacks."], remove: [] },
  guide: { before: [{ says: "Take these." }, { says: "Ana deals, four to each." }] },
  ...given,
});

test("before anything was dealt the cards come first; later it is what has changed", () => {
  assert.ok(anew(before()));
  assert.equal(dealing(before({ told: { phase: "verdict" } })).title, "First the cards.");
  const later = before({
    round_no: 4,
    finish: {},
    guide: { before: [{ says: "Ana deals, four to each." }] },
  });
  assert.ok(!anew(later));
  assert.equal(dealing(later).title, "Ana deals.");
});

test("who came and who went is said before the deal, in whatever round", () => {
  const told = { phase: "ready", headline: "Zoë comes.", proof: ["Zoë: P, as many letters as whoever has most."] };
  assert.deepEqual(dealing(before({ round_no: 7, told })), { title: told.headline, lines: told.proof });
});

test("a game without steps says its advice", () => {
  const told = dealing(before({ guide: null }));
  assert.deepEqual(told, { title: "Ana deals.", lines: ["Take the aces, kings, queens and jacks."] });
});
