// The page's clock against the host's, on clocks that are wound by hand.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { bothClocks, grainOf, HostClock, Mapping } from "../../web/static/lib/clock.js";

let now_ms;
let trips; // how long each ping is under way: there and back, in ms
let ahead_ns; // how far the host's clock is ahead of the page's

beforeEach((context) => {
  now_ms = 1000;
  trips = [];
  ahead_ns = 4_000_000_000;
  context.mock?.reset();
  performance.now = () => now_ms;
  Date.now = () => 1e12 + now_ms;
  globalThis.fetch = async () => {
    const [there, back] = trips.shift() ?? [50, 50];
    now_ms += there;
    const t_ns = now_ms * 1e6 + ahead_ns;
    now_ms += back;
    return { ok: true, json: async () => ({ t_ns }) };
  };
});

test("the shortest of four pings is kept, and halved", async () => {
  trips = [
    [40, 40],
    [30, 30],
    [3, 3],
    [10, 10],
  ];
  const clock = new HostClock();
  await clock.sync();
  assert.equal(clock.rtt_ns, 6_000_000);
  // Half the way, a tenth of a millisecond of the browser's there and in the stamp, 200 ppm of the 20 ms since then.
  assert.ok(Math.abs(clock.u_ns - (3_000_000 + 200_000 + 4_000)) <= 1);
  assert.ok(Math.abs(clock.host_ns(1100.25) - (1_100_250_000 + ahead_ns)) <= 1);
});

test("a way that is longer there than back is off by half the difference, within what is claimed", async () => {
  trips = [
    [40, 40],
    [5, 1],
  ];
  const clock = new HostClock();
  await clock.sync();
  const off_ns = clock.host_ns(0) - ahead_ns;
  assert.ok(Math.abs(off_ns - 2_000_000) <= 1); // (5 - 1) / 2 ms
  assert.ok(Math.abs(off_ns) <= clock.u_ns);
});

test("a page that takes long to read an answer does not take its clocks for parted", async () => {
  const clock = new HostClock();
  const { fetch } = globalThis;
  globalThis.fetch = async () => {
    const answer = await fetch();
    const read = answer.json;
    answer.json = () => {
      now_ms += 30; // it has much to do just then
      return read();
    };
    return answer;
  };
  await clock.sync();
  assert.equal(clock.epoch, 0);
  assert.equal(clock.apart_ns(now_ms, Date.now()), 0);
});

test("both clocks are read once more where something came in between", () => {
  let reads = 0;
  performance.now = () => {
    reads++;
    if (reads === 2) now_ms += 40; // the machine had something else to do
    return now_ms;
  };
  assert.deepEqual(bothClocks(), [1040, 1e12 + 1040]);
  assert.equal(reads, 4);
});

test("two that ask at once share one answer", async () => {
  const clock = new HostClock();
  assert.equal(clock.sync(), clock.sync());
  assert.equal(clock.known, false);
  await clock.sync();
  assert.equal(clock.known, true);
});

test("bounds from both ways are narrower than any single answer", () => {
  const clock = new HostClock();
  clock.note(1000, 1040, (1039 + 4000) * 1e6); // 39 ms there, 1 ms back: 3999 to 4039 ms ahead
  clock.note(1040, 1080, (1041 + 4000) * 1e6); // 1 ms there, 39 ms back: 3961 to 4001 ms ahead
  now_ms = 1080;
  assert.ok(Math.abs(clock.host_ns(0) - 4000e6) < 10_000);
  assert.ok(Math.abs(clock.u_ns - 1_200_000) < 10_000); // ± 1 ms, and the grain
});

test("what is claimed grows with the drift of two clocks", () => {
  const clock = new HostClock();
  clock.note(1000, 1002, 5001e6);
  now_ms = 1002 + 60_000;
  assert.equal(clock.u_ns, 1_000_000 + 12_000_000 + 200_000); // 200 ppm of a minute
});

