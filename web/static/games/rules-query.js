// @ts-check
// Asking the rules about pieces that one holds or has laid: tap them, read the answer. Nobody else sees it.
// No game is known here.
import { ask, reason } from "../lib/api.js";
import { $, attr, childrenOf, firstIn, h, lastIn, match, put, sentences } from "../lib/dom.js";
import { LANG, t } from "../lib/words.js";
import { dealt, pictured, piece, wanted } from "./pieces.js";
import { tapped, tapping } from "./tapping.js";

const WAIT_MS = 150; // fingers are quicker than questions
/** @type {typeof import("./lying.js")} */
let lie; // what lies on the table comes with the first question
/** @type {Map<string, { taken: string[]; hand: number; of: string }>} */
const open = new Map(); // what this phone has tapped, by question: {taken, hand}
/** @type {HTMLDialogElement} */
let box;
/** @type {{ found: Api.RulesQuery; state: Api.Snapshot }} */
let now; // what the dialog asks about
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;
let asked = 0;

/**
 * Draw what can be asked of *state* into *root*.
 *
 * @param {HTMLElement} root
 * @param {Api.Snapshot} state
 */
export function rulesQuery(root, state) {
  const line = state.sheet?.lines.find((one) => one.current);
  attr(root, "hidden", !state.rules_queries.length);
  if (!root.firstElementChild)
    root.append(
      h("div", { class: "rq-about" }, h("div", { "aria-hidden": "true" }), h("p")),
      h("div", { class: "do rq-asks" }),
    );
  const [about, asks] = childrenOf(root);
  if (line && about.dataset.says !== line.picture) {
    about.dataset.says = line.picture;
    firstIn(about).replaceChildren(...[pictured(line.picture)].filter((one) => one !== null));
  }
  put(lastIn(about), dealt(line, state));
  match(
    asks,
    state.rules_queries,
    (one) => one.about,
    () => h("button", { type: "button", class: "two" }, h("span"), h("small")),
    (button, one) => {
      put(firstIn(button), one.label);
      put(lastIn(button), one.explain);
      button.onclick = () => begin(one, state);
    },
  );
}

/**
 * @param {Api.RulesQuery} found
 * @param {Api.Snapshot} state
 */
async function begin(found, state) {
  lie ??= await import("./lying.js");
  now = { found, state };
  const mine = open.get(found.about);
  const of = `${state.game_no} ${found.hand}`; // with the next deal one holds other cards
  if (mine?.of !== of) open.set(found.about, { taken: [], hand: found.hand, of });
  box ??= document.body.appendChild(dialog());
  draw();
  question(0);
  box.showModal();
}

function dialog() {
  const close = h("button", { value: "" }, t("Done"));
  const hand = h("select", { "aria-label": t("Hand") });
  hand.addEventListener("change", () => {
    mine().hand = Number(hand.value);
    mine().taken = mine().taken.filter((name) => stock().includes(name));
    draw();
    question(0);
  });
  const clear = h("button", { type: "button", click: () => change([]) }, t("Clear"));
  const see = h(
    "button",
    {
      type: "button",
      class: "main rq-see",
      click: () => $(".rq-groups", box).scrollIntoView({ block: "end", behavior: "smooth" }),
    },
    t("See it"),
  );
  return h(
    "dialog",
    { class: "rules-query", "aria-labelledby": "rq-title" },
    h(
      "form",
      { method: "dialog" },
      h("h2", { id: "rq-title", tabindex: -1, autofocus: true }),
      h("p", { class: "hint" }),
      hand,
      h("div", { class: "se-pieces", role: "group" }),
      h("div", { class: "rq-lying" }),
      h("div", { class: "rq-answer" }, h("ul", { class: "rq-lines" }), h("div", { class: "rq-groups" })),
      h("div", { class: "do" }, h("p", { class: "rq-says", role: "status" }, h("b"), h("span")), see, clear, close),
    ),
  );
}

const mine = () => /** @type {{ taken: string[]; hand: number; of: string }} */ (open.get(now.found.about));
const stock = () => now.found.by_hand[mine().hand - 1] ?? now.found.pieces;

/** @param {string[]} taken */
function change(taken) {
  if (!lie.drafted(mine().of, taken)) mine().taken = taken;
  draw();
  question(WAIT_MS);
}

/** Draw the cards, and which are tapped. */
function draw() {
  const { found, state } = now;
  const { hand, of } = mine();
  const taken = lie.draft(of) ?? mine().taken;
  lie.lying($(".rq-lying", box), found.lying, found.drawn, of, () => {
    draw();
    question(0);
  });
  put($("h2", box), found.label);
  put($(".hint", box), found.explain);
  const hands = state.sheet?.lines ?? [];
  const select = /** @type {HTMLSelectElement} */ ($("select", box));
  attr(select, "hidden", !hands.length);
  match(
    select,
    hands,
    (line) => line.hand,
    () => h("option"),
    (option, line) => {
      put(option, `${line.hand}. ${line.title}`);
      option.value = String(line.hand);
    },
  );
  select.value = String(hand);
  const full = taken.length >= found.most;
  attr($(".se-pieces", box), "aria-label", t("Tap what you hold"));
  tapping(
    $(".se-pieces", box),
    stock(),
    found.drawn,
    (name) => ({ taken: taken.filter((one) => one === name).length }),
    (name) => change(tapped(taken, name, full ? 0 : found.copies)),
  );
  put($(".rq-says span", box), t("tapped: {n}", { n: taken.length }));
}

/**
 * Ask the table, once fingers rest; an answer that has been overtaken is not shown.
 *
 * @param {number} wait_ms
 */
function question(wait_ms) {
  const { found } = now;
  const { taken, hand, of } = mine();
  asked += 1;
  const mark = asked;
  clearTimeout(waiting);
  if (!taken.length) return show({ good: false, says: "", rule: "", lines: [], groups: [] });
  waiting = setTimeout(async () => {
    const wish = new URLSearchParams({ about: found.about, hand: String(hand), pieces: taken.join(" "), lang: LANG });
    if (found.lying) for (const group of lie.groups(of)) wish.append("table", group.join(" "));
    const said = await ask(`/api/v1/sheet/rules-query?${wish}`).catch((refusal) => ({
      good: false,
      says: reason(refusal),
      rule: "",
      lines: [],
      groups: [],
    }));
    if (mark === asked) show(said);
  }, wait_ms);
}

/** @param {Api.RulesAnswer} given */
function show({ good, says, rule, lines, groups }) {
  const word = $(".rq-says b", box);
  put(word, says);
  word.classList.toggle("yes", good);
  sentences($(".rq-lines", box), rule ? [...lines, `${rule}.`] : lines);
  attr($(".rq-see", box), "hidden", !groups.length);
  match(
    $(".rq-groups", box),
    groups,
    (one, i) => `${i} ${JSON.stringify(one)}`,
    (one) =>
      h(
        "figure",
        {},
        h("figcaption", {}, one.label),
        h(
          "div",
          { class: "rq-cards" },
          ...one.pieces.map((each) =>
            h("span", {}, piece(each.name, now.found.drawn), each.stands_for ? h("small", {}, each.stands_for) : null),
          ),
          ...Array.from({ length: one.missing }, () => h("span", {}, wanted())),
        ),
      ),
  );
}
