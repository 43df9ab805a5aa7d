// @ts-check
// Before the deal: the cards that leave, fanned; those that stay, in stacks; what to do, in order.
import { card } from "../../lib/cards.js";
import { h, match } from "../../lib/dom.js";
import { say } from "../../lib/icons.js";
import { t } from "../../lib/words.js";

const SUITS = ["S", "H", "C", "D"];

/**
 * Whether *state* has anything to show before a deal.
 *
 * @param {Api.Snapshot} state
 */
export const dealt = (state) =>
  Boolean(state.advice && (state.advice.sentences.length || state.advice.remove.length) && state.phase !== "setup");

/**
 * Return what to do before the deal of *state* in the largest type, and the sentences below.
 *
 * @param {Api.Snapshot} state
 */
export function dealing(state) {
  const { title, sentences } = /** @type {Api.Advice} */ (state.advice);
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
  const says = JSON.stringify([advice, state.notes]);
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
  root.replaceChildren(...(shown.length ? [h("div", { class: "dl-cards" }, ...shown)] : []), list);
}
