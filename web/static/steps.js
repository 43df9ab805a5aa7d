// What the table is asked in steps: shown above, chosen below, cards to tap. No game is known here.
import { attr, h, match } from "./dom.js";
import { card, cardName } from "./cards.js";
import { say } from "./signs.js";

const key = (one) => `${one.rank}${one.suit}`;

/** Draw *steps* into *root*; *send(move)* makes a move, without it nothing can be tapped. */
export function steps(root, found, send) {
  match(root, found, (step, i) => `${i}${step.ask}${step.move ?? ""}`, (step) => MAKE[step.ask](send), (element, step) => DRAW[step.ask](element, step, send));
  attr(root, "hidden", !found.length);
}

const MAKE = {
  show: () => h("div", { class: "st-show" }, h("h2"), h("ul"), h("div", { class: "fan" })),
  choose: () => h("div", { class: "st-ask", role: "group" }, h("h3"), h("p", { class: "hint" }), h("div", { class: "st-choices" })),
  cards: () => h("div", { class: "st-ask", role: "group" }, h("h3"), h("p", { class: "hint" }), h("div", { class: "st-cards" })),
};

const DRAW = {
  show(element, { title, lines, cards }) {
    const [head, list, fan] = element.children;
    say(head, title);
    match(list, lines, (_, i) => i, () => h("li"), say);
    match(fan, cards, (one, i) => `${i}${key(one)}`, (one) => card(one));
    fan.classList.toggle("tight", cards.length > 7);
    attr(fan, "hidden", !cards.length);
  },
  choose(element, { move, label, explain, choices }, send) {
    const box = asked(element, label, explain);
    match(box, choices, (one) => one.value, () => h("button", { type: "button", class: "two" }, h("span"), h("small")), (button, one) => {
      say(button.firstElementChild, one.label);
      say(button.lastElementChild, one.explain);
      tap(button, send && (() => send({ type: move, value: one.value })));
    });
    // A question with a single, mild answer is not to be hit in passing.
    element.classList.toggle("aside", choices.length === 1);
  },
  cards(element, { move, label, explain, cards }, send) {
    const box = asked(element, label, explain);
    match(box, cards, key, (one) => h("button", { type: "button", class: "st-card", "aria-label": cardName(one) }, card(one)), (button, one) => {
      attr(button.firstElementChild, "aria-hidden", "true");
      tap(button, send && (() => send({ type: move, card: key(one) })));
    });
  },
};

function asked(element, label, explain) {
  const [head, hint, box] = element.children;
  say(head, label);
  say(hint, explain);
  attr(element, "aria-label", label);
  return box;
}

function tap(button, does) {
  button.onclick = does || null;
  button.disabled = !does;
}
