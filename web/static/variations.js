// A table's own rules under a name: taken in one tap, kept, forgotten.
import { $, attr, h, match, put, s } from "./dom.js";
import { ask, command } from "./api.js";
import { confirmed } from "./dialogs.js";
import { say } from "./frame.js";
import { t } from "./words.js";

export class Variations {
  /** *games* by name; *take(variation)* sets game and rules; *chosen()* returns {game, options} to be kept. */
  constructor(found, games, { take, chosen }) {
    Object.assign(this, { found, games, take, chosen });
    this.keeper = $("#keep");
    const field = $("#rules-name");
    this.keeper?.querySelector("button").addEventListener("click", () => this.#keep(field));
    field?.addEventListener("input", () => put($(".wrong", this.keeper), ""));
    field?.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      this.#keep(field);
    });
    this.show();
  }

  show() {
    const known = this.found.filter(({ game }) => this.games.some((one) => one.name === game));
    attr($("#saved"), "hidden", !known.length);
    match($("#saved .chips"), known, (one) => `${one.name}/${one.game}`, (one) => this.#chip(one));
  }

  #chip(one) {
    const { title, emblem } = this.games.find(({ name }) => name === one.game);
    const picture = s("svg", { viewBox: "0 0 24 24", class: "emblem", "aria-hidden": "true" }, s("path", { d: emblem }));
    const cross = s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: "M6 6l12 12M18 6L6 18" }));
    // What is kept may have changed since this chip was made: look it up by its name.
    const now = () => this.found.find(({ name }) => name === one.name);
    return h("span", { class: "pairchip" },
      h("button", { type: "button", title, click: () => this.take(now()) }, picture, one.name),
      this.keeper && h("button", { type: "button", class: "icon", "aria-label": t("Forget {name}", { name: one.name }), click: () => this.#forget(one) }, cross));
  }

  async #keep(field) {
    const wrong = $(".wrong", this.keeper);
    put(wrong, "");
    try {
      await command({ type: "save-variation", name: field.value, ...this.chosen() });
      await this.#refresh();
      field.value = "";
      say(t("Kept: it stands among the games now."), 4000);
    } catch (refusal) {
      put(wrong, refusal.message);
    }
  }

  async #forget({ name }) {
    const dialog = $("dialog#forget");
    put($(".what", dialog), t("{name} is no longer offered. Games played with it stay as they are.", { name }));
    if (!(await confirmed(dialog))) return;
    try {
      await command({ type: "delete-variation", name });
      await this.#refresh();
    } catch (refusal) {
      say(refusal.message);
    }
  }

  async #refresh() {
    this.found = (await ask("/api/v1/variations")).variations;
    this.show();
  }
}
