// @ts-check
// Who asks a host for the seat of somebody whose phone is away: each with a button.
import { ask, reason } from "./api.js";
import { h } from "./dom.js";
import { say } from "./notes.js";
import { t } from "./words.js";

/** @type {HTMLElement | null} */
let note = null;

/**
 * Show in *notes* who asks now; nothing when nobody does.
 *
 * @param {Element} notes
 */
export async function show(notes) {
  try {
    draw(notes, await ask("/api/v1/devices"));
  } catch {
    // It is shown with the next change.
  }
}

/**
 * @param {Element} notes
 * @param {Api.DeviceList} list
 */
function draw(notes, list) {
  note?.remove();
  note = null;
  const asking = list.devices.filter((one) => one.wants);
  if (!asking.length) return;
  note = h(
    "ul",
    { class: "note asking", role: "status" },
    ...asking.map(({ id, wants }) =>
      h(
        "li",
        {},
        h("span", {}, t("A phone wants to be {player}’s.", { player: wants })),
        h("button", { type: "button", click: () => answer(notes, id, wants, true) }, t("Let it in")),
        h("button", { type: "button", class: "plain", click: () => answer(notes, id, wants, false) }, t("No")),
      ),
    ),
  );
  notes.append(note);
}

/**
 * @param {Element} notes
 * @param {string} device
 * @param {string} seat
 * @param {boolean} may
 */
async function answer(notes, device, seat, may) {
  try {
    draw(notes, await ask("/api/v1/devices", { body: may ? { device, seat } : { device, seat: "" } }));
  } catch (refusal) {
    say(reason(refusal));
  }
}
