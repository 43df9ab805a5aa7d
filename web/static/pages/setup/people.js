// @ts-check
// Who sits where: names added by typing or in one tap, seated by buttons or by dragging, each with a nose of their own.
import { $, attr, childrenOf, firstIn, h, input, match, put, s } from "../../lib/dom.js";
import { alike, tidy } from "../../lib/name-list.js";
import { t } from "../../lib/words.js";

const LONGEST = 40;
/** @type {Record<string, string>} */
const ICONS = { up: "M12 19V6M6 11l6-6 6 6", down: "M12 5v13M6 13l6 6 6-6", remove: "M6 6l12 12M18 6L6 18" };

/** @param {string} name */
const icon = (name) => s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));

/** @param {string} name */
const taken = (name) => t("“{name}” is there already. Add a letter to one.", { name });

export class People {
  #next = 1;

  /**
   * *on*: {changed(), bind(number)}; *real*: whether noses are real and can be bound; *phones*: those that are
   * phones beside wired ones.
   *
   * @param {HTMLElement} list
   * @param {Page.Person[]} people
   * @param {{ changed: () => void; bind: (number: number | null) => unknown; real: boolean; phones: string[] }} given
   */
  constructor(list, people, { changed, bind, real, phones }) {
    this.list = list;
    this.people = people;
    this.dragging = false;
    this.left = (/** @type {Page.Person} */ _person) => {};
    this.changed = changed;
    this.bind = bind;
    this.real = real;
    this.phones = phones;
    /** @type {number | null} */
    this.waiting = null;
    for (const person of people) person.id = this.#next++;
    list.addEventListener("pointerdown", (event) => this.#grab(event));
  }

  /**
   * Add *name*; return a sentence when it cannot be.
   *
   * @param {string} name
   */
  add(name) {
    const clean = tidy(name);
    const why = this.#refusal(clean);
    if (why) return why;
    this.people.push(this.made(clean));
    this.#moved();
    return "";
  }

  /** @param {string} clean */
  #refusal(clean) {
    if (!clean) return t("Type a name first.");
    if ([...clean].length > LONGEST)
      return t("“{name}…” is longer than {n} characters: shorten it.", { name: clean.slice(0, 20), n: LONGEST });
    return this.people.some((person) => alike(person.name, clean)) ? taken(clean) : "";
  }

  /**
   * Return how many there are once *names* have been added.
   *
   * @param {string[]} names
   */
  with(names) {
    const fresh = names.filter((name, i) => !this.#refusal(name) && names.findIndex((one) => alike(one, name)) === i);
    return this.people.length + fresh.length;
  }

  /**
   * Return a person of this *name*, who is not in the list yet.
   *
   * @param {string} name
   * @returns {Page.Person}
   */
  made(name) {
    return { id: this.#next++, name, line: null };
  }

  /** @param {Page.Person} person */
  leave(person) {
    this.left(person);
    this.people.splice(this.people.indexOf(person), 1);
    this.#moved();
  }

  /** Seat everybody by lot. */
  mix() {
    for (let i = this.people.length - 1; i > 0; i--) {
      const other = Math.floor(Math.random() * (i + 1));
      [this.people[i], this.people[other]] = [this.people[other], this.people[i]];
    }
    this.#moved();
  }

  /** @param {Page.Person} person */
  remove(person) {
    const at = this.people.indexOf(person);
    this.leave(person);
    const next = this.list.children[Math.min(at, this.people.length - 1)];
    (next ? $(".remove", next) : $("#newcomer")).focus();
  }

  /**
   * @param {Page.Person} person
   * @param {number} by
   */
  move(person, by) {
    const from = this.people.indexOf(person);
    const to = from + by;
    if (to < 0 || to >= this.people.length) return;
    this.people.splice(to, 0, ...this.people.splice(from, 1));
    this.#moved();
  }

  #moved() {
    this.show();
    this.changed();
  }

  /** Return what is wrong, by person's id. */
  wrong() {
    const found = new Map();
    for (const [i, person] of this.people.entries()) {
      const twin = this.people.findIndex((other) => alike(other.name, person.name));
      if (!tidy(person.name)) found.set(person.id, t("Type a name first."));
      else if (twin < i) found.set(person.id, taken(person.name));
    }
    return found;
  }

  show() {
    const wrong = this.wrong();
    match(
      this.list,
      this.people,
      (person) => person.id,
      (person) => this.#row(person),
      (row, person, i) => {
        const [grip, , tools, line, note] = childrenOf(row);
        const field = input("input", row);
        put(firstIn(grip), i + 1);
        attr(grip, "aria-label", t("Seat {seat}: drag to move {player}", { seat: i + 1, player: person.name }));
        if (field.value !== person.name && document.activeElement !== field) field.value = person.name;
        attr(field, "aria-label", t("{what}: {says}", { what: t("Name"), says: t("seat {n}", { n: i + 1 }) }));
        attr(field, "aria-invalid", wrong.has(person.id) ? "true" : null);
        const [up, down, remove] = /** @type {HTMLButtonElement[]} */ (childrenOf(tools));
        up.disabled = i === 0;
        down.disabled = i === this.people.length - 1;
        attr(up, "aria-label", t("Move {player} up", { player: person.name }));
        attr(down, "aria-label", t("Move {player} down", { player: person.name }));
        attr(remove, "aria-label", t("Remove {player}", { player: person.name }));
        row.classList.toggle("phone", person.phone === true);
        put(note, wrong.get(person.id) ?? "");
        if (line) this.#line(row, line, person, i + 1);
      },
    );
  }

  /** @param {Page.Person} person */
  #row(person) {
    const move = (/** @type {number} */ by) => (/** @type {MouseEvent} */ event) => {
      const pressed = /** @type {HTMLButtonElement} */ (event.currentTarget);
      this.move(person, by);
      const others = childrenOf(/** @type {Element} */ (pressed.parentElement));
      (pressed.disabled ? others[by < 0 ? 1 : 0] : pressed).focus();
    };
    const tool = (/** @type {string} */ name, /** @type {(event: MouseEvent) => void} */ click) =>
      h("button", { type: "button", class: `icon ${name}`, click }, icon(name));
    const keys = (/** @type {KeyboardEvent} */ event) => {
      const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
      if (!by) return;
      event.preventDefault();
      this.move(person, by);
      /** @type {HTMLElement} */ (event.currentTarget).focus();
    };
    return h(
      "li",
      {},
      h("button", { type: "button", class: "grip", keydown: keys }, h("span", { class: "seat" })),
      h("input", {
        type: "text",
        maxlength: 40,
        autocomplete: "off",
        autocapitalize: "words",
        enterkeyhint: "done",
        input: (event) => {
          person.name = event.target.value;
          this.show();
          this.changed();
        },
        keydown: (event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          $("#newcomer").focus();
        },
      }),
      h(
        "span",
        { class: "tools" },
        tool("up", move(-1)),
        tool("down", move(1)),
        tool("remove", () => this.remove(person)),
      ),
      this.real
        ? h(
            "span",
            { class: "line" },
            h("span"),
            h("button", { type: "button", class: "linkish" }),
            h("button", { type: "button", class: "linkish", hidden: !this.phones.length }),
          )
        : h("span", { hidden: true }),
      h("span", { class: "wrong" }),
    );
  }

