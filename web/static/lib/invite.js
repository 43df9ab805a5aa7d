// @ts-check
// Letting phones in: codes for their cameras, the address and the PIN.
import { ask, askText, reason } from "./api.js";
import { $, $$, attr, modal, put } from "./dom.js";
import { say } from "./page.js";

/** Show the codes that let phones in. */
export async function invite() {
  const dialog = modal("dialog#phones");
  try {
    for (const place of $$(".code", dialog)) await drawCode(place);
    put($(".pin-said", dialog), (await ask("/api/v1/pin")).pin);
    dialog.showModal();
  } catch (refusal) {
    say(reason(refusal));
  }
}

/**
 * Fetch the QR code that belongs into *place* and draw it there.
 *
 * @param {HTMLElement} place
 */
async function drawCode(place) {
  const drawn = await askText(place.dataset.code ?? "");
  const code = new DOMParser().parseFromString(drawn, "image/svg+xml").documentElement;
  const size = (/** @type {string} */ name) => parseFloat(code.getAttribute(name) ?? "");
  if (!code.hasAttribute("viewBox")) attr(code, "viewBox", `0 0 ${size("width")} ${size("height")}`);
  for (const name of ["width", "height"]) code.removeAttribute(name);
  attr(code, "role", "img");
  attr(code, "aria-label", place.dataset.says);
  place.replaceChildren(code);
}
