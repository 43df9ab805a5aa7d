// @ts-check
// A page that was open over an update of the program has the scripts of before: once the table is back it is loaded
// again, as soon as nobody has a finger on it, a number half typed or a dialog open.
import { keep, kept } from "./kept.js";

const AGAIN_MS = 5000;
const LOADED_FOR = "lastnose.loaded-for"; // once for each: somebody on the way may keep the page of before
const IN_HAND = "dialog[open], .se-editor, .down, .held";
const TYPED = "input:not([type=checkbox], [type=radio]), textarea";

/**
 * Whether somebody is at this page, or its round is under way.
 *
 * @param {{ phase?: string }} state
 */
function inHand({ phase }) {
  if (phase === "armed" || phase === "judging" || document.querySelector(IN_HAND)) return true;
  const fields = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(TYPED));
  return [...fields].some((one) => one.value !== one.defaultValue && one.getClientRects().length > 0);
}

/** Return what the table calls its script for this page if it is another than the one that runs here, or "". */
async function newer() {
  const [address, version] = document.querySelector("script[src^='/made/']")?.getAttribute("src")?.split("?v=") ?? [];
  if (!address || !version) return "";
  try {
    const answer = await fetch(address, { method: "HEAD", cache: "no-store" });
    const found = (answer.ok && answer.headers.get("ETag")) || "";
    return found.includes(version) || found === kept(LOADED_FOR, "sessionStorage") ? "" : found;
  } catch {
    return ""; // it is asked again when the stream is back
  }
}

/**
 * Load this page again when *live* comes back from a table with newer scripts.
 *
 * @param {{ connected: boolean; state: unknown; watch(watcher: (connected: boolean) => unknown): unknown }} live
 */
export function followUpdates(live) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  const look = async () => {
    clearTimeout(waiting);
    const found = await newer();
    if (!found || !live.connected) return;
    clearTimeout(waiting);
    if (inHand(/** @type {{ phase?: string }} */ (live.state))) waiting = setTimeout(look, AGAIN_MS);
    else {
      keep(LOADED_FOR, found, "sessionStorage");
      location.reload();
    }
  };
  live.watch((connected) => (connected ? look() : clearTimeout(waiting)));
}
