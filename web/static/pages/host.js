// @ts-check
// The PIN, typed; or the QR code's secret, from the fragment of the address, which leaves this phone in this post only.
import { ask, reason } from "../lib/api.js";
import { $, input } from "../lib/dom.js";
import { t } from "../lib/words.js";

const field = input("#pin");
const wrong = $("#pin-wrong");

/** Return where this phone came from, if that is a page of this table. */
function back() {
  const next = new URL(new URLSearchParams(location.search).get("next") ?? "/", location.origin);
  return next.origin === location.origin ? next.pathname : "/";
}

/** @param {string} pin */
async function join(pin) {
  wrong.textContent = "";
  field.removeAttribute("aria-invalid");
  try {
    await ask("/api/v1/join", { body: { pin } });
    location.replace(back());
  } catch (refusal) {
    wrong.textContent = reason(refusal);
    field.setAttribute("aria-invalid", "true");
    field.select();
  }
}

$("#join").addEventListener("submit", (event) => {
  event.preventDefault();
  const pin = field.value.replace(/\s/g, "");
  if (/^\d+$/.test(pin)) join(pin);
  else {
    wrong.textContent = t("The PIN is made of digits only.");
    field.focus();
  }
});

const carried = decodeURIComponent(location.hash.slice(1));
if (carried) {
  history.replaceState(null, "", location.pathname + location.search);
  if (/^\d+$/.test(carried)) field.value = carried; // a PIN, to be corrected if it is wrong
  join(carried);
} else field.focus();
