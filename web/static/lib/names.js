// @ts-check
// Names in scripts that this machine has no font for: what would be a box is looked for, and the table's own letters
// are fetched for it. Where the machine can write a name itself, nothing happens.
export const FACE = "Last Nose names"; // stands first in the page's list of fonts, with those letters only
export const ARRIVED = "letters-arrived"; // said to the document: what was measured before may be wider now
const OTHERS = /[\u{590}-\u{1fff}\u{2300}-\u{10ffff}]/u; // every machine writes Latin, Greek, Cyrillic and their signs
const NOBODYS = "\u{10fffd}"; // no font has it: this is how a box looks here
const SIZE = 24;
const AT_ONCE = 400; // letters that the table is asked for

/** @type {Map<string, boolean>} */
const known = new Map();
/** @type {CanvasRenderingContext2D | null | undefined} */
let pen;
/** @type {string | undefined} */
let box;
/** @type {Promise<void>} */
let underWay = Promise.resolve();

/** Make sure that all can be read here that the page says, now and later, wherever it says it. */
export function readAlong() {
  const written = new MutationObserver((changes) => {
    const nodes = changes.flatMap(({ type, target, addedNodes }) =>
      type === "childList" ? [...addedNodes] : [target],
    );
    readable(nodes.map((node) => node.textContent ?? ""));
  });
  written.observe(document.body, { childList: true, characterData: true, subtree: true });
  readable([document.body.textContent ?? ""]);
}

/**
 * Make sure that *texts* can be read here; wait for letters that are under way for others, too.
 *
 * @param {string[]} texts
 */
export function readable(texts) {
  const news = [...new Set(texts.join(""))].filter((letter) => OTHERS.test(letter) && !known.has(letter));
  if (news.length) underWay = underWay.then(() => fetched(news));
  return underWay;
}

/** @param {string[]} letters */
async function fetched(letters) {
  const missing = letters.filter((letter) => !known.has(letter) && !written(letter));
  try {
    for (let from = 0; from < missing.length; from += AT_ONCE) await add(missing.slice(from, from + AT_ONCE).join(""));
  } catch {
    for (const letter of missing) known.delete(letter); // the next names try again
  }
}

/** @param {string} missing */
async function add(missing) {
  const answer = await fetch(`/names.json?text=${encodeURIComponent(missing)}`);
  /** @type {{ url: string; text: string }[]} */
  const faces = await answer.json();
  for (const { url, text } of faces) {
    const unicodeRange = [...text].map((letter) => `U+${letter.codePointAt(0)?.toString(16)}`).join(",");
    const letters = await (await fetch(url)).arrayBuffer();
    document.fonts.add(await new FontFace(FACE, letters, { unicodeRange }).load());
  }
  if (faces.length) document.dispatchEvent(new Event(ARRIVED));
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
