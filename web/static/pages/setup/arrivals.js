// @ts-check
// Who sits down by phone comes into the list as they come; how a host orders it is told to every screen.
import { ask } from "../../lib/api.js";
import { alike, tidy } from "../../lib/name-list.js";

const SOON_MS = 150;

export class Arrivals {
  #seen = ""; // the lobby as it was taken over last
  #changes = 0; // of the list on this page, by somebody's hand
  #told = 0; // those that the table knows of
  #under_way = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {Set<string>} */
  #removed = new Set();

  /**
   * *noses* are the lines of the table; *open*: whether no game goes on, so that the list is the lobby.
   *
   * @param {import("./people.js").People} people
   * @param {{ noses: string[]; may: boolean; shown: () => void }} given
   */
  constructor(people, { noses, may, shown }) {
    this.people = people;
    this.noses = noses;
    this.may = may;
    this.shown = shown;
  }

  /** The guests whom somebody has taken off the list here, and who are there still. */
  get removed() {
    return [...this.#removed];
  }

  get #touched() {
    return this.#changes > this.#told;
  }

  /** Note that somebody has changed the list; every screen is told soon. */
  touched() {
    this.#changes++;
    this.#soon();
  }

  #soon() {
    clearTimeout(this.#timer);
    if (this.may) this.#timer = setTimeout(() => this.#tell(), SOON_MS);
  }

  /** @param {Page.Person} person */
  left(person) {
    if (person.guest) this.#removed.add(person.guest);
  }

  /**
   * Take over who is at the table by now.
   *
   * @param {Api.Snapshot} state
   */
  follow(state) {
    this.may &&= true;
    const open = ["setup", "won"].includes(state.phase);
    const { guests } = state.lobby;
    const now = JSON.stringify(guests.map((one) => [one.id, one.name, one.device, one.line]));
    if (now === this.#seen || this.#under_way || this.people.dragging) return;
    const first = this.#seen === "";
    this.#seen = now;
    if (!guests.length && first) return; // what was set up here before, or last time, stays
    const { people } = this.people;
    const here = guests.filter((one) => !this.#removed.has(one.id));
    const known = (/** @type {Api.GuestView} */ one) =>
      people.find((person) => person.guest === one.id) ?? people.find((person) => alike(person.name, one.name));
    const listed = here.map((one) => this.#person(one, known(one)));
    // Names that only this page knows: of the last time they make room for who really comes.
    const own = people.filter((person) => !person.guest && !listed.includes(person) && this.#touched);
    const order = open && !this.#touched ? [...listed, ...own] : this.#ordered(people, [...listed, ...own]);
    people.splice(0, people.length, ...order);
    this.shown();
  }

  /**
   * @param {Page.Person[]} before
   * @param {Page.Person[]} now
   */
  #ordered(before, now) {
    const stay = before.filter((person) => now.includes(person));
    return [...stay, ...now.filter((person) => !stay.includes(person))];
  }

  /**
   * @param {Api.GuestView} one
   * @param {Page.Person | undefined} was
   * @returns {Page.Person}
   */
  #person(one, was) {
    const person = was ?? this.people.made(one.name);
    person.guest = one.id;
    person.phone = one.device !== "";
    if (!was || !this.#touched) person.name = one.name;
    if (one.device && this.noses.includes(one.line)) person.line ??= one.line;
    return person;
  }

  async #tell() {
    if (this.people.wrong().size) return undefined; // a name is being typed: told with the next change
    if (this.#under_way) return this.#soon();
    this.#under_way = true;
    const changes = this.#changes; // what is changed while this is under way is told with the next
    const told = this.people.people.map((person) => ({ person, name: tidy(person.name) }));
    const guests = told.map(({ person, name }) => ({ name, id: person.guest ?? "" }));
    const removed = this.removed;
    try {
      const lobby = await ask("/api/v1/lobby", { body: { guests, removed } });
      for (const { person, name } of told) {
        const found = lobby.guests.find((one) => alike(one.name, name));
        if (found) person.guest = found.id;
      }
      for (const id of removed) if (!lobby.guests.some((one) => one.id === id)) this.#removed.delete(id);
      this.#told = changes;
    } catch {
      // What could not be told is told with the next change.
    } finally {
      this.#under_way = false;
      this.#seen += " ";
    }
  }
}
