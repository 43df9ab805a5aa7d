// @ts-check
// What the table is asked in steps: shown above, chosen below, cards to tap. No game is known here.
import { card, cardName } from "../lib/cards.js";
import { attr, childrenOf, firstIn, h, lastIn, match } from "../lib/dom.js";
import { asks, once } from "../lib/fresh.js";
import { say } from "../lib/icons.js";

/** @param {Api.Card} one */
const key = (one) => `${one.rank}${one.suit}`;

/**
 * Draw *steps* into *root*; *send(move)* makes a move, without it nothing can be tapped.
 *
 * @param {HTMLElement} root
 * @param {Page.Step[]} found
 * @param {Page.Send | null} send
 */
export function steps(root, found, send) {
  match(
    root,
    found,
    (step, i) => `${i}${step.ask}${"move" in step ? step.move : ""}`,
    (step) => MAKE[step.ask](),
    (element, step) => {
      if (step.ask === "show") DRAW.show(element, step);
      else if (step.ask === "choose") DRAW.choose(element, step, send);
      else DRAW.cards(element, step, send);
    },
  );
  attr(root, "hidden", !found.length);
  asks(root, found.length ? JSON.stringify(found) : "");
}

const MAKE = {
  show: () => h("div", { class: "st-show" }, h("h2"), h("ul"), h("div", { class: "fan" })),
  choose: () =>
    h("div", { class: "st-ask", role: "group" }, h("h3"), h("p", { class: "hint" }), h("div", { class: "st-choices" })),
  cards: () =>
    h("div", { class: "st-ask", role: "group" }, h("h3"), h("p", { class: "hint" }), h("div", { class: "st-cards" })),
};

const DRAW = {
  /**
   * @param {HTMLElement} element
   * @param {Api.Show} given
   */
  show(element, { title, lines, cards }) {
    const [head, list, fan] = childrenOf(element);
    say(head, title);
    attr(head, "hidden", !title);
    match(
      list,
      lines,
      (_, i) => i,
      () => h("li"),
      say,
    );
    match(
      fan,
      cards,
      (one, i) => `${i}${key(one)}`,
      (one) => card(one),
    );
    fan.classList.toggle("tight", cards.length > 7);
    attr(fan, "hidden", !cards.length);
  },
  /**
   * @param {HTMLElement} element
   * @param {Api.Choose} given
   * @param {Page.Send | null} send
   */
  choose(element, { move, label, explain, choices }, send) {
    const box = asked(element, label, explain);
    match(
      box,
      choices,
      (one) => one.value,
      () => h("button", { type: "button", class: "two" }, h("span"), h("small")),
      (button, one) => {
        say(firstIn(button), one.label);
        say(lastIn(button), one.explain);
        tap(button, send && (() => send({ type: move, value: one.value })));
      },
    );
    // A question with a single, mild answer is not to be hit in passing.
    element.classList.toggle("aside", choices.length === 1);
  },
  /**
   * @param {HTMLElement} element
   * @param {Api.ChooseCard} given
   * @param {Page.Send | null} send
   */
  cards(element, { move, label, explain, cards }, send) {
    const box = asked(element, label, explain);
    match(
      box,
      cards,
      key,
      (one) => h("button", { type: "button", class: "st-card", "aria-label": cardName(one) }, card(one)),
      (button, one) => {
        attr(firstIn(button), "aria-hidden", "true");
        tap(button, send && (() => send({ type: move, card: key(one) })));
      },
    );
  },
};

/**
 * @param {HTMLElement} element
 * @param {string} label
 * @param {string | null} explain
 */
function asked(element, label, explain) {
  const [head, hint, box] = childrenOf(element);
  say(head, label);
  say(hint, explain);
  attr(element, "aria-label", label);
  return box;
}

/**
 * @param {HTMLButtonElement} button
 * @param {(() => unknown) | null} does
 */
function tap(button, does) {
  button.onclick = does && once(button, does);
  button.disabled = !does;
}
