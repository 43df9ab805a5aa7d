// @ts-check
// Questions that are open only for a while: beside the verdict, one button a seat.
import { attr, childrenOf, firstIn, h, lastIn, match, put } from "../lib/dom.js";
import { asks, once } from "../lib/fresh.js";

/**
 * Return whether *act* is asked beside the verdict now, rather than kept among what the host may do.
 *
 * @param {Api.ChooseSeat} act
 */
export const isAsked = (act) => Boolean(act.prompt);

/**
 * Draw the acts of *state* that are asked into *root*; *send(move)* answers, without it nothing can be tapped.
 *
 * @param {HTMLElement} root
 * @param {Api.Snapshot} state
 * @param {Page.Send | null} send
 */
export function prompts(root, state, send) {
  const found = state.acts.filter(isAsked);
  attr(root, "hidden", !found.length);
  match(
    root,
    found,
    (act) => act.move,
    () =>
      h(
        "div",
        { role: "group" },
        h("h3", { "aria-level": 2 }, h("span"), h("span", { class: "left", "aria-hidden": "true" })),
        h("p", { class: "hint" }),
        h("div", { class: "chips" }),
      ),
    (element, act) => {
      const [head, hint, box] = childrenOf(element);
      put(firstIn(head), act.label);
      put(lastIn(head), act.within_s ? `${act.within_s} s` : "");
      put(hint, `${act.explain} ${act.prompt}`);
      attr(element, "aria-label", act.label);
      const rows = state.rows.filter((row) => act.seats.includes(row.seat));
      match(
        box,
        rows,
        (row) => row.seat,
        () => h("button", { type: "button" }, h("span", { class: "seat" }), h("span")),
        (button, row) => {
          put(firstIn(button), row.seat);
          put(lastIn(button), row.player);
          button.onclick = send && once(button, () => send({ type: act.move, seat: row.seat }));
          button.disabled = !send;
        },
      );
    },
  );
  asks(root, found.map((act) => `${act.move} ${act.seats}`).join());
}