  /**
   * @param {HTMLElement} row
   * @param {HTMLElement} line
   * @param {Page.Person} person
   * @param {number} number
   */
  #line(row, line, person, number) {
    if (!this.real) return;
    const waits = this.waiting === number;
    row.classList.toggle("waiting", waits);
    const phone = this.phones.includes(person.line ?? "");
    const [nose, press, call] = childrenOf(line);
    put(
      nose,
      waits
        ? `${t("Press your nose")}…`
        : phone
          ? t("{what}: {says}", { what: t("A phone"), says: (person.line ?? "").split(".")[1] })
          : (person.line ?? t("any free nose")),
    );
    put(press, waits ? t("Never mind") : t("Press your nose"));
    press.onclick = () => this.bind(waits ? null : number);
    const free = this.phones.find((one) => this.people.every((other) => other.line !== one));
    attr(call, "hidden", waits || !(phone || free));
    put(call, phone ? t("No phone") : t("A phone"));
    call.onclick = () => {
      person.line = phone ? null : (free ?? null);
      this.show();
      this.changed();
    };
  }

  /**
   * Dragging: the row follows the finger, the others make room.
   *
   * @param {PointerEvent} event
   */
  #grab(event) {
    const grip = /** @type {Element} */ (event.target).closest(".grip");
    const row = grip?.closest("li");
    const person = this.people.find(({ id }) => String(id) === row?.dataset.key);
    if (!(grip instanceof HTMLElement) || !row || !person || event.button > 0) return;
    let from_y = event.clientY;
    this.dragging = true;
    grip.setPointerCapture(event.pointerId);
    const drag = (/** @type {PointerEvent} */ moved) => {
      row.classList.add("drag");
      const dy = moved.clientY - from_y;
      const step = row.offsetHeight + 2;
      const by = Math.abs(dy) > step * 0.6 ? Math.sign(dy) : 0;
      const at = this.people.indexOf(person);
      if (by && at + by >= 0 && at + by < this.people.length) {
        const before = row.offsetTop;
        this.people.splice(at + by, 0, ...this.people.splice(at, 1));
        // The dragged row stays in the document, so that it keeps the pointer: its neighbour moves around it.
        if (by > 0) row.before(/** @type {Element} */ (row.nextElementSibling));
        else row.after(/** @type {Element} */ (row.previousElementSibling));
        from_y += row.offsetTop - before;
        this.show();
      }
      row.style.transform = `translateY(${moved.clientY - from_y}px)`;
    };
    const drop = () => {
      this.dragging = false;
      row.classList.remove("drag");
      row.style.transform = "";
      grip.removeEventListener("pointermove", drag);
      for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) grip.removeEventListener(end, drop);
      this.#moved();
    };
    grip.addEventListener("pointermove", drag);
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) grip.addEventListener(end, drop);
  }
}
