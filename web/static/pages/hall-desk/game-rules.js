// @ts-check
// A game's own options in the event's dialog: those of the rounds, or those in which the final differs.
import { $, attr, put } from "../../lib/dom.js";
import * as options from "../../lib/game-options.js";

export class GameRules {
  /**
   * *usual* says that nothing differs; *changed* is called after each choice.
   *
   * @param {HTMLElement} root
   * @param {string} usual
   * @param {() => void} [changed]
   */
  constructor(root, usual, changed = () => {}) {
    this.usual = usual;
    this.root = root;
    this.box = $(".options", root);
    this.changed = changed;
    /** @type {Api.OptionField[]} */
    this.fields = [];
    /** @type {Page.Options} */
    this.values = {};
  }

  /**
   * Draw *fields* with *values*, which change with each choice.
   *
   * @param {Api.OptionField[]} fields
   * @param {Page.Options} values
   */
  show(fields, values) {
    this.fields = fields;
    this.values = values;
    options.draw(this.box, fields, values, (key, value) => {
      values[key] = value;
      this.#look();
      this.changed();
    });
    this.#look();
  }

  #look() {
    options.hide(this.box, this.fields, this.values);
    const differs = Object.keys(this.chosen).length > 0;
    put($(".hint", this.root), differs ? options.summary(this.fields, this.values) : this.usual);
  }

  /**
   * Hide all of it, or show it again.
   *
   * @param {boolean} on
   */
  hide(on) {
    attr(this.root, "hidden", on);
  }

  /** Return what was chosen, counts, and differs from what is usual. */
  get chosen() {
    return Object.fromEntries(
      Object.entries(options.counting(this.fields, this.values)).filter(
        ([key, value]) => this.fields.find((field) => field.key === key)?.default !== value,
      ),
    );
  }
}
