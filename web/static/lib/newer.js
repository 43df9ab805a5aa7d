// @ts-check
// A page that was open over an update of the program has the scripts of before: once the table is back it is loaded
// again, as soon as nobody has a finger on it, a number half typed or a dialog open.
const AGAIN_MS = 5000;
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

/** Whether the table has another script for this page than the one that runs here. */
async function isOld() {
  const [address, version] = document.querySelector("script[src^='/made/']")?.getAttribute("src")?.split("?v=") ?? [];
  if (!address || !version) return false;
  try {
    const answer = await fetch(address, { method: "HEAD", cache: "no-store" });
    return answer.ok && !answer.headers.get("ETag")?.includes(version);
  } catch {
    return false; // it is asked again when the stream is back
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
    if (!(await isOld()) || !live.connected) return;
    if (!inHand(/** @type {{ phase?: string }} */ (live.state))) return location.reload();
    clearTimeout(waiting);
    waiting = setTimeout(look, AGAIN_MS);
  };
  live.watch((connected) => (connected ? look() : clearTimeout(waiting)));
}