test("the mapping stands still in the middle of a round, and says how far it may be off", () => {
  const clock = new HostClock();
  clock.note(1000, 1010, 5009e6); // 3999 to 4009
  const mapped = clock.host_ns(0);
  clock.frozen = true;
  clock.note(1010, 1012, 5011e6); // 3999 to 4001
  now_ms = 1012;
  assert.equal(clock.host_ns(0), mapped);
  assert.ok(Math.abs(clock.u_ns - 5_200_000) < 10_000); // 4004 is in use, 3999 may be true
  clock.frozen = false;
  clock.note(1012, 1014, 5013e6);
  assert.ok(Math.abs(clock.host_ns(0) - 4000e6) < 10_000);
});

test("a promise is not overtaken by a tap after it when the mapping moves in between", () => {
  const clock = new HostClock();
  clock.note(1000, 1040, 5002e6); // 3962 to 4002 ms ahead: 3982 in use
  now_ms = 1040;
  const promised_ns = clock.earliest_ns(now_ms, 1040);
  clock.note(1040, 1046, 5004e6); // 3958 to 3964
  now_ms = 1046;
  assert.ok(clock.host_ns(1041) < 5022e6); // which is what 1040 was a moment before
  assert.ok(promised_ns <= clock.host_ns(1040));
  clock.frozen = true; // in the middle of a round the mapping stands, even outside of what is known by now
  clock.note(1046, 1047, 5010.5e6); // 3963.5 to 3964.5
  now_ms = 1047;
  assert.ok(clock.earliest_ns(now_ms, 1047) <= clock.host_ns(1047));
});

test("a clock that slept is set again", () => {
  const clock = new HostClock();
  clock.note(1000, 1002, 5001e6);
  clock.note(1002, 1004, 65_003e6); // a minute has passed that the page knows nothing of
  assert.equal(clock.host_ns(0), 64_000e6);
});

test("what one mapping said is not mixed with the next: a clock that slept counts as another one", () => {
  const clock = new Mapping();
  clock.note(1000, 1002, 5001e6);
  clock.frozen = true; // also in the middle of a round
  assert.equal(clock.epoch, 0);
  clock.note(1002, 1004, 65_003e6);
  assert.equal(clock.epoch, 1);
  assert.ok(clock.moved_ns(0) >= 60_000e6);
  assert.equal(clock.moved_ns(1), 0);
  assert.ok(clock.off_ns(1004) < 2e6);
});

test("a frozen mapping that has gone absurd is given up, one that is merely wide is not", () => {
  const clock = new Mapping();
  clock.note(1000, 1200, 5001e6); // 3801 to 4001 ms ahead: 3901 in use
  clock.frozen = true;
  clock.note(1200, 1201, 5121e6); // 3920 to 3921
  assert.equal(clock.epoch, 0);
  assert.equal(clock.host_ns(0), 3901e6);
  const other = new Mapping();
  other.note(1000, 1200, 5001e6);
  other.frozen = true;
  other.note(1200, 1201, 5195e6); // 3994 to 3995
  assert.equal(other.epoch, 1);
  assert.ok(Math.abs(other.host_ns(0) - 3994.5e6) < 1e6);
});

const near = (one, other) => assert.ok(Math.abs(one - other) < 1e3, `${one} is not ${other}`);

test("a jump shows at once as the browser's two clocks leave each other, and is part of what a stamp claims", () => {
  const clock = new Mapping();
  clock.note(1000, 1040, 5020e6, 1e12 + 1040);
  assert.equal(clock.apart_ns(1100, 1e12 + 1100), 0);
  assert.equal(clock.apart_ns(1100, 1e12 + 1101.9), 0); // less than the grain of both
  near(clock.apart_ns(1120, 1e12 + 1100), 20e6 + 2e6 + 2 * 0.1e6 + 80e3); // and what would not have been noticed
  clock.note(1120, 1121, 5081e6, 1e12 + 1101); // within the bounds, but the clocks have parted
  assert.equal(clock.epoch, 1);
});

