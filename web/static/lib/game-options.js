// @ts-check
// A game's options, drawn from what the game says about them: flags, choices, words and numbers.
import { attr, childrenOf, h, maybe, put } from "./dom.js";
import { t } from "./words.js";

const VIRAMA = /[\u094d\u09cd\u0acd\u0b4d\u0c4d\u0ccd\u0d4d\u17d2\u1039]\u200d?$/; // what draws the next letter to it

/** @param {string} word */
const letters = (word) =>
  [...new Intl.Segmenter().segment(word.trim())]
    .map((one) => one.segment)
    .filter((_, i, all) => !i || !VIRAMA.test(all[i - 1]));

/** @typedef {(value: unknown) => void} Setter */
/** @type {Record<string, (field: Api.OptionField, value: unknown, set: Setter, name: string) => HTMLElement>} */
const DRAW = { flag, choice, word, number };

/**
 * Draw the options *fields* with *values* into *root*; call *changed(key, value)* when one is set.
 *
 * @param {HTMLElement} root
 * @param {Api.OptionField[]} fields
 * @param {Page.Options} values
 * @param {(key: string, value: unknown) => void} changed
 */
export function draw(root, fields, values, changed) {
  root.replaceChildren(
    ...fields.map((field) => {
      const set = (/** @type {unknown} */ value) => changed(field.key, value);
      const name = `${root.id}-option-${field.key}`; // two boxes of one page are not one choice
      const element = DRAW[field.kind](field, values[field.key] ?? field.default, set, name);
      element.dataset.option = field.key;
      return element;
    }),
  );
}

/**
 * @param {Api.OptionField} field
 * @param {unknown} value
 * @param {(value: unknown) => void} set
 */
function flag(field, value, set) {
  return h(
    "label",
    { class: "flag" },
    h("span", { class: "name" }, field.label),
    field.explain && h("small", {}, field.explain),
    h("input", {
      type: "checkbox",
      class: "switch",
      role: "switch",
      checked: value === true,
      change: (event) => set(event.target.checked),
    }),
  );
}

/**
 * @param {Api.OptionField} field
 * @param {unknown} value
 * @param {(value: unknown) => void} set
 * @param {string} name
 */
function choice(field, value, set, name) {
  return h(
    "fieldset",
    {},
    h("legend", {}, field.label),
    field.explain && h("small", {}, field.explain),
    ...field.choices.map((one) =>
      h(
        "label",
        { class: "pick" },
        h("input", {
          type: "radio",
          name,
          checked: one.value === value,
          change: () => set(one.value),
        }),
        one.label,
        one.explain && h("small", {}, one.explain),
      ),
    ),
  );
}

/**
 * @param {Api.OptionField} field
 * @param {unknown} value
 * @param {(value: unknown) => void} set
 */
function word(field, value, set) {
  const wrong = h("span", { class: "wrong", role: "alert" });
  const input = h("input", {
    type: "text",
    value: String(value),
    maxlength: 96,
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    input: () => {
      look();
      set(input.value.trim());
    },
  });
  const look = () => {
    const found = letters(input.value);
    const bad = found.length < 1 || found.length > 12 || found.some((letter) => !/^\p{L}/u.test(letter));
    put(wrong, bad ? t("1 to 12 letters, please.") : "");
    attr(input, "aria-invalid", bad ? "true" : null);
  };
  look();
  return h(
    "div",
    {},
    h(
      "label",
      { class: "field" },
      h("span", { class: "name" }, field.label),
      field.explain && h("small", {}, field.explain),
      input,
    ),
    wrong,
  );
}

/**
 * @param {Api.OptionField} field
 * @param {unknown} value
 * @param {(value: unknown) => void} set
 */
function number(field, value, set) {
  const wrong = h("span", { class: "wrong", role: "alert" });
  const { least, most } = field;
  const input = h("input", {
    type: "number",
    class: "short",
    inputmode: "numeric",
    value: String(value),
    min: least,
    max: most,
    input: (event) => {
      const found = event.target.value === "" ? NaN : Number(event.target.value);
      const bad = !Number.isInteger(found) || found < least || found > most;
      put(wrong, bad ? t("A whole number from {least} to {most}, please.", { least, most }) : "");
      attr(event.target, "aria-invalid", bad ? "true" : null);
      set(Number.isNaN(found) ? event.target.value : found);
    },
  });
  return h(
    "div",
    {},
    h(
      "label",
      { class: "field" },
      h("span", { class: "name" }, field.label),
      field.explain && h("small", {}, field.explain),
      input,
    ),
    wrong,
  );
}

/**
 * Return the options that count: those whose condition holds.
 *
 * @param {Api.OptionField[]} fields
 * @param {Page.Options} values
 */
function relevant(fields, values) {
  const value = (/** @type {string} */ key) => values[key] ?? fields.find((field) => field.key === key)?.default;
  return fields.filter((field) => !field.only_if || value(field.only_if[0]) === field.only_if[1]);
}

/**
 * Return those of the chosen *values* that count.
 *
 * @param {Api.OptionField[]} fields
 * @param {Page.Options} values
 * @returns {Page.Options}
 */
export function counting(fields, values) {
  const keys = new Set(relevant(fields, values).map((field) => field.key));
  return Object.fromEntries(Object.entries(values).filter(([key]) => keys.has(key)));
}

/**
 * Hide the options that do not count now.
 *
 * @param {HTMLElement} root
 * @param {Api.OptionField[]} fields
 * @param {Page.Options} values
 */
export function hide(root, fields, values) {
  const counting = new Set(relevant(fields, values).map((field) => field.key));
  for (const element of childrenOf(root)) attr(element, "hidden", !counting.has(element.dataset.option ?? ""));
}

/**
 * Say in a few words which rules differ from the usual ones.
 *
 * @param {Api.OptionField[]} fields
 * @param {Page.Options} values
 */
export function summary(fields, values) {
  const changed = relevant(fields, values).filter(
    (field) => field.key in values && values[field.key] !== field.default,
  );
  if (!changed.length) return t("as usual");
  return changed
    .map((field) => {
      if (field.kind === "flag")
        return values[field.key] ? field.label : t("without: {option}", { option: field.label });
      if (field.kind === "word") return String(values[field.key]);
      if (field.kind === "number") return `${field.label} ${values[field.key]}`;
      return field.choices.find((one) => one.value === values[field.key])?.label ?? field.label;
    })
    .join(" · ");
}

/**
 * Mark the option that *sentence* speaks about, if it names one; return whether one was found.
 *
 * @param {HTMLElement} root
 * @param {Api.OptionField[]} fields
 * @param {{ message: string; field: string | null }} given
 */
export function blame(root, fields, { message, field }) {
  const named =
    fields.find((one) => one.key === field) ??
    fields.find((one) => message.includes(one.label) || message.includes(`“${one.key}”`));
  const element = named && maybe(`[data-option="${named.key}"]`, root);
  if (!element) return false;
  element.closest("details")?.setAttribute("open", "");
  const note = maybe(".wrong", element) ?? element.appendChild(h("span", { class: "wrong", role: "alert" }));
  put(note, message);
  element.scrollIntoView({ block: "nearest" });
  return true;
}
