// @ts-check
// The clock of the round: how long it goes already, of how many minutes, and the button that stops it.
import { $, attr, put } from "../lib/dom.js";
import { wish } from "../lib/hall-page.js";
import { t } from "../lib/words.js";

/** @typedef {import("../lib/live.js").Live<Hall.HallScreen>} HallLive */

/**
 * Return how many seconds the round of *screen* has lasted at *now_s* (wall time), null between rounds.
 *
 * @param {Hall.HallScreen} screen
 * @param {number} now_s
 */
export function lasted(screen, now_s) {
  const round = (screen.rounds ?? []).filter((one) => one.called).at(-1);
  if (!round || screen.step !== "wait") return null;
  if (round.stands_s != null) return Math.max(0, round.stands_s);
  return Math.max(0, now_s - (round.called_at ?? 0) - (round.paused_s ?? 0));
}

/**
 * Return *seconds* as minutes and seconds.
 *
 * @param {number} seconds
 */
export const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/**
 * Keep the clock in the bar.
 *
 * @param {HallLive} live
 */
export function roundClock(live) {
  const clock = $(".clock");
  const pause = $("#pause");
  const stopped = () => (live.state.rounds ?? []).filter((one) => one.called).at(-1)?.stands_s != null;
  const tick = () => {
    const seconds = lasted(live.state, live.now_s());
    const most = Number(live.state.arrangement?.minutes ?? 0);
    attr(clock, "hidden", seconds === null);
    attr(pause, "hidden", seconds === null);
    if (seconds === null) return;
    put(clock, most ? `${minutes(seconds)} / ${most} min` : minutes(seconds));
    attr(clock, "class", most && seconds > most * 60 ? "clock num gold" : "clock num");
    put(pause, stopped() ? t("Go on") : t("Pause"));
  };
  pause.addEventListener("click", () => wish({ type: "pause", stands: !stopped() }));
  setInterval(tick, 1000);
  live.follow(tick);
}
