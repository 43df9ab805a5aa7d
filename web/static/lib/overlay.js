// @ts-check
// What is mixed into a picture elsewhere: as large as its address says, and pale while it is not live.
import { $, attr, put } from "./dom.js";
import { t } from "./words.js";

const BLINK_MS = 700; // a shorter loss is not worth a word

/** @param {{ connected: boolean; watch(watcher: () => unknown): unknown }} live */
export function overlay(live) {
  const root = $("main");
  root.style.setProperty("--scale", root.dataset.scale ?? "1");
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  const sign = () => {
    put($(".lost"), live.connected ? "" : t("Not connected"));
    attr($(".lost"), "hidden", live.connected);
    root.classList.toggle("stale", !live.connected);
  };
  live.watch(() => {
    clearTimeout(waiting);
    waiting = setTimeout(sign, live.connected ? 0 : BLINK_MS);
  });
  sign();
}
