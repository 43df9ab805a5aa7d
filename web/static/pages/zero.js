// @ts-check
// The zero test: two noses are chosen, one plate closes both twenty times, and the dots fall where they fall.
import { zeroTest } from "../doubt/zero-dots.js";
import { Noses } from "../games/noses.js";
import { command } from "../lib/api.js";
import { confirmed } from "../lib/dialogs.js";
import { $, attr, h, held, match, maybe, modal, put } from "../lib/dom.js";
import { attempt, live, say, where } from "../lib/page.js";
import { tappable, wires } from "../lib/taps.js";
import { t } from "../lib/words.js";

/** @type {string[]} */
const lines = held("#lines");
const pick = /** @type {HTMLFormElement | null} */ (maybe("#pick"));
const box = maybe("#noses .noses");
const noses = box ? new Noses(box, (refusal) => say(refusal.message)) : null;
let drawn = "";
let chosen = false; // somebody has chosen: nothing is chosen for them any more

/** @param {string} line */
const numberOf = (line) => lines.indexOf(line) + 1;

/** @param {Api.Snapshot} state */
function show(state) {
  where(state);
  const { zero } = state;
  const playing = !["setup", "won"].includes(state.phase);
  const going = Boolean(zero && !zero.at);
  const phones = owned(state);
  put($("#says"), playing ? t("A zero test is made before a game: end this one first.") : (zero?.says ?? asks(phones)));
  put($("#claim"), playing ? "" : zero?.claim);
  attr($("#for-plates"), "hidden", Boolean(phones.length) && !wires);
  attr($("#for-phones"), "hidden", !phones.length || wires);
  if (pick) attr(pick, "hidden", playing || going);
  if (pick) offer(state, phones);
  const first = maybe("#first");
  if (first) attr(first, "hidden", !playing);
  const now = JSON.stringify(zero);
  if (now !== drawn) {
    drawn = now;
    $("#dots").replaceChildren(...(zero && (zero.off_ns.length || zero.at) ? [zeroTest(zero, state.rows)] : []));
  }
  attr($("#over"), "hidden", !zero?.at);
  const stop = maybe("#going");
  if (stop) attr(stop, "hidden", !going);
  hands(state, going ? (zero?.lines ?? []) : []);
}

/**
 * The noses that phones have taken.
 *
 * @param {Api.Snapshot} state
 */
const owned = ({ phones }) => phones.filter((phone) => !phone.shared).map((phone) => phone.line);

/** @param {string[]} phones */
function asks(phones) {
  if (wires) return t("Choose two noses: a plate on both, or a phone’s and a wired one, touched together.");
  if (phones.length > 1)
    return t("Choose two phones, lay them side by side, and touch both at once with two fingers of one hand.");
  return t("Choose two noses, and lay a plate on both.");
}

/**
 * Offer the noses that somebody has, by name, and say which are phones; all of them while nobody has two.
 *
 * @param {Api.Snapshot} state
 * @param {string[]} phones
 */
function offer(state, phones) {
  const players = new Map(state.rows.map((row) => [row.line, row.player]));
  const had = lines.filter((line) => players.has(line) || phones.includes(line));
  const shown = had.length > 1 ? had : lines;
  const first = (phones.length > 1 && !wires ? phones : shown).slice(0, 2);
  match(
    $("#pick .which"),
    shown,
    (line) => line,
    (line) => choice(line),
    (label, line) => {
      put($("bdi", label), players.get(line) ?? "");
      put($("small", label), phones.includes(line) || (wires && tappable(line)) ? t("phone") : "");
      if (!chosen) /** @type {HTMLInputElement} */ ($("input", label)).checked = first.includes(line);
    },
  );
}

/** @param {string} line */
function choice(line) {
  const n = numberOf(line);
  return h(
    "label",
    {},
    h("input", { type: "checkbox", name: "line", value: line }),
    h("span", { class: "unseen" }, t("Nose {n}", { n })),
    h("b", { "aria-hidden": "true" }, String(n)),
    h("bdi"),
    h("small"),
  );
}

/**
 * Give simulated noses to two fingers while they are tested.
 *
 * @param {Api.Snapshot} state
 * @param {string[]} tested
 */
function hands(state, tested) {
  if (!noses) return;
  const touched = tested.filter(tappable);
  attr($("#noses"), "hidden", !touched.length);
  const rows = touched.map((line) => ({
    line,
    seat: numberOf(line),
    player: t("Nose {n}", { n: numberOf(line) }),
    held: false,
    out: false,
    pressed: false,
  }));
  noses.show(rows, touched.length ? "armed" : state.phase, [], new Set(), state.phones);
}

if (pick) {
  pick.addEventListener("change", () => {
    chosen = true;
  });
  pick.addEventListener("submit", (event) => {
    event.preventDefault();
    const two = new FormData(pick).getAll("line").map(String);
    put($(".wrong", pick), two.length === 2 ? "" : t("Choose two noses, no more and no fewer."));
    if (two.length === 2) attempt(() => command({ type: "test-zero", lines: /** @type {[string, string]} */ (two) }));
  });
}
maybe("#cancel")?.addEventListener("click", () => attempt(() => command({ type: "test-zero", lines: null })));
maybe("#end")?.addEventListener("click", async () => {
  if (await confirmed(modal("dialog#finish"))) attempt(() => command({ type: "finish" }));
});
$("#print").addEventListener("click", () => print());
live.watch((connected) => connected && noses?.tell());
live.follow(show);
