// A page that was open over an update is loaded again, and never for ever.
import assert from "node:assert/strict";
import { test } from "node:test";
import { followUpdates } from "../../web/static/lib/newer.js";

const kept = new Map();
globalThis.window = {
  sessionStorage: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) },
};

/** Open a page with the script of *version* at a table whose script has *etag*; return how often it is loaded again. */
async function loads(version, etag) {
  let times = 0;
  const script = { getAttribute: () => `/made/table.js?v=${version}` };
  document.querySelector = (selector) => (selector.startsWith("script") ? script : null);
  document.querySelectorAll = () => [];
  globalThis.location = { reload: () => times++ };
  globalThis.fetch = async () => ({ ok: true, headers: { get: () => etag } });
  let told;
  followUpdates({ connected: true, state: {}, watch: (watcher) => (told = watcher) });
  told(true);
  for (let turn = 0; turn < 12; turn++) await Promise.resolve();
  return times;
}

test("a page of the table's own version stays, and so does one that is told no version", async () => {
  assert.equal(await loads("one", '"one"'), 0);
  assert.equal(await loads("one", 'W/"one"'), 0);
  assert.equal(await loads("one", null), 0);
});

test("a page of another version is loaded again once, also where it comes from before all the same", async () => {
  assert.equal(await loads("one", '"two"'), 1);
  assert.equal(await loads("one", '"two"'), 0);
  assert.equal(await loads("one", '"three"'), 1);
});
