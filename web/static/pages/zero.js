// @ts-check
// The zero test: two noses are chosen, one plate closes both twenty times, and the dots fall where they fall.
import { zeroTest } from "../doubt/zero-dots.js";
import { Noses } from "../games/noses.js";
import { command } from "../lib/api.js";
import { confirmed } from "../lib/dialogs.js";
import { $, $$, attr, h, held, maybe, modal, put } from "../lib/dom.js";
import { attempt, live, say, where } from "../lib/page.js";
import { tappable, wires } from "../lib/taps.js";
import { t } from "../lib/words.js";

/** @type {string[]} */
const lines = held("#lines");
const pick = /** @type {HTMLFormElement | null} */ (maybe("#pick"));
const box = maybe("#noses .noses");
const noses = box ? new Noses(box, (refusal) => say(refusal.message)) : null;
let drawn = "";

/** @param {string} line */
const numberOf = (line) => lines.indexOf(line) + 1;

/** @param {Api.Snapshot} state */
function show(state) {
  where(state);
  const { zero } = state;
  const playing = !["setup", "won"].includes(state.phase);
  const going = Boolean(zero && !zero.at);
  put($("#says"), playing ? t("A zero test is made before a game: end this one first.") : (zero?.says ?? asks(state)));
  marked(state);
  if (pick) attr(pick, "hidden", playing || going);
  const first = maybe("#first");
  if (first) attr(first, "hidden", !playing);
  const now = JSON.stringify(zero);
  if (now !== drawn) {
    drawn = now;
    $("#dots").replaceChildren(...(zero && (zero.off_ns.length || zero.at) ? [zeroTest(zero)] : []));
  }
  attr($("#over"), "hidden", !zero?.at);
  const stop = maybe("#going");
  if (stop) attr(stop, "hidden", !going);
  hands(state, going ? (zero?.lines ?? []) : []);
}

/** @param {Api.Snapshot} state */
const owned = (state) => new Set(state.phones.filter((one) => !one.shared).map((one) => one.line));

/** @param {Api.Snapshot} state */
function asks(state) {
  if (!wires && owned(state).size > 1)
    return t("Choose two noses: two phones are touched together, on two others lies a plate.");
  return wires
    ? t("Choose two noses: a plate on both, or a phone’s and a wired one, touched together.")
    : t("Choose two noses, and lay a plate on both.");
}

/**
 * Mark the noses that are phones.
 *
 * @param {Api.Snapshot} state
 */
function marked(state) {
  const phones = owned(state);
  for (const small of $$("#pick small")) {
    const line = small.dataset.line ?? "";
    put(small, phones.has(line) || (wires && tappable(line)) ? t("phone") : "");
  }
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
  const answers = new Set(state.phones.filter((one) => one.state === "awake").map((one) => one.line));
  attr(
    $("#noses"),
    "hidden",
    touched.every((line) => answers.has(line)),
  );
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
  for (const line of lines)
    $("fieldset", pick).append(
      h(
        "label",
        {},
        h("input", { type: "checkbox", name: "line", value: line, checked: numberOf(line) < 3 }),
        h("span", { class: "unseen" }, t("Nose {n}", { n: numberOf(line) })),
        h("b", { "aria-hidden": "true" }, String(numberOf(line))),
        h("small", { "data-line": line }),
      ),
    );
  pick.addEventListener("submit", (event) => {
    event.preventDefault();
    const chosen = new FormData(pick).getAll("line").map(String);
    put($(".wrong", pick), chosen.length === 2 ? "" : t("Choose two noses, no more and no fewer."));
    if (chosen.length === 2)
      attempt(() => command({ type: "test-zero", lines: /** @type {[string, string]} */ (chosen) }));
  });
}
maybe("#cancel")?.addEventListener("click", () => attempt(() => command({ type: "test-zero", lines: null })));
maybe("#end")?.addEventListener("click", async () => {
  if (await confirmed(modal("dialog#finish"))) attempt(() => command({ type: "finish" }));
});
$("#print").addEventListener("click", () => print());
live.watch((connected) => connected && noses?.tell());
live.follow(show);
