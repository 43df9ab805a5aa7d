// @ts-check
// The browser's own voice, in the page's language: what is written to be read becomes what is said to be heard.
import { LANG, t } from "./words.js";

const synthesis = globalThis.speechSynthesis;
let turn = 0;

/** @type {Record<string, string>} */
const SUITS = { "♠": t("spades"), "♥": t("hearts"), "♦": t("diamonds"), "♣": t("clubs") };
/** @type {Record<string, string>} */
const RANKS = { [t("A")]: t("ace"), [t("K")]: t("king"), [t("Q")]: t("queen"), [t("J")]: t("jack") };
/** @type {Record<string, string>} */
const UNITS = { s: t("seconds"), ms: t("milliseconds"), µs: t("microseconds") };
/** @type {Record<string, string>} */
const SIGNS = { "±": ` ${t("give or take")} `, "×": ` ${t("times")} `, "−": ` ${t("minus")} `, "·": ", " };

/**
 * Return *words* as they are heard: “K♠, 0.4 s ± 20 µs” has a king of spades, seconds, and a give or take; what stands
 * in brackets is said between commas, and a plus goes without saying.
 *
 * @param {string} words
 */
export function heard(words) {
  return words
    .replace(/(10|[2-9]|[AKQJRDV])([♠♥♦♣])/gu, (_, rank, suit) =>
      t("{rank} of {suit}", { rank: RANKS[rank] ?? rank, suit: SUITS[suit] }),
    )
    .replace(/[♠♥♦♣]/gu, (suit) => ` ${SUITS[suit]} `)
    .replace(/(\d)\s?(ms|µs|s)(?!\p{L})/gu, (_, digit, unit) => `${digit} ${UNITS[unit]}`)
    .replace(/−(?=\s?\d)|[±×·]/gu, (sign) => SIGNS[sign] ?? sign)
    .replace(/\+\s?(?=\d)/gu, "")
    .replace(/[()]/gu, ", ")
    .replace(/[\s,]*,\s*(?=[.,:;!?…]|$)/gu, "")
    .replace(/\s+,/gu, ",")
    .replace(/\s+/gu, " ")
    .trim();
}

/** Whether this browser can speak. */
export const speaks = Boolean(synthesis && globalThis.SpeechSynthesisUtterance);

/** Be silent now. */
export function hush() {
  turn += 1;
  synthesis?.cancel();
}

/**
 * Say *words*; return when they have been said, or cut short.
 *
 * @param {string} words
 */
export function speak(words) {
  return new Promise((done) => {
    const utterance = new SpeechSynthesisUtterance(heard(words));
    utterance.lang = LANG;
    utterance.voice = synthesis.getVoices().find((voice) => voice.lang.toLowerCase().startsWith(LANG)) ?? null;
    utterance.onend = done;
    utterance.onerror = done;
    synthesis.speak(utterance);
  });
}

/**
 * Say all of *sentences*, one after the other; *reached(i)* is called as each begins.
 *
 * @param {string[]} sentences
 * @param {(i: number) => void} reached
 */
export async function lines(sentences, reached) {
  hush();
  const mine = turn;
  for (const [i, sentence] of sentences.entries()) {
    if (turn !== mine) return;
    reached(i);
    await speak(sentence);
  }
}
