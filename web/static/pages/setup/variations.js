// @ts-check
// A table's own rules under a name: taken in one tap, kept, forgotten.
import { ask, command, reason } from "../../lib/api.js";
import { confirmed } from "../../lib/dialogs.js";
import { $, attr, h, input, match, maybe, modal, put, s } from "../../lib/dom.js";
import { say } from "../../lib/page.js";
import { t } from "../../lib/words.js";

export class Variations {
  /**
   * *games* by name; *take(variation)* sets game and rules; *chosen()* returns {game, options} to be kept.
   *
   * @param {Api.Variation[]} found
   * @param {Api.GameInfo[]} games
   * @param {{ take: (one: Api.Variation) => void; chosen: () => { game: string; options: Page.Options } }} given
   */
  constructor(found, games, { take, chosen }) {
    this.found = found;
    this.games = games;
    this.take = take;
    this.chosen = chosen;
    this.keeper = maybe("#keep");
    if (this.keeper) this.#listen(this.keeper);
    this.show();
  }

  /** @param {HTMLElement} keeper */
  #listen(keeper) {
    const field = input("#rules-name");
    $("button", keeper).addEventListener("click", () => this.#keep(keeper, field));
    field.addEventListener("input", () => put($(".wrong", keeper), ""));
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      this.#keep(keeper, field);
    });
  }

  show() {
    const known = this.found.filter(({ game }) => this.games.some((one) => one.name === game));
    attr($("#saved"), "hidden", !known.length);
    match(
      $("#saved .chips"),
      known,
      (one) => `${one.name}/${one.game}`,
      (one) => this.#chip(one),
    );
  }

  /** @param {Api.Variation} one */
  #chip(one) {
    const game = this.games.find(({ name }) => name === one.game);
    const picture = s(
      "svg",
      { viewBox: "0 0 24 24", class: "emblem", "aria-hidden": "true" },
      s("path", { d: game?.emblem }),
    );
    const cross = s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: "M6 6l12 12M18 6L6 18" }));
    // What is kept may have changed since this chip was made: look it up by its name.
    const now = () => this.found.find(({ name }) => name === one.name) ?? one;
    return h(
      "span",
      { class: "pairchip" },
      h("button", { type: "button", title: game?.title, click: () => this.take(now()) }, picture, one.name),
      this.keeper &&
        h(
          "button",
          {
            type: "button",
            class: "icon",
            "aria-label": t("{what}: {says}", { what: t("Forget these rules"), says: one.name }),
            click: () => this.#forget(one),
          },
          cross,
        ),
    );
  }

  /**
   * @param {HTMLElement} keeper
   * @param {HTMLInputElement} field
   */
  async #keep(keeper, field) {
    const wrong = $(".wrong", keeper);
    put(wrong, "");
    try {
      await command({ type: "save-variation", name: field.value, ...this.chosen() });
      await this.#refresh();
      field.value = "";
      say(t("Kept."), 4000);
    } catch (refusal) {
      put(wrong, reason(refusal));
    }
  }

  /** @param {Api.Variation} given */
  async #forget({ name }) {
    const dialog = modal("dialog#forget");
    put($(".what", dialog), t("{name} is no longer offered. Games played with it stay as they are.", { name }));
    if (!(await confirmed(dialog))) return;
    try {
      await command({ type: "delete-variation", name });
      await this.#refresh();
    } catch (refusal) {
      say(reason(refusal));
    }
  }

  async #refresh() {
    this.found = (await ask("/api/v1/variations")).variations;
    this.show();
  }
}
