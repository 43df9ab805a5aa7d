// @ts-check
// Questions that are open only for a while: beside the verdict, one button a seat.
import { attr, childrenOf, firstIn, h, lastIn, match, put } from "../lib/dom.js";
import { isDecided } from "../lib/stages.js";

let since_ms = -Infinity;
let phase = "";
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @param {Api.ChooseSeat} act */
const left_s = (act) => Math.ceil((since_ms - performance.now()) / 1000 + act.within_s);

/**
 * Return whether *act* is asked beside the verdict now, rather than kept among what the host may do.
 *
 * @param {Api.ChooseSeat} act
 */
export const isAsked = (act) => Boolean(act.prompt) && (!act.within_s || left_s(act) > 0);

/**
 * Draw the acts of *state* that are asked into *root*; *send(move)* answers, without it nothing can be tapped.
 *
 * again* is called each second while one is asked for so many seconds only.
 *
 * @param {HTMLElement} root
 * @param {Api.Snapshot} state
 * @param {Page.Send | null} send
 * @param {() => void} again
 */
export function prompts(root, state, send, again) {
  if (isDecided(state.phase) && !isDecided(phase)) since_ms = performance.now();
  phase = state.phase;
  const found = state.acts.filter(isAsked);
  clearTimeout(timer);
  if (found.some((act) => act.within_s)) timer = setTimeout(again, 1000 - ((performance.now() - since_ms) % 1000) + 10);
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
      put(lastIn(head), act.within_s ? `${left_s(act)} s` : "");
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
          button.onclick = send ? () => send({ type: act.move, seat: row.seat }) : null;
          button.disabled = !send;
        },
      );
    },
  );
}
