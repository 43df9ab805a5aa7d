// What a page promises: nothing beyond a tap that is under way, and nothing that the browser may still hand over.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { TapPost } from "../../web/static/games/tap-post.js";

let sent; // the requests: their bodies, and how to answer them
let said;
let post;

const clock = {
  known: true,
  frozen: false,
  u_ns: 1,
  host_ns: (stamp_ms) => Math.round(stamp_ms * 1e6),
  earliest_ns: (stamp_ms) => Math.floor(stamp_ms * 1e6),
  note() {},
  arrived() {},
  sync: async () => {},
};

const tap = (line, level, stamp_ms) => ({ line, level, stamp_ms, kind: "touch" });

/** Let everything happen that is due within *ms*. */
async function pass(context, ms) {
  for (let i = 0; i < ms; i++) {
    now_ms += 1;
    context.mock.timers.tick(1);
    for (let turn = 0; turn < 12; turn++) await Promise.resolve();
  }
}
let now_ms;

beforeEach((context) => {
  context.mock?.timers.enable({ apis: ["setTimeout"] });
  now_ms = 1000;
  performance.now = () => now_ms;
  document.querySelector = () => null;
  sent = [];
  said = [];
  globalThis.fetch = (_, { body, signal }) =>
    new Promise((resolve, reject) => {
      const answer = () => resolve({ ok: true, json: async () => ({ taps: 0, t_ns: 0, again_ms: 16 }) });
      sent.push({ ...JSON.parse(body), answer, reject });
      signal?.addEventListener("abort", () => reject(new Error("aborted")));
    });
  post = new TapPost(clock, (refusal) => said.push(refusal.message));
});

test("the way to the table is cut when a word does not get through, and not by a refusal", async (context) => {
  const told = [];
  post.onCut = () => told.push(post.cut);
  post.carries = true;
  post.follow("armed");
  post.wake();
  await pass(context, 2);
  sent[0].reject(new TypeError("no network"));
  await pass(context, 2);
  assert.deepEqual(told, [true]);
  await pass(context, 500);
  sent[1].reject(new TypeError("no network"));
  await pass(context, 500);
  assert.deepEqual(told, [true]);
  sent[2].answer();
  await pass(context, 2);
  assert.deepEqual(told, [true, false]);
});

test("a touch without network waits, and is lost 3.5 s after the last word", async (context) => {
  post.carries = true;
  post.follow("armed");
  post.wake();
  await pass(context, 2);
  sent[0].answer();
  await pass(context, 2);
  globalThis.fetch = () => Promise.reject(new TypeError("no network"));
  await pass(context, 500);
  assert.equal(post.unsent, "");
  post.add(tap("nose.1", 1, now_ms));
  post.add(tap("nose.1", 0, now_ms));
  assert.equal(post.unsent, "waiting");
  await pass(context, 2900);
  assert.equal(post.unsent, "waiting");
  await pass(context, 200);
  assert.equal(post.unsent, "lost");
  globalThis.fetch = () => Promise.resolve({ ok: true, json: async () => ({ taps: 0, t_ns: 0, again_ms: 16 }) });
  await pass(context, 900);
  assert.equal(post.unsent, "");
  assert.equal(post.cut, false);
});

const promises = () => sent.filter(({ taps }) => !taps.length);

test("a page on which nothing was tapped promises only while a round is being judged", async (context) => {
  post.follow("armed");
  post.wake();
  await pass(context, 2);
  assert.equal(sent.length, 1); // it says once that it is there
  sent[0].answer();
  await pass(context, 2000);
  assert.equal(sent.length, 1);
  post.follow("judging");
  await pass(context, 40);
  assert.equal(sent.length, 2);
});

test("a promise is 8 ms old, and after the browser has handed over what came before", async (context) => {
  post.add(tap("nose.1", 1, 1000));
  await pass(context, 1);
  sent[0].answer();
  await pass(context, 20);
  const [first] = promises();
  // Planned 16 ms after the answer, taken then, sent a turn of the loop later.
  assert.ok(first.promised_ns >= 1008e6 && first.promised_ns <= 1011e6, String(first.promised_ns));
});

test("nothing is promised beyond a tap that is under way", async (context) => {
  post.add(tap("nose.1", 1, 1000));
  await pass(context, 1);
  post.add(tap("nose.2", 1, 1001));
  await pass(context, 1);
  assert.deepEqual(
    sent.map(({ taps }) => taps.map(({ line }) => line)),
    [["nose.1"], ["nose.2"]],
  );
  sent[1].answer();
  await pass(context, 300);
  for (const { promised_ns, answer } of promises()) {
    assert.equal(promised_ns, 1000e6);
    answer();
  }
  sent[0].answer();
  await pass(context, 40);
  assert.ok(promises().at(-1).promised_ns > 1300e6);
});

test("the mapping stands from the first tap on, before the table has told that it judges", async (context) => {
  post.follow("armed");
  assert.equal(clock.frozen, false);
  post.add(tap("nose.1", 1, 1000));
  assert.equal(clock.frozen, true); // the answer to this tap may know the clock better: the next tap must not
  post.follow("armed");
  assert.equal(clock.frozen, true);
  post.follow("judging");
  await pass(context, 5000);
  assert.equal(clock.frozen, true);
  post.follow("verdict");
  assert.equal(clock.frozen, false);
});

test("a tap that opened nothing holds the mapping for three seconds", async (context) => {
  post.follow("armed");
  post.add(tap("nose.1", 1, 1000));
  await pass(context, 2900);
  assert.equal(clock.frozen, true);
  for (let i = 0; i < 3; i++) {
    for (const { answer } of sent) answer();
    await pass(context, 300);
  }
  assert.equal(clock.frozen, false);
});

