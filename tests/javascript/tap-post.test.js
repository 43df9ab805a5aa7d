// What a page sends, when, and what it says of it: its own half of the protocol of touches, with its timer.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { TapPost } from "../../web/static/games/tap-post.js";
import { HostClock } from "../../web/static/lib/clock.js";
import { wordOf } from "../../web/static/lib/touches.js";

let now_ms;
let sent; // the requests: their bodies, and how to answer them
let said;
let post;
let clock;

const tap = (line, level, stamp_ms) => ({ line, level, stamp_ms, kind: "touch" });
const promises = () => sent.filter(({ taps }) => !taps.length);
const touches = () => sent.filter(({ taps }) => taps.length);
const numbers = (words) => words.map(({ taps }) => taps.map(({ no }) => no));
const near = (ns, ms) => assert.ok(Math.abs(ns - ms * 1e6) < 1e6, `${ns} is not ${ms} ms`);

/** Let everything happen that is due within *ms*. */
async function pass(context, ms) {
  for (let i = 0; i < ms; i++) {
    now_ms += 1;
    context.mock.timers.tick(1);
    for (let turn = 0; turn < 12; turn++) await Promise.resolve();
  }
}

globalThis.sessionStorage = {
  getItem(key) {
    return this[key] ?? null;
  },
  setItem(key, value) {
    this[key] = value;
  },
  removeItem(key) {
    delete this[key];
  },
};
const kept = () => Object.keys(sessionStorage).filter((key) => key.startsWith("lastnose-left-"));

beforeEach((context) => {
  for (const key of kept()) delete sessionStorage[key];
  context.mock?.timers.enable({ apis: ["setTimeout"] });
  now_ms = 1000;
  performance.now = () => now_ms;
  Date.now = () => 1e12 + now_ms;
  document.querySelector = () => null;
  sent = [];
  said = [];
  globalThis.fetch = (_, { body, signal }) =>
    new Promise((resolve, reject) => {
      const word = JSON.parse(body);
      const through = (heard) => resolve({ ok: true, json: async () => heard });
      const answer = (fate = "driven", words = null) => {
        const fates = word.taps.map(({ no }) => ({ no, fate }));
        through({ fates, t_ns: now_ms * 1e6, again_ms: 16, replaced: false, said: words });
      };
      const status = (code) => resolve({ ok: false, status: code, json: async () => ({ error: "no" }) });
      const unread = (kind) => {
        const headers = new Headers({ "Content-Type": kind });
        resolve({ ok: true, headers, json: () => Promise.reject(new SyntaxError("Unexpected token <")) });
      };
      const page_of_html = () => unread("text/html");
      sent.push({ ...word, answer, status, page_of_html, cut: () => unread("application/json"), reject });
      signal?.addEventListener("abort", () => reject(new Error("aborted")));
    });
  clock = new HostClock();
  clock.note(now_ms, now_ms, now_ms * 1e6, Date.now());
  post = new TapPost(clock, (refusal) => said.push(refusal.message));
});

test("the way to the table is cut by whatever is no answer, and found again with one", async (context) => {
  const told = [];
  post.onCut = () => told.push(post.cut);
  post.carries = true;
  post.follow("armed");
  post.wake();
  await pass(context, 3);
  sent[0].reject(new TypeError("no network"));
  await pass(context, 2);
  assert.deepEqual(told, [true]);
  await pass(context, 500);
  sent[1].status(503);
  await pass(context, 500);
  assert.deepEqual(told, [true]);
  sent[2].answer();
  await pass(context, 2);
  assert.deepEqual(told, [true, false]);
});

test("a touch without network waits, is said to be lost 3.5 s after the last word, and is told of all the same", async (context) => {
  post.carries = true;
  post.follow("armed");
  post.wake();
  await pass(context, 3);
  sent[0].answer();
  await pass(context, 2);
  const through = globalThis.fetch;
  globalThis.fetch = () => Promise.reject(new TypeError("no network"));
  await pass(context, 500);
  assert.equal(post.unsent, "");
  const touched_ms = now_ms;
  post.add(tap("nose.1", 1, now_ms));
  await pass(context, 2500);
  assert.equal(post.unsent, "waiting");
  await pass(context, 700);
  assert.equal(post.unsent, "lost");
  globalThis.fetch = through;
  await pass(context, 900);
  const [again] = touches();
  near(again.taps[0].t_ns, touched_ms);
  again.answer("lost");
  await pass(context, 5);
  assert.equal(post.unsent, "");
  assert.ok(said.includes("A tap has been lost on the way: the round may be void."));
});

