// @ts-check
// Tokens that players spend in a hand: a button a player, a disc a token. No game is known here.
import { attr, childrenOf, h, match, put } from "../lib/dom.js";
import { t } from "../lib/words.js";

/**
 * Draw the tokens of *state* into *root*; *send(move)* spends one, without it nothing can be tapped.
 *
 * @param {HTMLElement} root
 * @param {Api.Snapshot} state
 * @param {Page.Send | null} send
 */
export function tokens(root, state, send) {
  const found = state.entries.find((entry) => entry.ask === "tokens");
  attr(root, "hidden", !found);
  if (!found) return;
  if (!root.firstElementChild)
    root.append(h("h2"), h("p", { class: "hint" }), h("div", { class: "tk-purses", role: "group" }));
  const [head, hint, box] = childrenOf(root);
  put(head, found.label);
  put(hint, found.explain);
  attr(box, "aria-label", found.label);
  match(
    box,
    found.purses,
    (one) => one.seat,
    () =>
      h(
        "button",
        { type: "button" },
        h("span", { class: "seat" }),
        h("span", { class: "who" }),
        h("small"),
        h("span", { class: "discs", "aria-hidden": "true" }),
      ),
    (button, one) => {
      const [seat, who, holds, discs] = childrenOf(button);
      const player = state.rows.find((row) => row.seat === one.seat)?.player;
      put(seat, one.seat);
      put(who, player);
      put(holds, one.holds);
      match(
        discs,
        Array.from({ length: one.of }),
        (_, i) => i,
        () => h("i"),
        (disc, _, i) => disc.classList.toggle("spent", i >= one.left),
      );
      attr(
        button,
        "aria-label",
        t("{player} buys; {holds}, tokens left: {n}", { player, holds: one.holds, n: one.left }),
      );
      button.disabled = !send || !one.open;
      button.onclick = () => send?.({ type: found.move, hand: found.hand, seat: one.seat });
    },
  );
}
