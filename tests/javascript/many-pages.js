// Many pages at once for tests in Python: each line in is a list of what happens to pages, each line out what they do.
import readline from "node:readline";
import { Mapping } from "../../web/static/lib/clock.js";
import { Touches } from "../../web/static/lib/touches.js";

const pages = new Map();

const does = {
  open: () => null,
  note: ({ mapping }, now_ms, sent_ms, sent_wall_ms, t_ns, wall_ms) =>
    mapping.note(sent_ms, now_ms, t_ns, wall_ms, sent_wall_ms),
  touch: ({ touches }, now_ms, tap, wall_ms) => touches.add(now_ms, tap, wall_ms),
  carry: ({ touches }, _, may) => {
    touches.carries = may;
  },
  follow: ({ touches }, now_ms, phase) => touches.follow(now_ms, phase),
  wake: ({ touches }, now_ms) => touches.wake(now_ms),
  leave: ({ touches }, now_ms, wall_ms) => touches.leave(now_ms, wall_ms),
  heard: ({ touches }, now_ms, n, answer, wall_ms) => touches.heard(now_ms, n, answer, wall_ms),
  failed: ({ touches }, now_ms, n) => touches.failed(now_ms, n),
  turn: () => null,
  close: () => null,
};

function happen([name, what, now_ms, wall_ms, ...more]) {
  if (what === "open") {
    const mapping = new Mapping();
    mapping.grain_ns = more[0];
    pages.set(name, { mapping, touches: new Touches(name.split("/")[1], mapping) });
  }
  const page = pages.get(name);
  const did = does[what](page, now_ms, ...more, wall_ms);
  if (what === "close") pages.delete(name);
  const words = what === "leave" && did ? [did] : [];
  if (what === "touch" && page.touches.gone) words.push(page.touches.leave(now_ms, wall_ms));
  words.push(...page.touches.say(now_ms, what === "turn", wall_ms));
  const { due_ms, needs_clock, cut } = page.touches;
  return { words, due_ms: due_ms === Number.POSITIVE_INFINITY ? null : due_ms, needs_clock, cut };
}

for await (const line of readline.createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(JSON.parse(line).map(happen))}\n`);
