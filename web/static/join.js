// The PIN: from the fragment of the address, which never leaves this phone but in this post, or typed.
import { $ } from "./dom.js";
import { ask } from "./api.js";
import { t } from "./words.js";

const field = $("#pin");
const wrong = $("#pin-wrong");

/** Return where this phone came from, if that is a page of this table. */
function back() {
  const next = new URL(new URLSearchParams(location.search).get("next") ?? "/", location.origin);
  return next.origin === location.origin ? next.pathname : "/";
}

async function join(pin) {
  wrong.textContent = "";
  field.removeAttribute("aria-invalid");
  try {
    await ask("/api/v1/join", { body: { pin } });
    location.replace(back());
  } catch (refusal) {
    wrong.textContent = refusal.message;
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
  field.value = carried;
  join(carried);
} else field.focus();
