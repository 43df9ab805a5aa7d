// @ts-check
// Names in scripts that this machine has no font for: what would be a box is looked for, and the table's own letters
// are fetched for it. Where the machine can write a name itself, nothing happens.
const FACE = "Last Nose names"; // stands first in the page's list of fonts, with those letters only
const FROM = 0x590; // every machine writes Latin, Greek and Cyrillic
const NOBODYS = "\u{10fffd}"; // no font has it: this is how a box looks here
const SIZE = 24;

/** @type {Map<string, boolean>} */
const known = new Map();
/** @type {CanvasRenderingContext2D | null | undefined} */
let pen;
/** @type {string | undefined} */
let box;

/**
 * Make sure that *names* can be read here.
 *
 * @param {string[]} names
 */
export async function readable(names) {
  const news = [...new Set(names.join(""))].filter(
    (letter) => (letter.codePointAt(0) ?? 0) >= FROM && !known.has(letter),
  );
  const missing = news.filter((letter) => !written(letter)).join("");
  if (!missing) return;
  try {
    const answer = await fetch(`/names.json?text=${encodeURIComponent(missing)}`);
    /** @type {{ url: string; text: string }[]} */
    const faces = await answer.json();
    for (const { url, text } of faces) {
      const unicodeRange = [...text].map((letter) => `U+${letter.codePointAt(0)?.toString(16)}`).join(",");
      const letters = await (await fetch(url)).arrayBuffer();
      document.fonts.add(await new FontFace(FACE, letters, { unicodeRange }).load());
    }
  } catch {
    for (const letter of missing) known.delete(letter); // the next names try again
  }
}

/** @param {string} letter */
function written(letter) {
  box ??= drawn(NOBODYS);
  const found = drawn(letter) !== box;
  known.set(letter, found);
  return found;
}

/** @param {string} letter */
function drawn(letter) {
  if (!pen) {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 2 * SIZE;
    pen = canvas.getContext("2d", { willReadFrequently: true });
  }
  if (!pen) return letter;
  pen.clearRect(0, 0, 2 * SIZE, 2 * SIZE);
  pen.font = `${SIZE}px ${getComputedStyle(document.body).fontFamily}`;
  pen.fillText(letter, 4, 1.5 * SIZE);
  return pen.getImageData(0, 0, 2 * SIZE, 2 * SIZE).data.join();
}
