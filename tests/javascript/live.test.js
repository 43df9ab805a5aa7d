// The live stream on a clock that is wound by hand, against a table that falls silent, or is full.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { Live } from "../../web/static/lib/live.js";

let now_ms;
let opened; // every stream that was opened
let said; // what the page was told of its connection

class FakeSource {
  static CLOSED = 2;

  constructor(url) {
    this.url = url;
    this.readyState = 1;
    this.listeners = {};
    opened.push(this);
  }

  addEventListener(name, listener) {
    this.listeners[name] = listener;
  }

  close() {
    this.readyState = FakeSource.CLOSED;
  }
}

/** Let *seconds* go by, one at a time. */
function pass(seconds) {
  for (let second = 0; second < seconds; second++) {
    now_ms += 1000;
    mock.timers.tick(1000);
  }
}

beforeEach(() => {
  now_ms = 1000;
  opened = [];
  said = [];
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  performance.now = () => now_ms;
  globalThis.EventSource = FakeSource;
  globalThis.addEventListener = () => {};
  document.addEventListener = () => {};
  document.hidden = false;
  document.querySelector = () => ({ textContent: '{"version":1}' });
});

/** Return a page that is connected. */
function connected() {
  const live = new Live();
  live.watch((now, why) => said.push(why ?? now));
  live.follow(() => {});
  opened[0].onopen();
  return live;
}

test("a page that has heard nothing for 12 s says so and reconnects", () => {
  connected();
  pass(11);
  assert.deepEqual([said, opened.length], [[], 1]);
  pass(2);
  assert.deepEqual([said, opened.length], [[false], 2]);
  assert.equal(opened[0].readyState, FakeSource.CLOSED);
  opened[1].onopen();
  assert.deepEqual(said, [false, true]);
});

test("a sign of life every 5 s is enough", () => {
  connected();
  for (let beat = 0; beat < 20; beat++) {
    pass(5);
    opened[0].listeners.beat({ data: "0" });
  }
  assert.deepEqual([said, opened.length], [[], 1]);
});

test("the hour is the table's, whatever this machine's clock says", () => {
  const live = connected();
  opened[0].listeners.beat({ data: String(Date.now() - 3_600_000) });
  const behind_s = Date.now() / 1000 - live.now_s();
  assert.ok(behind_s > 3599 && behind_s < 3660);
});

test("a stream that never opens is tried again and again", () => {
  connected();
  pass(60);
  assert.deepEqual(said, [false]);
  assert.ok(opened.length >= 4);
});

test("a page that nobody sees asks when it is seen again", () => {
  connected();
  document.hidden = true;
  pass(100);
  assert.deepEqual([said, opened.length], [[], 1]);
  document.hidden = false;
  pass(1);
  assert.deepEqual([said, opened.length], [[false], 2]);
});

for (const status of [403, 503])
  test(`a page that is refused with ${status} says why, in the table's words, and does not hurry`, async () => {
    const live = connected();
    const asked = [];
    globalThis.fetch = async (path) => {
      asked.push(path);
      return { status, text: async () => "The table is full.\n" };
    };
    opened[0].readyState = FakeSource.CLOSED;
    opened[0].onerror();
    await new Promise((done) => setImmediate(done));
    assert.deepEqual([asked, said], [["/events?lang=en"], [false, "The table is full."]]);
    pass(9);
    assert.equal(opened.length, 1);
    pass(12);
    assert.equal(opened.length, 2);
    opened[1].onopen();
    assert.equal(live.connected, true);
  });

test("a try that hangs after a refusal is given up like any other", async () => {
  connected();
  globalThis.fetch = async () => ({ status: 503, text: async () => "The table is full.\n" });
  opened[0].readyState = FakeSource.CLOSED;
  opened[0].onerror();
  await new Promise((done) => setImmediate(done));
  pass(21); // the second try is under way, and nothing answers
  assert.equal(opened.length, 2);
  pass(40);
  assert.ok(opened.length >= 4);
  assert.deepEqual(said, [false, "The table is full."]);
});

test("a change is put into what the stream has told, whatever an answer has told meanwhile", () => {
  const live = connected();
  const { change } = opened[0].listeners;
  const tell = (listener, data) => listener({ data: JSON.stringify(data) });
  tell(opened[0].onmessage, { version: 3, says: "Pizza", tables: [{ n: 1 }, { n: 2 }] });
  live.take({ version: 9, says: "answered", tables: [{ n: 1 }, { n: 9 }] });
  tell(change, { version: 8, left_out: ["says"], gone: ["says"], items: { 1: { n: 8 } } });
  assert.equal(live.state.says, "answered");
  tell(change, { version: 10, items: { 0: { n: 10 } } });
  assert.deepEqual(live.state, { version: 10, tables: [{ n: 10 }, { n: 8 }] });
});

test("a change before the whole state is left alone", () => {
  const live = connected();
  opened[0].listeners.change({ data: '{"version":7}' });
  assert.equal(live.state.version, 1);
});
