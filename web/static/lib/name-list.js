// @ts-check
// Names as people write them down: one, or a list of any length, typed or pasted.
const BETWEEN = /[,;\r\n\t]/;
// What a list has before a name, "1.", "2)" or "-", as the table has it (`companion/core/names.py`).
const MARK = /^\s*(?:[0-9]{1,3}[.)](?![0-9])|[•‣◦▪·]|[-–—*+](?=\s|$))\s*/;

/**
 * Return *name* as the table will know it.
 *
 * @param {string} name
 */
export const tidy = (name) => name.trim().replace(/\s+/g, " ");

/**
 * Return what is the same for two ways to write one name, as the table has it (`companion/core/names.py`).
 *
 * @param {string} name
 */
const written = (name) =>
  tidy(
    name
      .replace(/\p{Cf}/gu, "")
      .normalize("NFKC")
      .toLowerCase(),
  );

/**
 * Return whether two names are one.
 *
 * @param {string} a
 * @param {string} b
 */
export const alike = (a, b) => written(a) === written(b);

/** @param {string} line */
const unmarked = (line) => line.replace(MARK, "") || line;

/**
 * Return the names of a list.
 *
 * @param {string} words
 */
export const namesIn = (words) =>
  words
    .split(/[\r\n]/)
    .flatMap((line) => unmarked(line).split(BETWEEN))
    .map((name) => tidy(unmarked(name)))
    .filter(Boolean);

/**
 * Let a list that is pasted into *field* stand there with commas, for a field of one line has no other lines; then
 * *done*.
 *
 * @param {HTMLInputElement} field
 * @param {() => void} [done]
 */
export function pasting(field, done) {
  field.addEventListener("paste", (event) => {
    const words = event.clipboardData?.getData("text") ?? "";
    if (!BETWEEN.test(words.trim())) return;
    event.preventDefault();
    field.value = [...namesIn(field.value), ...namesIn(words)].join(", ");
    done?.();
  });
}