test("a page on which nothing was tapped promises only while a round is being judged", async (context) => {
  post.follow("armed");
  post.wake();
  await pass(context, 3);
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
  // Planned 16 ms after the answer, taken then, sent a turn of the loop later; the earliest that it can have been.
  assert.ok(first.promised_ns >= 1007e6 && first.promised_ns <= 1011e6, String(first.promised_ns));
  assert.equal(first.upto, 1);
});

test("nothing is promised beyond a touch that has not been answered", async (context) => {
  post.add(tap("nose.1", 1, 1000));
  await pass(context, 1);
  post.add(tap("nose.2", 1, 1001));
  await pass(context, 1);
  assert.deepEqual(numbers(sent), [[1], [2]]);
  sent[1].answer();
  await pass(context, 300);
  assert.equal(promises().length, 1);
  for (const { promised_ns, upto, answer } of promises()) {
    assert.ok(promised_ns <= 1000e6);
    assert.equal(upto, 0);
    answer();
  }
  sent[0].answer();
  await pass(context, 40);
  assert.ok(promises().at(-1).promised_ns > 1290e6);
  assert.equal(promises().at(-1).upto, 2);
});

for (const status of [400, 401, 403, 404, 409, 413, 421, 422, 429, 500, 502, 503, 504, 0])
  test(`a touch that was answered with ${status || "nothing"} is said again with its number and its time`, async (context) => {
    post.add(tap("nose.1", 1, 1000));
    await pass(context, 1);
    if (status) sent[0].status(status);
    else sent[0].reject(new Error("no network"));
    await pass(context, 50);
    assert.deepEqual(numbers(touches()), [[1], [1]]);
    assert.equal(touches()[1].taps[0].t_ns, touches()[0].taps[0].t_ns);
    for (const { promised_ns } of promises()) assert.ok(promised_ns <= 1000e6);
    assert.equal(said.length, 1);
  });

test("a touch whose answer is overdue is said once more beside it", async (context) => {
  post.add(tap("nose.1", 1, 1000));
  await pass(context, 590);
  assert.deepEqual(numbers(touches()), [[1]]);
  await pass(context, 20);
  assert.deepEqual(numbers(touches()), [[1], [1]]);
});

test("a release waits until its press has been answered", async (context) => {
  post.add(tap("nose.1", 1, 1000));
  await pass(context, 1);
  post.add(tap("nose.1", 0, 1001));
  await pass(context, 5);
  assert.equal(sent.length, 1);
  sent[0].answer();
  await pass(context, 2);
  assert.deepEqual(
    sent[1].taps.map(({ no, level }) => [no, level]),
    [[2, 0]],
  );
});

test("what is refused is said in the table's words", async (context) => {
  post.add(tap("nose.1", 1, 1000));
  await pass(context, 1);
  sent[0].answer("refused", "This nose is on a phone: touch it there.");
  await pass(context, 1);
  assert.deepEqual(said, ["This nose is on a phone: touch it there."]);
});

test("a page that is hidden signs off with all that has not been answered, and says nothing more", async (context) => {
  post.follow("judging");
  post.add(tap("nose.1", 1, 1000));
  await pass(context, 1);
  post.add(tap("nose.1", 0, 1001));
  post.leave();
  await pass(context, 1);
  const last = sent.at(-1);
  assert.equal(last.leaves, true);
  assert.deepEqual(numbers([last]), [[1, 2]]);
  assert.equal(last.upto, 2);
  for (const { answer } of sent) answer();
  const before = sent.length;
  await pass(context, 2000);
  assert.equal(sent.length, before);
  globalThis.fetch = async () => ({ ok: true, json: async () => ({ t_ns: now_ms * 1e6 }) });
  post.wake();
  await pass(context, 2);
  assert.equal(clock.epoch, 1, "while it was hidden its clock may have stood still");
});

test("a touch that the browser hands over after it has hidden the page goes with another last word", async (context) => {
  post.carries = true;
  post.leave();
  post.add(tap("nose.1", 1, 999));
  await pass(context, 1);
  assert.deepEqual(numbers(sent), [[], [1]]);
  assert.ok(sent.every(({ leaves }) => leaves));
  assert.ok(sent[1].n > sent[0].n);
});

test("a page of which the table was told signs off, also where it never touched anything", async (context) => {
  post.introduce().catch(() => {});
  post.leave();
  await pass(context, 1);
  assert.deepEqual(
    sent.filter(({ taps }) => taps).map(({ leaves }) => leaves),
    [true],
  );
});

test("a page that never said a word and carries no nose goes without one", async (context) => {
  post.leave();
  await pass(context, 1);
  assert.deepEqual(sent, []);
});

