// What the host can do; every control says what it will do. What can be undone is done at once, the rest is asked.
import { $, $$, attr, h, match, put } from "./dom.js";
import { ask, command } from "./api.js";
import { asked } from "./asked.js";
import { confirmed } from "./dialogs.js";
import { attempt, live, say } from "./frame.js";
import { t } from "./words.js";

const RUNNING = new Set(["armed", "judging", "blocked"]);
const send = (wish) => attempt(() => command(wish));

/** Make a move of the game. */
export const move = (made) => send({ type: "play", move: made });

/** What undo or redo would do from here: the host's is anybody's, a phone's its own or the box's. */
function mine(state, name) {
  const { by } = document.body.dataset;
  return by === "host" ? state[name] : (state[`${name}s`][by] ?? state[`${name}s`].box);
}

const DOES = {
  arm: () => live.state.waits || live.state.phase === "armed" || live.state.phase === "judging" || send({ type: "arm" }),
  undo: () => send({ type: "undo", seq: mine(live.state, "undo")?.seq ?? null }),
  redo: () => send({ type: "redo", seq: mine(live.state, "redo")?.seq ?? null }),
  async void() {
    const dialog = $("dialog#void");
    put($(".what", dialog), live.state.phase === "judging"
      ? t("The round in progress ends here and nobody pays for it.")
      : t("The last round is taken out of the count: nobody pays for it."));
    $("[name=reason]", dialog).value = "";
    const form = await confirmed(dialog);
    if (form) send({ type: "void", reason: form.get("reason").trim() });
  },
  async rearm() {
    const dialog = $("dialog#rearm");
    const now = live.state.rearms_in_ns;
    $(`[value=${now === null ? "host" : "self"}]`, dialog).checked = true;
    if (now !== null) $("[name=seconds]", dialog).value = now / 1e9;
    const form = await confirmed(dialog);
    if (form) send({ type: "rearm", seconds: form.get("when") === "host" ? null : Number(form.get("seconds")) });
  },
  async finish() {
    if (await confirmed($("dialog#finish"))) send({ type: "finish" });
  },
  again: () => send(sameAgain(live.state)),
  async anew() {
    if (await confirmed($("dialog#anew"))) send(sameAgain(live.state));
  },
  async phones() {
    const dialog = $("dialog#phones");
    try {
      for (const place of dialog.querySelectorAll(".code")) await drawCode(place);
      dialog.showModal();
    } catch (refusal) {
      say(refusal.message);
    }
  },
};

/** Fetch the QR code that belongs into *place* and draw it there. */
async function drawCode(place) {
  const drawn = await ask(place.dataset.code, { as: "text" });
  const code = new DOMParser().parseFromString(drawn, "image/svg+xml").documentElement;
  if (!code.hasAttribute("viewBox")) attr(code, "viewBox", `0 0 ${parseFloat(code.getAttribute("width"))} ${parseFloat(code.getAttribute("height"))}`);
  for (const size of ["width", "height"]) code.removeAttribute(size);
  attr(code, "role", "img");
  attr(code, "aria-label", place.dataset.says);
  place.replaceChildren(code);
}

/** Return the command that starts the game of *state* again: same people, seats, noses and rules. */
function sameAgain({ game, rows, options }) {
  return { type: "start", game, players: rows.map((row) => row.player), lines: rows.map((row) => row.line), options };
}

/** Let the game's own act *act* be done: who, and what it will do. */
async function act(wish) {
  const dialog = $("dialog#seats");
  put($("h2", dialog), wish.label);
  put($(".what", dialog), wish.explain);
  put($(".main", dialog), wish.label);
  const box = $("fieldset", dialog);
  $$("label", box).forEach((label) => label.remove());
  for (const row of live.state.rows.filter((row) => wish.seats.includes(row.seat))) {
    box.append(h("label", { class: "pick withseat" }, h("input", { type: "radio", name: "seat", value: row.seat, required: true }),
      h("span", { class: "seat" }, String(row.seat)), row.player));
  }
  const form = await confirmed(dialog);
  if (form) move({ type: wish.move, seat: Number(form.get("seat")) });
}

/** Make the controls of the table page work. */
export function begin() {
  document.addEventListener("click", (event) => {
    const wanted = event.target.closest("[data-do]");
    if (wanted && wanted.getAttribute("aria-disabled") !== "true") DOES[wanted.dataset.do]?.();
    const chip = event.target.closest("dialog .chips button");
    if (chip) {
      event.preventDefault();
      $("[name=reason]", chip.closest("dialog")).value = chip.textContent;
    }
  });
}

const button = (name) => $(`[data-do=${name}]`);

function shown(name, on) {
  for (const element of $$(`[data-do=${name}]`)) attr(element, "hidden", !on);
}

/** Show what can be done in *state*. */
export function show(state) {
  const game = state.phase !== "setup";
  const over = state.phase === "won";
  shown("setup", !game || over);
  const invite = $("#invite");
  if (invite) attr(invite, "hidden", game);
  const setup = button("setup");
  if (setup) put(setup, over ? t("Another game…") : t("Set the table"));
  setup?.classList.toggle("main", !over);
  shown("again", over);
  shown("arm", game && !over && state.watched);
  const arm = button("arm");
  if (arm) attr(arm, "aria-disabled", state.waits || (RUNNING.has(state.phase) && state.phase !== "blocked") ? "true" : null);
  shown("void", state.voidable);
  shown("rearm", state.watched);
  for (const name of ["undo", "redo"]) {
    const step = mine(state, name);
    shown(name, Boolean(step));
    if (step) for (const element of $$(`[data-do=${name}] small`)) put(element, step.says);
  }
  shown("finish", game && !over);
  shown("anew", game && !over);
  const host = $("#host");
  if (!host) return;
  attr(host, "hidden", !game);
  match($(".moves", host), state.acts.filter((wish) => !asked(wish)), (wish) => `${wish.move}${wish.label}`, () =>
    h("button", { type: "button", class: "two" }, h("span"), h("small")), (element, wish) => {
    put(element.firstElementChild, `${wish.label}…`);
    put(element.lastElementChild, wish.explain);
    element.onclick = () => act(wish);
  });
  put($("[data-do=rearm]"), state.rearms_in_ns === null ? t("Waits for the host…") : t("Arms itself after {n} s…", { n: state.rearms_in_ns / 1e9 }));
}