test("a release waits until its press has got through", async (context) => {
  post.add(tap("nose.1", 1, 1000));
  await pass(context, 1);
  post.add(tap("nose.1", 0, 1001));
  await pass(context, 5);
  assert.equal(sent.length, 1);
  sent[0].answer();
  await pass(context, 1);
  assert.deepEqual(sent[1].taps, [{ line: "nose.1", level: 0, kind: "touch", t_ns: 1001e6 }]);
});

test("a tap that the network did not take is sent again with its own time", async (context) => {
  post.add(tap("nose.1", 1, 1000));
  await pass(context, 1);
  sent[0].reject(new Error("no network"));
  await pass(context, 410);
  const again = sent.filter(({ taps }) => taps.length);
  assert.equal(again.length, 2);
  assert.equal(again[1].taps[0].t_ns, 1000e6);
  assert.equal(said.length, 1);
});

test("a tap that never got through is told as lost", async (context) => {
  post.add(tap("nose.1", 1, 1000));
  await pass(context, 1);
  now_ms += 25_000;
  sent[0].reject(new Error("no network"));
  await pass(context, 420);
  for (const { answer } of promises()) answer();
  await pass(context, 420);
  assert.equal(promises()[0].lost_ns, 1000e6);
});

/** Let a hold get through, then cut the network, let go, and wait until the table counts this page as silent. */
async function letGoWithoutNetwork(context) {
  const through = globalThis.fetch;
  post.carries = true;
  post.follow("verdict");
  post.add(tap("nose.1", 1, now_ms));
  await pass(context, 1);
  sent[0].answer();
  await pass(context, 5);
  globalThis.fetch = () => Promise.reject(new TypeError("no network"));
  await pass(context, 100);
  post.add(tap("nose.1", 0, now_ms));
  await pass(context, 4000);
  const before = sent.length;
  globalThis.fetch = (...asked) => {
    const answer = through(...asked);
    sent.at(-1).answer();
    return answer;
  };
  await pass(context, 1000);
  return sent.slice(before);
}

test("a finger that let go without network is told of as up, from now on, with what is missing", async (context) => {
  const words = await letGoWithoutNetwork(context);
  const told = words.filter(({ taps }) => taps.length);
  assert.deepEqual(
    told.map(({ taps }) => taps.map(({ line, level }) => [line, level])),
    [[["nose.1", 0]]],
  );
  assert.ok(told[0].taps[0].t_ns > 4600e6, String(told[0].taps[0].t_ns));
  const lost = words.findIndex(({ lost_ns }) => lost_ns !== null);
  assert.ok(lost >= words.indexOf(told[0]), "a loss says that all is told up to now");
  assert.equal(words[lost].lost_ns, 1106e6);
  for (const { promised_ns } of words.slice(0, lost)) assert.ok((promised_ns ?? 0) <= 1106e6, String(promised_ns));
});

test("a touch that was given up is not told of, however its finger let go", async (context) => {
  post.carries = true;
  post.wake();
  await pass(context, 2);
  sent[0].answer();
  await pass(context, 2);
  const through = globalThis.fetch;
  globalThis.fetch = () => Promise.reject(new TypeError("no network"));
  await pass(context, 100);
  for (const level of [1, 0, 1]) post.add(tap("nose.1", level, now_ms));
  await pass(context, 4500);
  globalThis.fetch = through;
  const before = sent.length;
  await pass(context, 1000);
  assert.deepEqual(
    sent.slice(before).flatMap(({ taps }) => taps),
    [],
  );
});

test("what a page could not say when it was hidden it says when it is seen again", async (context) => {
  post.carries = true;
  post.add(tap("nose.1", 1, now_ms));
  await pass(context, 1);
  sent[0].answer();
  await pass(context, 2);
  const through = globalThis.fetch;
  globalThis.fetch = () => Promise.reject(new TypeError("no network"));
  post.add(tap("nose.1", 0, now_ms));
  post.leave();
  await pass(context, 1000);
  globalThis.fetch = through;
  const before = sent.length;
  post.wake();
  await pass(context, 5);
  assert.deepEqual(
    sent.slice(before).flatMap(({ taps }) => taps.map(({ level, t_ns }) => [level, t_ns])),
    [[0, 1003e6]],
  );
});

test("a page that is hidden signs off with all that is left, and says nothing more", async (context) => {
  post.follow("judging");
  post.add(tap("nose.1", 1, 1000));
  await pass(context, 1);
  post.add(tap("nose.1", 0, 1001));
  post.leave();
  await pass(context, 1);
  assert.equal(sent[1].leaves, true);
  assert.equal(sent[1].taps.length, 1);
  for (const { answer } of sent) answer();
  await pass(context, 2000);
  assert.equal(sent.length, 2);
  post.wake();
  await pass(context, 2);
  assert.equal(sent.length, 3);
});

test("taps that come while two posts are under way go together, each with its own time", async (context) => {
  for (let n = 1; n <= 6; n++) {
    post.add(tap(`nose.${n}`, 1, 1000 + n));
    await pass(context, 1);
  }
  assert.deepEqual(
    sent.filter(({ taps }) => taps.length).map(({ taps }) => taps.map(({ line }) => line)),
    [["nose.1"], ["nose.2"]],
  );
  sent[0].answer();
  await pass(context, 1);
  const [, , third] = sent.filter(({ taps }) => taps.length);
  assert.deepEqual(
    third.taps.map(({ line, t_ns }) => [line, t_ns]),
    [3, 4, 5, 6].map((n) => [`nose.${n}`, (1000 + n) * 1e6]),
  );
});
