// A game's options, drawn from what the game says about them: flags, choices and words.
import { $, attr, h, put } from "./dom.js";
import { t } from "./words.js";

const VIRAMA = /[\u094d\u09cd\u0acd\u0b4d\u0c4d\u0ccd\u0d4d\u17d2\u1039]\u200d?$/; // what draws the next letter to it
const letters = (word) => [...new Intl.Segmenter().segment(word.trim())].map((one) => one.segment).filter((_, i, all) => !i || !VIRAMA.test(all[i - 1]));

/** Draw the options *fields* with *values* into *root*; call *changed(key, value)* when one is set. */
export function draw(root, fields, values, changed) {
  root.replaceChildren(...fields.map((field) => {
    const set = (value) => changed(field.key, value);
    const element = { flag, choice, word }[field.kind](field, values[field.key] ?? field.default, set);
    element.dataset.option = field.key;
    return element;
  }));
}

function flag(field, value, set) {
  return h("label", { class: "flag" }, h("span", { class: "name" }, field.label), h("small", {}, field.explain),
    h("input", { type: "checkbox", class: "switch", role: "switch", checked: value === true, change: (event) => set(event.target.checked) }));
}

function choice(field, value, set) {
  return h("fieldset", {}, h("legend", {}, field.label), h("small", {}, field.explain),
    ...field.choices.map((one) => h("label", { class: "pick" },
      h("input", { type: "radio", name: `option-${field.key}`, checked: one.value === value, change: () => set(one.value) }),
      one.label, h("small", {}, one.explain))));
}

function word(field, value, set) {
  const wrong = h("span", { class: "wrong", role: "alert" });
  const input = h("input", { type: "text", value, maxlength: 96, autocomplete: "off", autocapitalize: "characters", spellcheck: "false",
    input: (event) => {
      const found = letters(event.target.value);
      const bad = found.length < 1 || found.length > 12 || found.some((letter) => !/^\p{L}/u.test(letter));
      put(wrong, bad ? t("1 to 12 letters, please.") : "");
      attr(event.target, "aria-invalid", bad ? "true" : null);
      set(event.target.value.trim());
    } });
  return h("div", {}, h("label", { class: "field" }, h("span", { class: "name" }, field.label), h("small", {}, field.explain), input), wrong);
}

/** Return the options that count: those whose condition holds. */
export function relevant(fields, values) {
  const value = (key) => values[key] ?? fields.find((field) => field.key === key)?.default;
  return fields.filter((field) => !field.only_if || value(field.only_if[0]) === field.only_if[1]);
}

/** Hide the options that do not count now. */
export function hide(root, fields, values) {
  const counting = new Set(relevant(fields, values).map((field) => field.key));
  for (const element of root.children) attr(element, "hidden", !counting.has(element.dataset.option));
}

/** Say in a few words which rules differ from the usual ones. */
export function summary(fields, values) {
  const changed = relevant(fields, values).filter((field) => field.key in values && values[field.key] !== field.default);
  if (!changed.length) return t("as usual");
  return changed.map((field) => {
    if (field.kind === "flag") return values[field.key] ? field.label : t("without: {option}", { option: field.label });
    if (field.kind === "word") return values[field.key];
    return field.choices.find((one) => one.value === values[field.key])?.label ?? field.label;
  }).join(" · ");
}

/** Mark the option that *sentence* speaks about, if it names one; return whether one was found. */
export function blame(root, fields, { message, field }) {
  const named = fields.find((one) => one.key === field) ?? fields.find((one) => message.includes(one.label) || message.includes(`“${one.key}”`));
  const element = named && $(`[data-option="${named.key}"]`, root);
  if (!element) return false;
  element.closest("details")?.setAttribute("open", "");
  const note = $(".wrong", element) ?? element.appendChild(h("span", { class: "wrong", role: "alert" }));
  put(note, message);
  element.scrollIntoView({ block: "nearest" });
  return true;
}
