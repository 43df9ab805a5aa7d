// Where things go in a photo finish, by hand.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bands, closest, niceStep, place, sparse, spread, ticks } from "../../web/static/photo-finish/layout.js";

const at = (boxes) => boxes.map((box) => box.at);

test("a step is one, two or five times a power of ten, and cuts into no more parts than asked for", () => {
  assert.equal(niceStep(246, 4), 100); // 61.5 is more than 50
  assert.equal(niceStep(246, 5), 50);
  assert.equal(niceStep(20, 10), 2);
  assert.equal(niceStep(1000, 1), 1000);
  assert.equal(niceStep(9, 0.5), 10); // fewer than one part is one part
});

test("ticks begin at nothing and do not pass the end", () => {
  assert.deepEqual(ticks(246, 4), [0, 100, 200]);
  assert.deepEqual(ticks(100, 2), [0, 50, 100]);
  assert.deepEqual(ticks(0, 4), [0]);
  assert.deepEqual(ticks(Number.NaN, 4), [0]);
});

test("where labels crowd, those stand that can stand over their marks, and the first always does", () => {
  const labels = [
    { x: 0, w: 30 },
    { x: 10, w: 30 },
    { x: 100, w: 30 },
  ];
  const given = { lo: 0, hi: 200, levels: 1, gap: 5 };
  // From the edge the first two reach to 30 and 65: the second would be at 50 rather than 15.
  assert.deepEqual(at(sparse(labels, given, 20).placed), [15, 100]);
  assert.deepEqual(at(sparse(labels, given, Infinity).placed), [15, 50, 100]);
  // Three of 30 with 5 between need 100.
  assert.deepEqual(
    sparse(labels, { ...given, hi: 99 }, Infinity).placed.map((one) => one.x),
    [0, 100],
  );
});

test("who was last is named before others, and who is not named keeps a number where that is asked for", () => {
  const labels = [
    { x: 0, w: 30, mark: { last: false } },
    { x: 64, w: 30, mark: { last: false } },
    { x: 74, w: 30, mark: { last: true } },
  ];
  const given = { lo: 0, hi: 200, levels: 1, gap: 5 };
  const bare = (label) => ({ ...label, w: 8 });
  // Side by side the last two are 65 wide around 69: at 51.5 and 86.5, each off by 12.5. With a number they are off by 7.
  assert.deepEqual(
    sparse(labels, given, 12, bare).placed.map((one) => one.w),
    [30, 8, 30],
  );
  assert.deepEqual(
    sparse(labels, given, 13, bare).placed.map((one) => one.w),
    [30, 30, 30],
  );
  // Three numbers with 5 between need 34.
  assert.equal(sparse(labels, { ...given, hi: 33 }, Infinity, bare), null);
});

test("boxes that do not touch stay where they are", () => {
  const boxes = [
    { x: 20, w: 10 },
    { x: 40, w: 10 },
  ];
  assert.deepEqual(at(spread(boxes, 0, 100, 2)), [20, 40]);
});

test("boxes that want the same place make room evenly", () => {
  // Two of 10 with 2 between are 22 wide: around 50 they begin at 39, their middles are 44 and 56.
  assert.deepEqual(
    at(
      spread(
        [
          { x: 50, w: 10 },
          { x: 50, w: 10 },
        ],
        0,
        100,
        2,
      ),
    ),
    [44, 56],
  );
});

test("boxes stay inside on either side", () => {
  assert.deepEqual(
    at(
      spread(
        [
          { x: 0, w: 10 },
          { x: 3, w: 10 },
        ],
        0,
        100,
        2,
      ),
    ),
    [5, 17],
  );
  assert.deepEqual(
    at(
      spread(
        [
          { x: 99, w: 10 },
          { x: 100, w: 10 },
        ],
        0,
        100,
        2,
      ),
    ),
    [83, 95],
  );
});

test("a label that would lie on another goes one level up", () => {
  const labels = [
    { x: 50, w: 20 },
    { x: 55, w: 20 },
    { x: 90, w: 20 },
  ];
  const { placed, moved, fits, used } = place(labels, { lo: 0, hi: 100, levels: 2, gap: 2 });
  assert.deepEqual(
    placed.map(({ at, level }) => [at, level]),
    [
      [50, 0],
      [55, 1],
      [90, 0],
    ],
  );
  assert.deepEqual([moved, fits, used], [0, true, 2]);
});

test("labels that cannot all stand on their levels are said not to fit", () => {
  const labels = Array.from({ length: 4 }, () => ({ x: 50, w: 30 }));
  assert.equal(place(labels, { lo: 0, hi: 100, levels: 1, gap: 2 }).fits, false); // 126 in 100
  assert.equal(place(labels, { lo: 0, hi: 100, levels: 2, gap: 2 }).fits, true); // 62 in 100, twice
});

test("the last one and the one the margin is measured to decide, in the order of their presses", () => {
  const marks = [
    { seat: 1, t_ns: 0, last: false },
    { seat: 2, t_ns: 70, last: false },
    { seat: 3, t_ns: 100, last: true },
    { seat: 4, t_ns: 130, last: false },
  ];
  const seats = (margin_ns) => closest(marks, margin_ns).map((mark) => mark.seat);
  assert.deepEqual(seats(30), [2, 3]);
  assert.deepEqual(seats(100), [1, 3]);
  assert.deepEqual(seats(-30), [3, 4]);
  assert.deepEqual(seats(null), []);
});

test("in a dead heat all that were last decide", () => {
  const marks = [false, true, true].map((last, i) => ({ seat: i + 1, t_ns: 10 * i, last }));
  assert.deepEqual(
    closest(marks, 10).map((mark) => mark.seat),
    [2, 3],
  );
});

test("bands of the last two touch exactly when their gap is all that is uncertain", () => {
  const marks = [
    { seat: 1, u_ns: 4 },
    { seat: 2, u_ns: 6 },
    { seat: 3, u_ns: 1 },
  ];
  // 20 in all: 4 and 6 are their own, the clocks' 10 are halved. Bands of 9 and 11 reach over 20.
  assert.deepEqual(
    [...bands(marks, marks.slice(0, 2), 20)],
    [
      [1, 9],
      [2, 11],
      [3, 6],
    ],
  );
  assert.deepEqual([...bands(marks, [], 20).values()], [4, 6, 1]);
});

test("bands overlap exactly in a dead heat (law 4): where the gap is at most the sum of what is uncertain", () => {
  for (const gap of [0, 1, 7, 20, 21, 27, 28, 500])
    for (const own of [1, 10])
      for (const clocks of [0, 3, 8]) {
        const sum = 2 * own + clocks;
        const marks = [
          { seat: 1, t_ns: 1000, u_ns: own, last: gap <= sum },
          { seat: 2, t_ns: 1000 + gap, u_ns: own, last: true },
        ];
        const [a, b] = closest(marks, gap);
        const half = bands(marks, [a, b], sum);
        assert.equal(a.t_ns + half.get(a.seat) >= b.t_ns - half.get(b.seat), gap <= sum);
      }
});
