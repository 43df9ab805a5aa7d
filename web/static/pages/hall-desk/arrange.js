// @ts-check
// The event's dialog: name, game with its options, format, numbers, and how the final differs.
import { ask, reason } from "../../lib/api.js";
import { asking, textIn } from "../../lib/dialogs.js";
import { $, attr, h, held, input, modal } from "../../lib/dom.js";
import { order as give, live, orderFromNow, say, wish } from "../../lib/hall-page.js";
import { t } from "../../lib/words.js";
import { GameRules } from "./game-rules.js";

/** @typedef {{ name: string; title: string; says: string }} Format */
/** @typedef {{ heats: Page.Options; final: Page.Options }} Chosen */

const AGAIN = 3; // so often a first draw is amended before it is called
const NUMBERS = /** @type {const} */ (["rounds", "tables", "most", "final", "minutes"]);

/**
 * Ask for the arrangement; begin with what is arranged already.
 *
 * @param {Api.GameInfo[]} games
 */
export function arrange(games) {
  const dialog = modal("#arrange-dialog");
  const now = live.state.arrangement ?? {};
  filled(dialog, now);
  const rules = gameRules(dialog, games, now);
  const order = orderFromNow();
  const atOnce = beginsAtOnce(dialog);
  asking(dialog, async (form) => {
    await order({
      type: "arrange",
      arrangement: {
        name: textIn(form, "name"),
        game: textIn(form, "game"),
        format: textIn(form, "format"),
        late: textIn(form, "late"),
        ...rules(),
        ...Object.fromEntries(NUMBERS.map((name) => [name, Number(textIn(form, name) || 0)])),
      },
    });
    if (atOnce()) await drawAndCall(AGAIN);
  });
}

/**
 * Draw the first round and call it; who has put themselves on the list in between is drawn in.
 *
 * @param {number} tries
 */
async function drawAndCall(tries) {
  if (!(await wish({ type: "draw" }))) return;
  try {
    await give({ type: "call-round" });
  } catch (refusal) {
    if (tries > 1 && (await ask("/api/v1/hall/state")).step === "draw") await drawAndCall(tries - 1);
    else say(reason(refusal));
  }
}

/**
 * Offer to play at once where people and tables are there already: two buttons from nothing to the first call.
 *
 * @param {HTMLDialogElement} dialog
 */
function beginsAtOnce(dialog) {
  const button = $("#at-once", dialog);
  const { arrangement, people, tables } = live.state;
  const ready = arrangement?.name === undefined && (people ?? []).length > 1 && (tables ?? []).some((one) => one.there);
  let chosen = false;
  attr(button, "hidden", !ready);
  attr($(".do [value=yes]", dialog), "class", ready ? null : "main");
  for (const one of dialog.querySelectorAll("button"))
    one.onclick = () => {
      chosen = one === button; // returned, it would keep the dialog open
    };
  return () => chosen;
}

/**
 * Fill in what is arranged already, but the game.
 *
 * @param {HTMLDialogElement} dialog
 * @param {Record<string, unknown>} now
 */
function filled(dialog, now) {
  /** @type {Format[]} */
  const formats = held("#formats");
  $(".formats", dialog).replaceChildren(
    $("legend", dialog),
    ...formats.map((one) =>
      h(
        "label",
        { class: "choice" },
        h("input", { type: "radio", name: "format", value: one.name, checked: one.name === (now.format ?? "mixed") }),
        h("span", {}, h("b", {}, one.title), h("small", {}, one.says)),
      ),
    ),
  );
  input("[name=name]", dialog).value = String(now.name ?? "");
  for (const name of NUMBERS) {
    const field = input(`[name=${name}]`, dialog);
    field.value = String(now[name] ?? field.defaultValue); // what is as usual is not said
  }
  const here = (live.state.tables ?? []).filter((one) => one.inside !== false).length;
  if (now.name === undefined && here) input("[name=tables]", dialog).value = String(here);
  input("[name=late]", dialog).value = String(now.late ?? "nothing");
}

/**
 * Draw the options of the chosen game; return what says those of the rounds and of the final.
 *
 * @param {HTMLDialogElement} dialog
 * @param {Api.GameInfo[]} games
 * @param {Record<string, unknown>} now
 */
function gameRules(dialog, games, now) {
  const select = input("select[name=game]", dialog);
  const seats = input("[name=final]", dialog);
  const named = (/** @type {unknown} */ name) => games.find((one) => one.name === name) ?? games[0];
  const before = named(now.game).name;
  select.replaceChildren(
    ...games.map((one) => h("option", { value: one.name, selected: one.name === before }, one.title)),
  );
  /** @type {Record<string, Chosen>} */
  const chosen = {
    [before]: {
      heats: { .../** @type {Page.Options} */ (now.options) },
      final: { .../** @type {Page.Options} */ (now.final_options) },
    },
  };
  const final = new GameRules($("#final-rules"), t("as the rounds"));
  const heats = new GameRules($("#heat-rules"), t("as usual"), finals);
  const mine = () => (chosen[select.value] ??= { heats: {}, final: {} });

  /** The final is played as the rounds are, but where it differs. */
  function finals() {
    const usual = heats.chosen;
    const fields = named(select.value).options;
    final.show(
      fields.map((one) => (one.key in usual ? { ...one, default: /** @type {string} */ (usual[one.key]) } : one)),
      mine().final,
    );
    final.hide(!Number(seats.value));
  }

  function drawn() {
    heats.show(named(select.value).options, mine().heats);
    finals();
  }
  select.onchange = drawn;
  seats.oninput = finals;
  drawn();
  return () => ({ options: heats.chosen, final_options: Number(seats.value) ? final.chosen : {} });
}
