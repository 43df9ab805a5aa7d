// Questions that are open only for a while: beside the verdict, one button a seat.
import { attr, h, match, put } from "./dom.js";

/** Draw the prompted acts of *state* into *root*; *send(move)* answers, without it nothing can be tapped. */
export function prompts(root, state, send) {
  const found = state.acts.filter((act) => act.prompt);
  attr(root, "hidden", !found.length);
  match(root, found, (act) => act.move, () => h("div", { role: "group" }, h("h3"), h("p", { class: "hint" }), h("div", { class: "chips" })), (element, act) => {
    const [head, hint, box] = element.children;
    put(head, act.label);
    put(hint, `${act.explain} ${act.prompt}`);
    attr(element, "aria-label", act.label);
    const rows = state.rows.filter((row) => act.seats.includes(row.seat));
    match(box, rows, (row) => row.seat, () => h("button", { type: "button" }, h("span", { class: "seat" }), h("span")), (button, row) => {
      put(button.firstElementChild, row.seat);
      put(button.lastElementChild, row.player);
      button.onclick = send ? () => send({ type: act.move, seat: row.seat }) : null;
      button.disabled = !send;
    });
  });
}
