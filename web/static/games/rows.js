// @ts-check
// Players as rows: seat, name, letters with blanks for what is missing. No game is known here.
import { attr, childrenOf, firstIn, h, lastIn, match, put } from "../lib/dom.js";
import { folded, named } from "../lib/fit.js";
import { say } from "../lib/icons.js";
import { tappable } from "../lib/taps.js";
import { t } from "../lib/words.js";

const TURNED = scripts("Hebrew Arabic Syriac Thaana Nko Adlam", "^");
const [SMALLEST, GAP] = [12, 4]; // of names side by side, in pixels
const [SLOT, A_LINE] = [12, 6]; // a letter below them, in pixels, and how many of them stand on one line
const JOINED = scripts("Arabic Syriac Nko Adlam Mongolian Devanagari Bengali Gurmukhi");

/**
 * Return what finds a letter of one of the scripts *names*.
 *
 * @param {string} names
 * @param {string} [from]
 */
function scripts(names, from = "") {
  return new RegExp(`${from}[${names.replace(/\w+ ?/g, (name) => `\\p{Script=${name.trim()}}`)}]`, "u");
}

/**
 * Draw the letters of *row* into *box*; slots that are there stay, so that only a new letter moves.
 *
 * A letter has the form that it has alone; the whole word of a script whose letters join is written as one.
 *
 * @param {HTMLElement} box
 * @param {Page.Lettered} row
 */
export function letters(box, row) {
  const slots = row.word.length ? row.word : row.letters;
  const word = slots.join("");
  const whole = row.letters.length === slots.length && JOINED.test(word);
  attr(box, "dir", TURNED.test(word) ? "rtl" : null);
  box.classList.toggle("many", slots.length > 6 && !whole);
  match(
    box,
    whole ? [word] : slots,
    (_, i) => i,
    () => h("span"),
    (slot, _, i) => {
      const has = i < row.letters.length;
      put(slot, whole ? word : has ? row.letters[i] : "");
      slot.classList.toggle("has", has);
      slot.classList.toggle("new", has && row.new && (whole || i === row.letters.length - 1));
    },
  );
  attr(box, "role", "img");
  attr(
    box,
    "aria-label",
    row.letters.length
      ? t("{letters} of {word}", { letters: row.letters.join(""), word: row.word.join("") })
      : t("no letter yet"),
  );
}

/**
 * Return the little words beside a name: what this player does or is.
 *
 * @param {Api.PlayerRow} row
 */
export function tags(row) {
  /** @type {[style: string, words: string][]} */
  const found = [];
  if (row.winner) found.push(["won", t("wins")]);
  if (row.out && !row.winner) found.push(["out", t("out")]);
  if (row.dealer) found.push(["deal", t("deals")]);
  if (row.phantom) found.push(["also", t("touched without one")]);
  return found;
}

/**
 * Return what tells the place of *row* in a list: points leave nothing behind where letters stand next, nor letters.
 *
 * @param {Api.PlayerRow} row
 */
export const keyOf = (row) => `${row.seat} ${row.score == null ? "letters" : "points"}`;

/**
 * Return how many of *rows* stand side by side in *parent*, in rows of one length: as many as have room for their
 * names and letters.
 *
 * @param {HTMLElement} parent
 * @param {Api.PlayerRow[]} rows
 */
function abreast(parent, rows) {
  const wide = parent.clientWidth || 328;
  const name_px = SMALLEST * Math.max(1, ...rows.map((row) => folded(row.player, 600)));
  const least_px = Math.max(name_px, ...rows.map((row) => SLOT * Math.min(A_LINE, row.word.length)));
  const most = Math.min(wide < 600 ? 6 : 9, Math.floor((wide + GAP) / (least_px + 2 * GAP)));
  const fewest = rows.length > 12 && wide > 300 ? 4 : 3;
  return Math.ceil(rows.length / Math.ceil(rows.length / Math.max(fewest, most)));
}

/**
 * Show *rows* in the list *parent*; *last* are the seats that were last just now, *lamps* the lamps of all seats.
 *
 * @param {HTMLElement} parent
 * @param {Api.PlayerRow[]} rows
 * @param {number[]} last
 * @param {Api.Lamp[]} [lamps]
 */
export function players(parent, rows, last, lamps = []) {
  const light = new Map(lamps.map((lamp) => [lamp.seat, lamp.light]));
  parent.style.setProperty("--abreast", String(abreast(parent, rows)));
  match(
    parent,
    rows,
    keyOf,
    () => {
      const name = h("span", { class: "name" }, h("bdi"));
      return h("li", {}, h("span", { class: "seat" }), name, h("span", { class: "word" }));
    },
    (item, row) => {
      const [seat, name, word] = childrenOf(item);
      put(seat, row.seat);
      attr(seat, "data-light", light.get(row.seat));
      named(firstIn(name), row.player, 600);
      const small = tags(row);
      while (name.children.length > 1) lastIn(name).remove();
      for (const [kind, words] of small) name.append(h("span", { class: `tag ${kind}` }, words));
      for (const words of row.notes ?? []) {
        const note = h("span", { class: "tag also" });
        say(note, words);
        name.append(note);
      }
      for (const [style, on] of Object.entries({
        out: row.out && !row.winner,
        won: row.winner,
        last: last.includes(row.seat),
        held: row.held,
        pressed: row.pressed,
        elsewhere: row.line !== "" && !tappable(row.line),
      })) {
        item.classList.toggle(style, Boolean(on));
      }
      if (row.score != null) {
        word.className = "score";
        put(word, row.score);
      } else letters(word, row);
    },
  );
}

/**
 * Return the headline of *state* in its parts: the letter that was just won stands in red.
 *
 * @param {Api.Snapshot} state
 */
export function withLetter({ headline, phase, rows }) {
  const fresh = ["verdict", "won"].includes(phase) ? rows?.find((row) => row.new && row.letters.length) : null;
  return lettered(headline, fresh?.letters.at(-1) ?? "");
}

/**
 * Return *sentence* in its parts: *letter*, if it ends with that alone, stands in red.
 *
 * @param {string} sentence
 * @param {string} letter
 */
export function lettered(sentence, letter) {
  const before = sentence.slice(0, sentence.length - letter.length);
  const red = letter && sentence.endsWith(letter) && /[^\p{L}]$/u.test(before);
  return red ? [before, h("em", {}, letter)] : [sentence];
}
