// @ts-check
// The two buttons of the big screen, shown while a pointer moves: full screen, and sounds.
import { $, attr } from "../../lib/dom.js";
import { hear, setWanted, wanted } from "../../lib/sounds.js";
import { playAt, sounds, wake } from "../../lib/tones.js";

const SEEN_MS = 4000;

/**
 * Make the buttons in *root* work, and come and go with the pointer.
 *
 * @param {HTMLElement} root
 */
export function controls(root) {
  const fill = $("[data-do=fill]", root);
  const loud = $("[data-do=sounds]", root);
  attr(fill, "hidden", !document.documentElement.requestFullscreen);
  attr(loud, "hidden", !sounds);
  attr(loud, "aria-pressed", String(wanted("tones")));
  fill.onclick = () => filled();
  loud.onclick = () => {
    const on = !wanted("tones");
    setWanted("tones", on);
    attr(loud, "aria-pressed", String(on));
    if (on) playAt([["armed", 0]]).catch(() => {});
  };
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const seen = () => {
    document.body.classList.add("pointed");
    clearTimeout(timer);
    timer = setTimeout(() => document.body.classList.remove("pointed"), SEEN_MS);
  };
  for (const name of ["pointermove", "pointerdown", "keydown"]) addEventListener(name, seen, { passive: true });
  addEventListener("keydown", (event) => {
    if (event.key === "f" && !event.ctrlKey && !event.metaKey) filled();
  });
  addEventListener("pointerdown", () => wanted("tones") && wake().catch(() => {}), { once: true });
}

function filled() {
  const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  Promise.resolve(done).catch(() => {});
}

/**
 * Let be heard what *state* brings; with the *times* of a replay a tick a nose, and the letter as it lands.
 *
 * @param {Api.Snapshot} state
 * @param {ReturnType<typeof import("../../photo-finish/timeline.js").timeline> | null} times
 * @param {boolean} still
 */
export function tell(state, times, still) {
  if (!times || still || !wanted("tones")) {
    hear(state, { ...state, signalled: state.signalled - 1 });
    return;
  }
  /** @type {[signal: string, at_ms: number][]} */
  const beats = (state.finish?.marks ?? []).map((mark) => ["mark", times.at(mark.t_ns) * 1000]);
  beats.push([state.phase === "dead-heat" ? "dead-heat" : "decided", times.last * 1000]);
  if (state.rows.some((row) => row.new)) beats.push(["letter", times.letter * 1000]);
  if (state.phase === "won") beats.push(["won", times.letter * 1000 + 900]);
  playAt(beats).catch(() => {});
}
