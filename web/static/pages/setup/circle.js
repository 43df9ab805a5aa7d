// @ts-check
// Who plays, in one question: a chip a person, numbered in the order of tapping; the newest names first.
import { attr, childrenOf, firstIn, h, lastIn, match, put } from "../../lib/dom.js";
import { alike } from "../../lib/name-list.js";
import { t } from "../../lib/words.js";

// Chips of earlier evenings: so many leave the field for a new name on a phone's screen, and so many there are when
// all are asked for; the field finds the others.
const [FEW, MOST] = [12, 24];
const ALL = "\n"; // no name is that

export class Circle {
  /**
   * *known*: names of earlier evenings, the newest first.
   *
   * @param {HTMLElement} root
   * @param {import("./people.js").People} people
   * @param {string[]} known
   */
  constructor(root, people, known) {
    this.root = root;
    this.people = people;
    this.known = known;
    /** @type {string[]} */
    this.order = people.people.map((person) => person.name); // chips stay where they are when they are tapped
    this.most = FEW;
  }

  /**
   * Show a chip a person; those not seated only when they match what is being typed.
   *
   * @param {string} typed
   */
  show(typed) {
    const { people } = this.people;
    const seat = (/** @type {string} */ name) => people.findIndex((person) => alike(person.name, name)) + 1;
    for (const { name } of people) if (name && !this.order.some((one) => alike(one, name))) this.order.push(name);
    this.order = this.order.filter((name) => seat(name) || this.known.some((one) => alike(one, name)));
    const others = this.known.filter((name) => !this.order.some((one) => alike(one, name)));
    const sought = typed.trim().toLocaleLowerCase();
    const found = sought ? others.filter((name) => name.toLocaleLowerCase().includes(sought)) : others;
    // A button for two more would not be worth it.
    const upTo = (/** @type {number} */ most) => (found.length <= most + 2 ? found.length : most);
    const more = upTo(this.most) < upTo(MOST) ? [ALL] : [];
    match(
      this.root,
      [...this.order, ...found.slice(0, upTo(this.most)), ...more],
      (name) => name,
      () => h("button", { type: "button" }, h("i", { "aria-hidden": "true" }), h("bdi")),
      (chip, name) => {
        if (name === ALL) {
          put(lastIn(chip), t("Show all {n}", { n: upTo(MOST) + this.order.length }));
          chip.onclick = () => this.#whole();
          return;
        }
        const number = seat(name);
        attr(chip, "aria-pressed", String(number > 0));
        put(firstIn(chip), number || "");
        put(lastIn(chip), name);
        chip.onclick = () => this.#toggle(name);
      },
    );
    attr(this.root, "hidden", !childrenOf(this.root).length);
  }

  #whole() {
    const at = childrenOf(this.root).length - 1;
    this.most = MOST;
    this.show("");
    /** @type {HTMLElement} */ (this.root.children[at])?.focus();
  }

  /** @param {string} name */
  #toggle(name) {
    if (!this.order.some((one) => alike(one, name))) this.order.push(name);
    const person = this.people.people.find((one) => alike(one.name, name));
    if (person) this.people.leave(person);
    else this.people.add(name);
  }
}
