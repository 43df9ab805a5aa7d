// @ts-check
// One name, and that is a seat: no PIN, no list of noses.
import { ask, reason } from "../lib/api.js";
import { $, attr, h, held, input, match, put } from "../lib/dom.js";
import { alike, tidy } from "../lib/name-list.js";
import { readable } from "../lib/names.js";
import { live, where } from "../lib/page.js";
import { t } from "../lib/words.js";

const MOST_CHIPS = 6;
/** @type {string[]} */
const known = held("#known");
const field = input("#name");
const wrong = $("#name-wrong");
const here = document.body.dataset.drivable === "yes" ? "/nose" : "/";

/** Show names of earlier evenings that nobody has taken, those that begin as what is typed. */
function chips() {
  const typed = tidy(field.value).toLocaleLowerCase();
  const free = known.filter((name) => !live.state.lobby.guests.some((one) => one.device && alike(one.name, name)));
  const found = free.filter((name) => name.toLocaleLowerCase().startsWith(typed)).slice(0, MOST_CHIPS);
  match(
    $(".chips"),
    found,
    (name) => name,
    (name) => h("button", { type: "button", click: () => take(name) }, h("bdi", {}, name)),
  );
  attr($(".chips"), "hidden", !found.length);
  put($("#go"), t("Sit down"));
}

/** @param {string} name */
function take(name) {
  field.value = name;
  chips();
  $("#go").focus();
}

field.addEventListener("input", () => {
  put(wrong, "");
  field.removeAttribute("aria-invalid");
  readable([field.value]);
  chips();
});

let left = false;

/** Go to the seat, once: the answer and the table's news both tell of it. */
function onward() {
  if (!left) location.replace(here);
  left = true;
}

$("#sit").addEventListener("submit", async (event) => {
  event.preventDefault();
  const go = /** @type {HTMLButtonElement} */ ($("#go"));
  go.disabled = true;
  try {
    const seat = await ask("/api/v1/seat", { body: { name: field.value } });
    if (!seat.asks) return onward();
    put($(".j-asks"), t("{player} has a seat already. A host is asked to let this phone in.", { player: seat.name }));
  } catch (refusal) {
    put(wrong, reason(refusal));
    attr(field, "aria-invalid", "true");
    field.select();
  }
  go.disabled = false;
});

live.onYou = (role) => role === "player" && onward(); // a host has let this phone in
live.follow((state) => {
  where(state);
  chips();
});
field.focus();
