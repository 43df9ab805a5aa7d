// @ts-check
// The zero test: two noses are chosen, one plate closes both twenty times, and the dots fall where they fall.
import { zeroTest } from "../doubt/zero-dots.js";
import { Noses } from "../games/noses.js";
import { command } from "../lib/api.js";
import { confirmed } from "../lib/dialogs.js";
import { $, attr, h, held, match, maybe, modal, put, s } from "../lib/dom.js";
import { attempt, live, say, where } from "../lib/page.js";
import { tappable, wires } from "../lib/taps.js";
import { t } from "../lib/words.js";

/** @type {string[]} */
const lines = held("#lines");
const pick = /** @type {HTMLFormElement | null} */ (maybe("#pick"));
const box = maybe("#noses .noses");
const noses = box ? new Noses(box, (refusal) => say(refusal.message)) : null;
const HANDSET = "M9 2.500h6a2 2 0 0 1 2 2v15a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2v-15a2 2 0 0 1 2-2zM11 18.500h2";
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
  put($("#says"), playing ? t("That is done before a game: end this one first.") : (zero?.says ?? ""));
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
    $("#dots").replaceChildren(...(zero && (zero.off_ns.length || zero.at) ? [zeroTest(zero, state.rows, "h2")] : []));
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

/**
 * Offer the noses that somebody has, by name, and say which are phones; all of them while nobody has two.
 *
 * @param {Api.Snapshot} state
 * @param {string[]} phones
 */
function offer(state, phones) {
  const players = new Map(state.rows.map((row) => [row.line, row.player]));
  const seats = new Map(state.rows.map((row) => [row.line, row.seat]));
  const had = lines.filter((line) => players.has(line) || phones.includes(line));
  const shown = had.length > 1 ? had : lines;
  const first = (phones.length > 1 && !wires ? phones : shown).slice(0, 2);
  match(
    $("#pick .which"),
    shown,
    (line) => line,
    (line) => choice(line),
    (label, line) => {
      const phone = phones.includes(line) || (wires && tappable(line));
      const nose = t("Nose {n}", { n: numberOf(line) });
      put($("bdi", label), players.get(line) ?? (phone ? nose : ""));
      put($("small", label), phone ? t("A phone") : "");
      // A wire's number is that of its nose; whoever touches a page or a phone has a name.
      put($(".unseen", label), phone || (tappable(line) && players.has(line)) ? "" : nose);
      $("b", label).classList.toggle("phone", phone);
      put($("b span", label), (!wires && tappable(line) && seats.get(line)) || numberOf(line));
      if (!chosen) /** @type {HTMLInputElement} */ ($("input", label)).checked = first.includes(line);
    },
  );
}

/** @param {string} line */
function choice(line) {
  return h(
    "label",
    {},
    h("input", { type: "checkbox", name: "line", value: line }),
    h("span", { class: "unseen" }),
    h("b", { "aria-hidden": "true" }, h("span"), s("svg", { viewBox: "0 0 24 24" }, s("path", { d: HANDSET }))),
    h("bdi"),
    h("small"),
  );
}

/**
 * Give noses that are on no phone to fingers on this page while they are tested.
 *
 * @param {Api.Snapshot} state
 * @param {string[]} tested
 */
function hands(state, tested) {
  if (!noses) return;
  const phones = new Set(state.phones.filter((one) => !one.shared).map((one) => one.line)); // waited for, if away
  const touched = tested.filter((line) => tappable(line) && !phones.has(line));
  attr($("#noses"), "hidden", !touched.length);
  if (!wires)
    put(
      $("#noses h2 .hint"),
      touched.length < tested.length
        ? t("This nose is on no phone: touch it here.")
        : t("Two fingers at once, or both keys. Then let go."),
    );
  const seated = touched.map((line) => state.rows.find((row) => row.line === line));
  const known = seated.every(Boolean); // else a number could be a seat's and a nose's
  const rows = touched.map((line, i) => ({
    line,
    seat: (known && seated[i]?.seat) || numberOf(line),
    player: seated[i]?.player ?? t("Nose {n}", { n: numberOf(line) }),
    held: false,
    out: false,
    pressed: false,
  }));
  noses.show(rows, touched.length ? "armed" : state.phase, [], [], state.phones);
}

if (pick) {
  pick.addEventListener("change", () => {
    chosen = true;
  });
  pick.addEventListener("submit", (event) => {
    event.preventDefault();
    const two = new FormData(pick).getAll("line").map(String);
    put($(".wrong", pick), two.length === 2 ? "" : t("Which two noses?"));
    if (two.length === 2) attempt(() => command({ type: "test-zero", lines: /** @type {[string, string]} */ (two) }));
  });
}
maybe("#cancel")?.addEventListener("click", () => attempt(() => command({ type: "test-zero", lines: null })));
maybe("#end")?.addEventListener("click", async () => {
  const { seq } = live.state;
  if (await confirmed(modal("dialog#finish"))) attempt(() => command({ type: "finish", seq }));
});
$("#print").addEventListener("click", () => print());
live.watch((connected) => connected && noses?.tell());
live.follow(show);