test("touches that are too many are left out, and promised beyond as missing", async (context) => {
  for (let n = 1; n <= 205; n++) post.add(tap("nose.1", n % 2, 1000));
  await pass(context, 1);
  assert.equal(sent[0].taps[0].no, 6);
  assert.equal(sent[0].answered, 4);
  assert.equal(sent[0].upto, 5);
});

test("the mapping stands from the first touch on, before the table has told that it judges", async (context) => {
  post.follow("armed");
  assert.equal(clock.frozen, false);
  post.add(tap("nose.1", 1, 1000));
  assert.equal(clock.frozen, true); // the answer to this touch may know the clock better: the next must not
  post.follow("armed");
  assert.equal(clock.frozen, true);
  post.follow("judging");
  await pass(context, 5000);
  assert.equal(clock.frozen, true);
  post.follow("verdict");
  assert.equal(clock.frozen, false);
});

test("a page says who it is each time that its clock is set, and that it is hidden if it is by then", async (context) => {
  const introduced = [];
  const heard = globalThis.fetch;
  globalThis.fetch = async (path, how = {}) => {
    if (path !== "/api/v1/clock") return heard(path, how);
    if (how.body) introduced.push(JSON.parse(how.body));
    now_ms += 4;
    return { ok: true, json: async () => ({ t_ns: now_ms * 1e6 }) };
  };
  clock = new HostClock();
  clock.start = function (ready) {
    this.ready = ready; // without its watch, which would never end
    return this.sync();
  };
  post = new TapPost(clock, assert.fail, () => ({ owns: "nose.2", takes: introduced.length === 0 }));
  const told = [];
  post.onIntroduced = ({ owns }) => told.push(owns);
  post.carries = true;
  await post.start();
  assert.equal(introduced.length, 1);
  const [{ page, owns, takes, echo_ns, held_ns }] = introduced;
  assert.deepEqual([typeof page, owns, takes, echo_ns, held_ns], ["string", "nose.2", true, 1016e6, 0]);
  await pass(context, 3);
  assert.equal(sent.length, 1); // it is awake, and says so
  assert.equal(sent[0].leaves, false);
  document.hidden = true;
  try {
    await clock.sync();
    await pass(context, 2);
  } finally {
    document.hidden = false;
  }
  assert.deepEqual(told, ["nose.2", "nose.2"]);
  assert.equal(introduced[1].takes, false);
  assert.equal(sent.at(-1).leaves, true);
});

/** Let the next page of the tab begin, whose clock begins again; it is never compared. */
function begin() {
  now_ms = 40;
  const next = new HostClock();
  next.start = (ready) => ready();
  new TapPost(next, () => {}).start().catch(() => {});
}

/** Let this page be another's that was in the tab before. */
function leftBehind() {
  const [key] = kept();
  const left = JSON.parse(sessionStorage[key]);
  delete sessionStorage[key];
  left.body.page = "before";
  sessionStorage.setItem("lastnose-left-before", JSON.stringify(left));
  sent = [];
  return left;
}

test("what a page could not bring through is told by the next in the tab, first, and under its own name", async (context) => {
  post.add(tap("nose.1", 1, 990));
  await pass(context, 1);
  sent[0].reject(new TypeError("no network"));
  await pass(context, 20);
  post.leave();
  leftBehind();
  begin();
  await pass(context, 5);
  const [word] = sent.filter(({ page }) => page === "before");
  assert.deepEqual([word.leaves, word.upto, word.promised_ns, word.echo_ns], [true, 1, null, 0]);
  assert.deepEqual(numbers([word]), [[1]]);
  near(word.taps[0].t_ns, 990);
  assert.ok(word.n > 2); // the touch, and the last word
  word.reject(new TypeError("no network"));
  await pass(context, 401);
  const again = sent.filter(({ page }) => page === "before")[1];
  assert.deepEqual(again.taps, word.taps);
  again.answer();
  await pass(context, 5);
  assert.deepEqual(kept(), []);
});

test("the page of a strange Wi-Fi is no answer to the last word of a page that is gone: it is said again", async (context) => {
  post.add(tap("nose.1", 1, 990));
  post.leave();
  leftBehind();
  begin();
  await pass(context, 2);
  sent.find(({ page }) => page === "before").page_of_html();
  await pass(context, 401);
  assert.equal(sent.filter(({ page }) => page === "before").length, 2);
  assert.equal(kept().filter((key) => key.endsWith("before")).length, 1);
});

test("a person is told in words of a touch that a strange page answers", async (context) => {
  post.add(tap("nose.1", 1, 990));
  await pass(context, 1);
  sent[0].page_of_html();
  await pass(context, 1);
  assert.deepEqual(said, ["Not connected: nothing was sent. Try again in a moment."]);
});

