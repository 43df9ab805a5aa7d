// @ts-check
// Phones that are held off by too many wrong PINs, each with a way to let it in.
import { ask, reason } from "./api.js";
import { h } from "./dom.js";
import { t } from "./words.js";

const MOST_OPEN = 3; // more than these are told by their number, until somebody opens the list

/** @type {HTMLDetailsElement | null} */
let note = null;

/**
 * Show in *notes* who is held off now; nothing when nobody is.
 *
 * @param {Element} notes
 */
export async function show(notes) {
  try {
    draw(notes, await ask("/api/v1/held"));
  } catch {
    // It is shown with the next change.
  }
}

/**
 * @param {Element} notes
 * @param {Api.Held} held
 */
function draw(notes, held) {
  const open = note ? note.open : held.phones.length <= MOST_OPEN;
  note?.remove();
  note = null;
  if (!held.phones.length) return;
  note = h(
    "details",
    { class: "note held-off", role: "status", open },
    h("summary", {}, t("Held off, wrong PINs: {n}", { n: held.phones.length })),
    h(
      "ul",
      {},
      ...held.phones.map(({ phone, address }) =>
        h(
          "li",
          {},
          h("span", {}, t("Phone {phone} ({address})", { phone, address })),
          h("button", { type: "button", click: () => letIn(notes, phone) }, t("Let in")),
        ),
      ),
    ),
  );
  notes.append(note);
}

/**
 * @param {Element} notes
 * @param {string} phone
 */
async function letIn(notes, phone) {
  try {
    draw(notes, await ask("/api/v1/held", { body: { phone } }));
  } catch (refusal) {
    note?.append(h("p", { role: "alert" }, reason(refusal)));
  }
}
