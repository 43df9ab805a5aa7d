// @ts-check
// The browser's own voice, in the page's language.
import { LANG } from "./words.js";

const synthesis = globalThis.speechSynthesis;
const PAUSE = /[♠♥♦♣×]/gu;
let turn = 0;

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
    const utterance = new SpeechSynthesisUtterance(words.replace(PAUSE, " "));
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
