// @ts-check
// What only some games need: each part comes with the first state that wants it, its style with it.
// No game is known here.
import { $, attr, maybe, styled } from "../lib/dom.js";
import { live, PARTED } from "../lib/page.js";

/**
 * @param {Api.Snapshot} state
 * @param {string} name
 */
const asks = (state, name) => state.entries.some((entry) => entry.ask === name);

/** @type {Page.Part[]} */
const PARTS = [
  {
    wanted: (state) => state.watched && state.rows.length > 0,
    boxes: ["rack", "noses"],
    load: async () => (await import("./race.js")).race,
  },
  {
    wanted: (state) => asks(state, "pad"),
    boxes: ["pad"],
    style: "games/pad.css",
    async load() {
      const { pad } = await import("./pad.js");
      return (state, send) => pad($("#pad"), state, send);
    },
  },
  {
    wanted: (state) => asks(state, "tokens"),
    boxes: ["tokens"],
    style: "games/rules-query.css",
    async load() {
      const { tokens } = await import("./tokens.js");
      return (state, send) => tokens($("#tokens"), state, send);
    },
  },
  {
    wanted: (state) => state.rules_queries.length > 0,
    boxes: ["rules-query"],
    style: "games/rules-query.css",
    async load() {
      const { rulesQuery } = await import("./rules-query.js");
      return (state) => rulesQuery($("#rules-query"), state);
    },
  },
  {
    wanted: (state) => state.sheet !== null,
    boxes: ["score-entry", "sheet"],
    style: "games/sheet.css",
    async load() {
      const [{ correct, scoreEntry }, { sheet }] = await Promise.all([
        import("./score-entry.js"),
        import("./sheet.js"),
      ]);
      return (state, send) => {
        scoreEntry($("#score-entry"), state, send);
        sheet($("#sheet"), state, send && correct);
      };
    },
  },
];

/**
 * Draw the parts that *state* wants, and hide the others; *send(move)* is null for who only watches.
 *
 * @param {Api.Snapshot} state
 * @param {Page.Send | null} send
 */
export function parts(state, send) {
  for (const part of PARTS) {
    const wanted = part.wanted(state);
    if (wanted && part.there) part.there(state, send);
    else if (wanted) part.coming ??= fetched(part, send);
    if (wanted) continue;
    for (const id of part.boxes) {
      const box = maybe(`#${id}`);
      if (box) attr(box, "hidden", true);
    }
  }
}

/**
 * @param {Page.Part} part
 * @param {Page.Send | null} send
 */
async function fetched(part, send) {
  try {
    [part.there] = await Promise.all([part.load(), part.style && styled(`/static/${part.style}`)]);
    parts(live.state, send);
    document.dispatchEvent(new Event(PARTED));
  } catch {
    part.coming = null; // the next state tries again
  }
}
