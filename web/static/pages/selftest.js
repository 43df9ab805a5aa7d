// @ts-check
// The self-test: what is asked now, hands for simulated contacts, and what came of each. The table leads it.
import { Noses } from "../games/noses.js";
import { ask, reason } from "../lib/api.js";
import { $, attr, h, held, lastIn, match, maybe, proof, put } from "../lib/dom.js";
import { live, say, where } from "../lib/page.js";
import { play } from "../lib/tones.js";
import { t } from "../lib/words.js";
import { draw } from "./selftest/trace.js";

const LOOK_MS = 300;
const BAD = ["bouncing", "weak", "bridged", "crosstalk", "wrong", "silent", "stuck"];
const root = maybe("#noses .noses");
const noses = root ? new Noses(root, (refusal) => say(refusal.message)) : null;
/** @type {Api.SelfTestView} */
let view = held("#view");
let heard = view.signalled;
let lost = 0;

/** @param {Api.SelfTestView} next */
function show(next) {
  view = next;
  const asks = $("#ask");
  put($(".phase b", asks), t("{n} of {of}", { n: view.number, of: view.of }));
  put($(".phase span", asks), view.profile);
  attr($("progress", asks), "value", view.number / view.of);
  attr(asks, "data-passed", view.passed === null ? null : view.passed ? "yes" : "no");
  put($("h1", asks), view.prompt);
  proof($(".proof", asks), view.hints);
  wire($(".wire", asks), view.contact?.colour);
  answers($(".acts", asks));
  contacts();
  found();
  hands();
  const screen = maybe("#oled img");
  if (screen) attr(screen, "src", `/oled.png?${view.version}`);
  if (view.simulated && view.signalled !== heard) play(view.signals).catch(() => {});
  heard = view.signalled;
}

/**
 * @param {HTMLElement} element
 * @param {Api.Colour | null | undefined} colour
 */
function wire(element, colour) {
  element.hidden = !colour;
  if (colour) paint(element, colour);
}

/**
 * @param {HTMLElement} element
 * @param {Api.Colour | null} colour
 */
function paint(element, colour) {
  if (!colour) return;
  element.style.setProperty("--wire", colour.fill);
  element.style.setProperty("--stripe", colour.stripe ?? colour.fill);
}

/** @param {HTMLElement} row */
function answers(row) {
  if (document.body.dataset.control !== "yes") return;
  match(
    row,
    view.choices,
    ({ word }) => word,
    ({ word }) => h("button", { type: "button", click: () => answer(word) }),
    (button, { word, says }) => {
      put(button, says);
      button.classList.toggle("main", ["yes", "leave"].includes(word));
    },
  );
}

/** @param {Api.Reply["word"]} word */
async function answer(word) {
  try {
    show(await ask("/api/v1/selftest", { body: { word } }));
    if (word === "leave") done();
  } catch (refusal) {
    say(reason(refusal));
  }
}

function contacts() {
  match(
    $("#contacts ul"),
    view.lines,
    ({ contact }) => contact.line,
    ({ contact }) => {
      const swatch = h("i", { class: "swatch", "aria-hidden": "true" });
      paint(swatch, contact.colour);
      return h(
        "li",
        {},
        swatch,
        h(
          "div",
          {},
          h("b", {}, contact.label),
          h("small", {}, [contact.where, contact.colour?.name].filter(Boolean).join(" · ")),
        ),
        h("span", { class: "came" }),
      );
    },
    (row, one) => {
      attr(row, "aria-current", view.contact?.line === one.contact.line ? "step" : null);
      attr(row, "data-away", one.away ? "yes" : null);
      attr(
        row,
        "data-came",
        one.outcome === null ? null : BAD.includes(one.outcome) ? "bad" : one.outcome === "skipped" ? "out" : "ok",
      );
      put(lastIn(row), one.says ?? "");
    },
  );
}

/** @param {string} line */
const label = (line) =>
  [...view.lines, ...view.spares].find(({ contact }) => contact.line === line)?.contact.label ?? line;

function found() {
  $("#found").hidden = !view.findings.length;
  match(
    $("#found ul"),
    view.findings,
    (one, i) => `${i}:${one.says}`,
    (one) =>
      h(
        "li",
        { class: one.failed ? "failed" : "" },
        h("b", {}, one.says),
        h("span", {}, one.remedy ?? ""),
        ...(one.trace.length ? [draw(one.trace, label)] : []),
      ),
  );
}

// Hands on simulated contacts: noses as noses, everything else as a button that is held down.
function hands() {
  if (!noses) return;
  $("#noses").hidden = view.passed !== null;
  const rows = view.lines
    .filter(({ contact }) => contact.line.startsWith("nose."))
    .map(({ contact, away }) => ({
      line: contact.line,
      seat: Number(contact.line.slice(5)),
      player: contact.colour?.name ?? "",
      held: away,
      out: false,
      pressed: false,
    }));
  noses.show(rows, "selftest", view.lamps);
  pins(
    $("#noses .pins"),
    view.lines.filter(({ contact }) => !contact.line.startsWith("nose.")),
  );
  pins($("#noses .spares"), view.spares);
  $("#noses details").hidden = !view.spares.length;
}

/**
 * @param {HTMLElement} place
 * @param {Api.Tested[]} lines
 */
function pins(place, lines) {
  match(
    place,
    lines,
    ({ contact }) => contact.line,
    ({ contact }) => {
      const rest = /^(spoon|dock)\./.test(contact.line) ? 1 : 0;
      const move =
        (/** @type {boolean} */ away) => (/** @type {Partial<KeyboardEvent & PointerEvent> & Event} */ event) => {
          if (away && (event.repeat || (event.button ?? 0) > 0 || (event.key && ![" ", "Enter"].includes(event.key))))
            return;
          if (away ? button.dataset.down : !button.dataset.down) return;
          if (event.key) event.preventDefault();
          attr(button, "data-down", away ? "yes" : null);
          noses?.drive(contact.line, away ? 1 - rest : rest, event.timeStamp);
        };
      const button = h("button", {
        type: "button",
        pointerdown: move(true),
        keydown: move(true),
        keyup: move(false),
        blur: move(false),
        pointerleave: move(false),
        pointerup: move(false),
        pointercancel: move(false),
      });
      return button;
    },
    (button, { contact, away }) => {
      put(button, contact.label);
      attr(button, "aria-pressed", String(away));
    },
  );
}

async function look() {
  try {
    const next = await ask("/api/v1/selftest");
    lost = 0;
    if (next.version !== view.version) show(next);
  } catch {
    lost += 1;
    if (lost === 5 && view.passed !== null) return done();
  }
  setTimeout(look, LOOK_MS);
}

/** The test is over and its page with it. */
function done() {
  put($("#ask .phase b"), t("The end"));
  $("#ask .acts").replaceChildren();
}

live.follow((state) => {
  where(state);
  attr($(".pill.simulated"), "hidden", !view.simulated); // nobody plays, so the table does not say so
});
show(view);
look();
