// The projector's arithmetic: slow motion, sizes, seats; figures by hand.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stacked } from "../../web/static/games/chart.js";
import { headlineSize } from "../../web/static/lib/fit.js";
import { dealing, wholeDeal } from "../../web/static/pages/board/deal.js";
import { along, around, look, sized } from "../../web/static/pages/board/seats.js";
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

/** Which way the seats of *plan* follow each other: the sum of the turns around the middle, in full circles. */
function circles({ places, top: [cx, cy] }) {
  const angles = places.map(({ x, y }) => Math.atan2(y - cy, x - cx));
  const turn = (from, to) => Math.atan2(Math.sin(to - from), Math.cos(to - from));
  return angles.reduce((sum, angle, i) => sum + turn(angle, angles[(i + 1) % angles.length]), 0) / (2 * Math.PI);
}

test("two to twelve sit around an oval clockwise, from its left end, and more along a table", () => {
  for (let n = 3; n <= 12; n++) assert.equal(Math.round(circles(around(n, 160, 70, 3, 8)) * 1000), 1000, `${n}`);
  for (let n = 4; n <= 26; n++) assert.equal(Math.round(circles(along(n, 160, 70, 3, 16)) * 1000), 1000, `${n}`);
  const [first, second, third, fourth] = around(4, 160, 70, 3, 8).places;
  assert.ok(first.x < second.x && second.x === 80 && third.x > 80 && fourth.x === 80); // left, top, right, bottom
  assert.ok(second.y < 35 && fourth.y > 35 && first.y === 35 && third.y === 35);
  const sides = along(26, 160, 70, 3, 16).places;
  assert.deepEqual([sides.filter((one) => one.x < 80).length, sides.filter((one) => one.x > 80).length], [13, 13]);
  assert.ok(sides[0].y > sides[12].y && sides[13].y < sides[25].y); // up on the left, down on the right
});

test("no name, nose or letter at a table from above lies on another, and none leaves it", () => {
  const NOSE = 4 / 3;
  for (let n = 3; n <= 26; n++)
    for (const [wide, high] of [
      [167, 70],
      [123, 66],
      [150, 48],
    ])
      for (const slots of [2, 5]) {
        const plans = [along(n, wide, high, slots, 16)];
        if (n <= 12) plans.push(around(n, wide, high, slots, 8));
        for (const plan of plans) {
          const noses = plan.places.map(({ x, y }) => ({
            x: x - (plan.nose * NOSE) / 2,
            y: y - plan.nose / 2,
            wide: plan.nose * NOSE,
            high: plan.nose,
          }));
          const boxes = [...noses, ...plan.places.map((one) => one.name)];
          for (const [i, one] of boxes.entries()) {
            assert.ok(
              one.x > -0.01 && one.y > -0.01 && one.x + one.wide < wide + 0.01 && one.y + one.high < high + 0.01,
            );
            for (const other of boxes.slice(i + 1)) {
              const across = Math.min(one.x + one.wide, other.x + other.wide) - Math.max(one.x, other.x);
              const down = Math.min(one.y + one.high, other.y + other.high) - Math.max(one.y, other.y);
              assert.ok(across < 0.01 || down < 0.01, `${n} in ${wide} by ${high}`);
            }
          }
        }
      }
});

test("from above who was first is green and who was last red; in a dead heat nobody is either", () => {
  const heat = { stage: "verdict", touched: true, first: [], last: [] };
  const seen = (state, seat, silent) => look({ ...heat, ...state }, { seat }, silent);
  assert.equal(seen({ first: [2] }, 2, false), "first");
  assert.equal(seen({ first: [2] }, 1, false), "");
  assert.equal(seen({}, 2, false), "");
  assert.equal(seen({ last: [2] }, 2, false), "last");
  assert.equal(seen({ last: [2] }, 2, true), "last"); // their phone has fallen silent since
  assert.equal(seen({}, 2, true), "silent");
});

test("a long name is smaller by itself, and stands in two lines where that makes it larger by more than a seventh", () => {
  const room = { wide: 20, high: 12 };
  assert.deepEqual(sized(3, 3, 5, room), { size: 5, lines: 1 });
  assert.deepEqual(sized(10, 9, 5, room), { size: 1.94, lines: 1 }); // 0.97 * 20 / 10; two lines: 2.16, a ninth more
  assert.deepEqual(sized(10, 5, 5, room), { size: 3.88, lines: 2 });
  assert.deepEqual(sized(10, 5, 5, { wide: 20, high: 4 }), { size: 1.94, lines: 1 }); // two: 4 / 2.25, a ninth less
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
  const order = (rows) => inOrder(rows).map((one) => one.seat);
  const out = row(2, { letters: ["P", "I", "G"], out: true });
  assert.deepEqual(
    order([row(1, { letters: ["P"] }), out, row(3, { winner: true, letters: ["P", "I"] }), row(4)]),
    [3, 4, 1, 2],
  );
  assert.deepEqual(order([row(1, { place: 2 }), row(2, { place: 1 }), row(3, { place: 2 })]), [2, 1, 3]);
});

/** Return a moment before a deal: four play Pig, and Ana deals. */
const before = (given = {}) => ({
  round_no: 1,
  finish: null,
  last_round: null,
  notes: [],
  advice: { title: "Ana deals 4 cards each.", sentences: ["Take the aces, kings, queens and jacks."], remove: [] },
  guide: { before: [{ says: "Take these." }, { says: "Ana deals 4 cards each." }] },
  ...given,
});

test("before anything was dealt the cards come first; later it is what has changed", () => {
  assert.ok(wholeDeal(before()));
  assert.equal(dealing(before({ last_round: { phase: "verdict" } })).title, "First the cards.");
  const later = before({
    round_no: 4,
    finish: {},
    guide: { before: [{ says: "Ana deals 4 cards each." }] },
  });
  assert.ok(!wholeDeal(later));
  assert.equal(dealing(later).title, "Ana deals 4 cards each.");
});

test("who came and who went is said before the deal, in whatever round", () => {
  const last_round = {
    phase: "ready",
    headline: "Zoë comes.",
    proof: ["Zoë: P"],
  };
  assert.deepEqual(dealing(before({ round_no: 7, last_round })), {
    title: last_round.headline,
    lines: last_round.proof,
  });
});

test("a game without steps says its advice", () => {
  const told = dealing(before({ guide: null }));
  assert.deepEqual(told, { title: "Ana deals 4 cards each.", lines: ["Take the aces, kings, queens and jacks."] });
});
