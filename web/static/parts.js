// What only some games need: each part comes with the first state that wants it, its style with it. No game is known here.
import { $, attr, h } from "./dom.js";
import { live } from "./frame.js";

const asks = (state, name) => state.entries.some((entry) => entry.ask === name);

const PARTS = [
  {
    wanted: (state) => state.watched && state.rows.length, boxes: ["rack", "noses"],
    load: () => import("./race.js"), draw: ({ race }, state) => race(state),
  },
  {
    wanted: (state) => asks(state, "pad"), boxes: ["pad"], style: "pad.css",
    load: () => import("./pad.js"), draw: ({ pad }, state, send) => pad($("#pad"), state, send),
  },
  {
    wanted: (state) => asks(state, "tokens"), boxes: ["tokens"], style: "consult.css",
    load: () => import("./tokens.js"), draw: ({ tokens }, state, send) => tokens($("#tokens"), state, send),
  },
  {
    wanted: (state) => state.consults.length, boxes: ["consult"], style: "consult.css",
    load: () => import("./consult.js"), draw: ({ consult }, state) => consult($("#consult"), state),
  },
  {
    wanted: (state) => state.sheet, boxes: ["entry", "sheet"], style: "sheet.css",
    load: async () => ({ ...(await import("./entry.js")), ...(await import("./sheet.js")) }),
    draw: ({ entry, sheet, correct }, state, send) => {
      entry($("#entry"), state, send);
      sheet($("#sheet"), state, send && correct);
    },
  },
];

/** Draw the parts that *state* wants, and hide the others; *send(move)* is null for who only watches. */
export function parts(state, send) {
  for (const part of PARTS) {
    const wanted = part.wanted(state);
    if (wanted && part.there) part.draw(part.there, state, send);
    else if (wanted) part.coming ??= fetched(part, send);
    if (!wanted) for (const id of part.boxes) if ($(`#${id}`)) attr($(`#${id}`), "hidden", true);
  }
}

async function fetched(part, send) {
  try {
    [part.there] = await Promise.all([part.load(), part.style && styled(`/static/${part.style}`)]);
    parts(live.state, send);
  } catch {
    part.coming = null; // the next state tries again
  }
}

/** Wait for a style, unless it is there. */
function styled(href) {
  if ($(`link[href="${href}"]`)) return null;
  return new Promise((ready) => document.head.append(h("link", { rel: "stylesheet", href, load: ready, error: ready })));
}