test("no answer to what was said before a jump narrows what is claimed after it, not the second one either", () => {
  const clock = new Mapping();
  clock.note(1000, 1010, 5005e6, 1e12 + 1010, 1e12 + 1000);
  // Two words go at 1020 and 1021; then the clock goes back by 8 ms: from now on the host is 4008 ms ahead.
  clock.note(1020, 1022, 5025e6, 1e12 + 1030, 1e12 + 1020);
  clock.note(1021, 1023, 5026e6, 1e12 + 1031, 1e12 + 1021);
  assert.ok(Math.abs(clock.host_ns(0) - 4008e6) <= clock.off_ns(1023));
  clock.note(1024, 1025, 5032.5e6, 1e12 + 1033, 1e12 + 1032); // the first one that was sent after it bounds again
  assert.ok(Math.abs(clock.host_ns(0) - 4008e6) <= clock.off_ns(1025));
  assert.ok(clock.off_ns(1025) < 1e6);
});

test("what was heard last of the host's clock goes back to it, with how long it was held", () => {
  const clock = new Mapping();
  assert.deepEqual(clock.echo(1000), { echo_ns: 0, held_ns: 0 });
  clock.note(1000, 1010, 5005e6);
  assert.deepEqual(clock.echo(1030), { echo_ns: 5005e6, held_ns: 20e6 });
  clock.note(1002, 1012, 5004e6); // overtaken
  assert.deepEqual(clock.echo(1030), { echo_ns: 5004e6, held_ns: 18e6 });
  assert.deepEqual(clock.echo(900), { echo_ns: 5004e6, held_ns: 0 }); // its clock went back meanwhile
});

test("a host whose clock begins again at zero, after a power cut, is told of the new one, and so measures the way", () => {
  const clock = new Mapping();
  clock.note(1000, 1010, 9005e9);
  clock.note(61_000, 61_010, 21e9); // it has been up for 21 s by now
  assert.deepEqual(clock.echo(61_030), { echo_ns: 21e9, held_ns: 20e6 });
  const asleep = new Mapping();
  asleep.note(1000, 1010, 9005e9);
  asleep.doubt(); // the phone was hidden when that happened
  asleep.note(61_000, 61_010, 21e9);
  assert.deepEqual(asleep.echo(61_030), { echo_ns: 21e9, held_ns: 20e6 });
});

test("an answer that seems to come before its question says nothing, and the clock is set again", () => {
  const clock = new Mapping();
  clock.note(1000, 1010, 5005e6);
  clock.note(1020, 940, 5025e6);
  assert.equal(clock.known, false);
  assert.equal(clock.epoch, 1);
  clock.note(950, 960, 5055e6);
  assert.ok(clock.known && clock.off_ns(960) > 0 && clock.off_ns(960) < 6e6);
});

test("a clock in coarse steps is known to be one, however often the browser looks away", () => {
  let at = 0;
  const coarse = () => {
    at += at % 97 > 96 ? 40 : 0.7;
    return Math.floor(at / 16.67) * 16.67;
  };
  assert.ok(Math.abs(grainOf(coarse) - 16.67e6) < 1e3);
  let fine = 0;
  const steps = () => {
    fine += 0.005;
    return fine;
  };
  assert.equal(grainOf(steps), 100_000);
  const clock = new Mapping();
  clock.grain_ns = 16.67e6;
  clock.note(1000.2, 1000.2, 5001e6); // both ends of the way in one step
  assert.ok(clock.off_ns(1000.2) >= 16.67e6);
});

test("a page that waits for a good mapping uses a worse one only when no ping was better", async () => {
  for (const [back, known_after] of [
    [[50, 50, 50, 50], 4],
    [[50, 50, 20, 50], 3],
    [[20, 50, 50, 50], 1],
  ]) {
    trips = back.map((ms) => [ms, ms]); // off by so many ms
    const clock = new HostClock();
    clock.patient = true;
    let pings = 0;
    let first = 0;
    clock.heard = () => {
      pings += 1;
      if (clock.known) first ||= pings;
    };
    await clock.sync();
    assert.deepEqual([first, clock.epoch], [known_after, 0]);
  }
});

test("an impatient page uses the first answer there is", async () => {
  const clock = new HostClock();
  let known;
  clock.heard = () => (known ??= clock.known);
  await clock.sync();
  assert.equal(known, true);
});