test("of an answer that is cut nobody says that nothing was sent", async (context) => {
  post.add(tap("nose.1", 1, 990));
  await pass(context, 1);
  sent[0].cut();
  await pass(context, 1);
  assert.deepEqual(said, ["The table has not answered yet. Look at what it shows before you try again."]);
});

test("a page that is a nose is told that the table knows its browser no more, once and not as a note", async (context) => {
  const heard = [];
  post.onUnknown = (why) => heard.push(why);
  post.add(tap("nose.1", 1, 990));
  await pass(context, 1);
  sent[0].status(403);
  await pass(context, 1);
  assert.deepEqual([heard, said], [["no"], []]);
});

test("what the table refuses of a page that is gone is not said again", async (context) => {
  post.add(tap("nose.1", 1, 990));
  post.leave();
  leftBehind();
  begin();
  await pass(context, 2);
  sent.find(({ page }) => page === "before").status(409);
  await pass(context, 500);
  assert.equal(sent.filter(({ page }) => page === "before").length, 1);
  assert.deepEqual(kept(), []);
});

test("a touch that was never mapped is told with a claim that is none", () => {
  const unset = new TapPost(new HostClock(), () => {});
  unset.add(tap("nose.2", 1, 990));
  const left = leftBehind();
  assert.deepEqual(left.body.taps, []);
  now_ms = 1500;
  const told = wordOf(left, clock, now_ms, Date.now());
  near(told.taps[0].t_ns, 990);
  assert.deepEqual([told.upto, told.taps[0].no, told.taps[0].u_ns], [1, 1, 2e9]);
});

/** Let a page that knows no clock yet be opened after "before", and answer its requests for the clock after *ways*. */
function openedAfter(ways, who = () => ({})) {
  sessionStorage.setItem(
    "lastnose-left-before",
    JSON.stringify({ body: { page: "before", n: 3, taps: [] }, unmapped: [] }),
  );
  sent = [];
  const asked = [];
  globalThis.fetch = (path, { body } = {}) =>
    new Promise((resolve) => {
      const word = body ? JSON.parse(body) : {};
      const way_ms = path.endsWith("/clock") && !body ? (ways.shift() ?? 4) : 1;
      const t_ns = (now_ms + way_ms / 2) * 1e6;
      asked.push({ path, at_ms: now_ms, ...word });
      const fates = (word.taps ?? []).map(({ no }) => ({ no, fate: "driven" }));
      const heard = { fates, t_ns, again_ms: 16, replaced: false, said: null };
      setTimeout(() => resolve({ ok: true, json: async () => heard }), way_ms);
    });
  clock = new HostClock();
  clock.start = function (ready) {
    this.ready = ready; // without its watch, which would never end
    return this.sync();
  };
  post = new TapPost(clock, assert.fail, who);
  return asked;
}

test("a page that comes after another says so at once, before it knows the clock, and promises from then on", async (context) => {
  const asked = openedAfter([600]);
  assert.equal(post.follows, true);
  post.follow("armed");
  post.start().catch(assert.fail);
  await pass(context, 2);
  const [first] = asked.filter(({ page, taps }) => page && !taps);
  assert.deepEqual([first.after, first.echo_ns, first.at_ms], [["before"], 0, 1000]);
  await pass(context, 2000);
  const words = asked.filter(({ page, taps }) => page !== "before" && taps);
  assert.ok(words.length >= 3, "the table waits for what it promises, whether it was touched or not");
  assert.ok(words.every(({ promised_ns }) => promised_ns > 0));
});

test("a phone that is a nose comes after another page when that one's last word is said", async (context) => {
  const asked = openedAfter([4], () => ({ owns: "nose.2" }));
  assert.equal(post.follows, false);
  post.start().catch(assert.fail);
  await pass(context, 60);
  const said = asked.filter(({ page }) => page).map(({ page, owns }) => owns ?? page);
  assert.deepEqual(said.slice(0, 2), ["before", "nose.2"]);
});

test("what is touched on a page that comes after another waits for a clock that is good enough", async (context) => {
  const asked = openedAfter([300, 8]);
  post.start().catch(assert.fail);
  await pass(context, 100);
  post.add(tap("nose.1", 1, 1090));
  await pass(context, 400);
  const [word] = asked.filter(({ taps }) => taps?.length);
  assert.ok(word.at_ms >= 1308, "after the second answer");
  assert.ok(word.clock_u_ns < 25e6, "and not by the first, which may be off by 150 ms");
  near(word.taps[0].t_ns, 1090);
});
