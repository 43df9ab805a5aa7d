// @ts-check
// The event's dialog: name, game, format, numbers.
import { confirmed, textIn } from "../../lib/dialogs.js";
import { $, $$, h, held, input, modal } from "../../lib/dom.js";
import { live, wish } from "../../lib/hall-page.js";

/** @typedef {{ name: string; title: string; says: string }} Format */

const NUMBERS = /** @type {const} */ (["rounds", "tables", "most", "final", "minutes"]);

/**
 * Ask for the arrangement; begin with what is arranged already.
 *
 * @param {Api.GameInfo[]} games
 */
export async function arrange(games) {
  const dialog = modal("#arrange-dialog");
  const now = live.state.arrangement ?? {};
  const chosen = String(now.game ?? games[0]?.name);
  $("select[name=game]", dialog).replaceChildren(
    ...games.map((game) => h("option", { value: game.name, selected: game.name === chosen }, game.title)),
  );
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
  for (const name of NUMBERS) if (now[name] !== undefined) input(`[name=${name}]`, dialog).value = String(now[name]);
  const final = /** @type {Record<string, unknown>} */ (now.final_options ?? {});
  input("[name=word]", dialog).value = String(final.word ?? "");
  input("[name=late]", dialog).value = String(now.late ?? "nothing");
  const form = await confirmed(dialog);
  if (!form) return;
  const word = textIn(form, "word");
  const game = textIn(form, "game");
  await wish({
    type: "arrange",
    arrangement: {
      name: textIn(form, "name"),
      game,
      options: game === now.game ? /** @type {Record<string, unknown>} */ (now.options ?? {}) : {},
      format: textIn(form, "format"),
      late: textIn(form, "late"),
      final_options: word ? { word } : {},
      ...Object.fromEntries(NUMBERS.map((name) => [name, Number(textIn(form, name) || 0)])),
    },
  });
  for (const wrong of $$(".wrong", dialog)) wrong.textContent = "";
}
