// @ts-check
// Before the deal: the cards that leave, fanned; those that stay, in stacks; what to do, in order.
import { card } from "../../lib/cards.js";
import { firstIn, h, lastIn, match, put } from "../../lib/dom.js";
import { say } from "../../lib/icons.js";
import { LANG, t } from "../../lib/words.js";

const SUITS = ["S", "H", "C", "D"];

/**
 * Whether *state* has anything to show before a deal.
 *
 * @param {Api.Snapshot} state
 */
export const dealt = (state) =>
  Boolean(state.advice && (state.advice.sentences.length || state.advice.remove.length) && state.phase !== "setup");

/**
 * Whether nothing has been dealt yet in *state*: a game has just begun, or somebody came or went.
 *
 * @param {Api.Snapshot} state
 */
export const wholeDeal = (state) =>
  state.last_round?.phase === "ready" ||
  (state.round_no <= 1 && !state.finish && (state.guide?.before.length ?? 0) > 1);

/** @param {Api.Snapshot} state */
const came = ({ last_round: before, notes }) =>
  before?.phase === "ready" ? { title: before.headline, lines: [...before.proof, ...notes] } : null;

/**
 * Return what to do before the deal of *state* in the largest type, and the sentences below.
 *
 * @param {Api.Snapshot} state
 */
export function dealing(state) {
  const { title, sentences } = /** @type {Api.Advice} */ (state.advice);
  // A game in which nothing has been dealt yet begins with its cards.
  if (state.guide && wholeDeal(state)) return came(state) ?? { title: t("First the cards."), lines: state.notes };
  if (state.guide) return { title: title ?? state.guide.before[0]?.says ?? "", lines: state.notes };
  const [first = "", ...rest] = sentences;
  const lines = title == null || title === first ? rest : sentences.filter((one) => one !== title);
  return { title: title ?? first, lines: [...lines, ...state.notes] };
}

/**
 * Draw the deal of *state* into *root*.
 *
 * @param {HTMLElement} root
 * @param {Api.Snapshot} state
 */
export function deal(root, state) {
  const advice = /** @type {Api.Advice} */ (state.advice);
  const says = JSON.stringify([advice, state.guide, state.notes, state.last_round, state.round_no]);
  if (root.dataset.says === says) return;
  root.dataset.says = says;
  const { lines } = dealing(state);
  const fan = h("div", { class: "dl-fan" }, ...advice.remove.slice(0, 12).map((one) => card(one)));
  fan.style.setProperty("--n", String(Math.min(12, advice.remove.length)));
  const kinds = [...new Set(advice.ranks)];
  const stacks = h(
    "div",
    { class: "dl-stacks" },
    ...kinds.map((rank, i) =>
      h("span", { class: "dl-stack" }, ...[0, 1, 2].map(() => h("i")), card({ rank, suit: SUITS[i % 4] })),
    ),
  );
  stacks.style.setProperty("--n", String(Math.max(5, kinds.length)));
  const stay = advice.remove.length
    ? t("{n} cards stay", { n: advice.cards })
    : advice.packs > 1
      ? t("{n} cards, {packs} packs", { n: advice.cards, packs: advice.packs })
      : t("{n} cards", { n: advice.cards });
  const list = h("ul", { class: "dl-lines" });
  match(
    list,
    lines,
    (_, i) => i,
    () => h("li"),
    (item, line) => say(item, line),
  );
  const pictures = [
    advice.remove.length ? fan : null,
    kinds.length ? h("div", { class: "dl-stay" }, h("h2", {}, stay), stacks) : null,
  ];
  const shown = pictures.filter((part) => part !== null);
  const parts = [shown.length ? h("div", { class: "dl-cards" }, ...shown) : null, steps(state), list];
  root.replaceChildren(...parts.filter((part) => part !== null));
}

/**
 * Return the steps to the next verdict, numbered as on phones: before the first deal in sentences, then in a word each.
 *
 * @param {Api.Snapshot} state
 */
function steps(state) {
  const { guide, rows } = state;
  if (!guide) return null;
  const whole = wholeDeal(state);
  const dealer = rows.find((row) => row.dealer && !row.out);
  const found = [...guide.before, ...guide.then];
  const list = h("ol", { class: whole ? "dl-steps whole" : "dl-steps" });
  match(
    list,
    found,
    (_, i) => i,
    () => h("li", {}, h("i", { "aria-hidden": "true" }), h("span")),
    (item, step, i) => {
      item.classList.toggle("now", i < guide.before.length);
      put(firstIn(item), i + 1);
      const deals = dealer && i === guide.before.length - 1;
      const short = deals ? t("{player} deals", { player: dealer.player }) : step.short;
      if (whole) say(/** @type {HTMLElement} */ (lastIn(item)), step.says);
      else put(lastIn(item), short.charAt(0).toLocaleUpperCase(LANG) + short.slice(1));
    },
  );
  return list;
}
