// @ts-check
// What is wrong with the table, above every page: where there is little room the first of it, and how much more.
import { attr, firstIn, h, match, put } from "./dom.js";
import { t } from "./words.js";

const MORE = "";

/**
 * Show *lines* in *list*; where the style folds them a button opens them, but on a screen that nobody touches.
 *
 * @param {HTMLElement} list
 * @param {readonly string[]} lines
 */
export function faults(list, lines) {
  const others = lines.length - 1;
  const touched = !document.body.classList.contains("page-board");
  if (others < 1) list.classList.remove("open");
  const open = () => list.classList.contains("open");
  const tell = (/** @type {Element} */ item) => {
    const rest = t("and {n} more", { n: others });
    const says = firstIn(item);
    put(says, open() ? t("Close") : rest);
    if (touched) attr(says, "aria-expanded", String(open()));
  };
  match(
    list,
    others > 0 ? [...lines, MORE] : lines,
    (line, i) => (line === MORE ? "more" : `${i}:${line}`),
    (line) => (line === MORE ? h("li", { class: "more" }, h(touched ? "button" : "span")) : h("li", {}, line)),
    (item, line) => {
      if (line !== MORE) return;
      tell(item);
      item.onclick = () => {
        if (touched) list.classList.toggle("open");
        tell(item);
      };
    },
  );
}
