// Asking the rules about pieces that one holds or has laid: tap them, read the answer. Nobody else sees it. No game is known here.
import { $, attr, h, match, put, sentences } from "./dom.js";
import { ask } from "./api.js";
import { dealt, piece, pictured, wanted } from "./pieces.js";
import { tapped, tapping } from "./tapping.js";
import { LANG, t } from "./words.js";

const WAIT_MS = 150; // fingers are quicker than questions
const open = new Map(); // what this phone has tapped, by question: {taken, hand}
let box = null; // the dialog
let now = null; // what it asks about: {found, state}
let waiting = 0;
let asked = 0;

/** Draw what can be asked of *state* into *root*. */
export function consult(root, state) {
  const line = state.sheet?.lines.find((one) => one.current);
  attr(root, "hidden", !state.consults.length);
  if (!root.firstElementChild) root.append(h("div", { class: "cs-about" }, h("div", { "aria-hidden": "true" }), h("p")), h("div", { class: "do cs-asks" }));
  const [about, asks] = root.children;
  if (line && about.dataset.says !== line.picture) {
    about.dataset.says = line.picture;
    about.firstElementChild.replaceChildren(...[pictured(line.picture)].filter(Boolean));
  }
  put(about.lastElementChild, dealt(line, state));
  match(asks, state.consults, (one) => one.about, () => h("button", { type: "button", class: "two" }, h("span"), h("small")), (button, one) => {
    put(button.firstElementChild, one.label);
    put(button.lastElementChild, one.explain);
    button.onclick = () => begin(one, state);
  });
}

function begin(found, state) {
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
  const see = h("button", { type: "button", class: "main cs-see", click: () => $(".cs-groups", box).scrollIntoView({ block: "end", behavior: "smooth" }) }, t("See it"));
  return h("dialog", { class: "consult", "aria-labelledby": "cs-title" }, h("form", { method: "dialog" },
    h("h2", { id: "cs-title", tabindex: -1, autofocus: true }), h("p", { class: "hint" }), hand,
    h("div", { class: "en-pieces", role: "group" }),
    h("div", { class: "cs-answer" }, h("ul", { class: "cs-lines" }), h("div", { class: "cs-groups" })),
    h("div", { class: "do" }, h("p", { class: "cs-says", role: "status" }, h("b"), h("span")), see, clear, close)));
}

const mine = () => open.get(now.found.about);
const stock = () => now.found.by_hand[mine().hand - 1] ?? now.found.pieces;

function change(taken) {
  mine().taken = taken;
  draw();
  question(WAIT_MS);
}

/** Draw the cards, and which are tapped. */
function draw() {
  const { found, state } = now;
  const { taken, hand } = mine();
  put($("h2", box), found.label);
  put($(".hint", box), found.explain);
  const hands = state.sheet?.lines ?? [];
  const select = $("select", box);
  attr(select, "hidden", !hands.length);
  match(select, hands, (line) => line.hand, () => h("option"), (option, line) => {
    put(option, `${line.hand}. ${line.title}`);
    option.value = line.hand;
  });
  select.value = hand;
  const full = taken.length >= found.most;
  const tiles = found.drawn === "tiles";
  attr($(".en-pieces", box), "aria-label", tiles ? t("Tap the tiles") : t("Tap the cards"));
  tapping($(".en-pieces", box), stock(), found.drawn, (name) => ({ taken: taken.filter((one) => one === name).length }),
    (name) => change(tapped(taken, name, full ? 0 : found.copies)));
  put($(".cs-says span", box), tiles ? t("tapped: {n}", { n: taken.length }) : taken.length === 1 ? t("1 card") : t("{n} cards", { n: taken.length }));
}

/** Ask the table, once fingers rest; an answer that has been overtaken is not shown. */
function question(wait_ms) {
  const { found } = now;
  const { taken, hand } = mine();
  const mark = (asked += 1);
  clearTimeout(waiting);
  if (!taken.length) return show({ good: false, says: "", rule: "", lines: [], groups: [] });
  waiting = setTimeout(async () => {
    const wish = new URLSearchParams({ about: found.about, hand, pieces: taken.join(" "), lang: LANG });
    const said = await ask(`/api/v1/sheet/counsel?${wish}`).catch((refusal) => ({ good: false, says: refusal.message, rule: "", lines: [], groups: [] }));
    if (mark === asked) show(said);
  }, wait_ms);
}

function show({ good, says, rule, lines, groups }) {
  const word = $(".cs-says b", box);
  put(word, says);
  word.classList.toggle("yes", good);
  sentences($(".cs-lines", box), rule ? [...lines, t("The rule: {rule}.", { rule })] : lines);
  attr($(".cs-see", box), "hidden", !groups.length);
  match($(".cs-groups", box), groups, (one, i) => `${i} ${JSON.stringify(one)}`, (one) => h("figure", {}, h("figcaption", {}, one.label),
    h("div", { class: "cs-cards" }, ...one.pieces.map((each) => h("span", {}, piece(each.name, now.found.drawn), each.stands_for ? h("small", {}, each.stands_for) : null)),
      ...Array.from({ length: one.missing }, () => h("span", {}, wanted())))));
}
