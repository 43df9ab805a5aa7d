// @ts-check
// Our own short tones, made on the spot: [start ms, length ms, from Hz, to Hz, loudness].
/** @typedef {[start_ms: number, length_ms: number, from: number, to: number, loud: number]} Tone */

/** @type {Record<string, Tone[]>} */
const TONES = {
  armed: [
    [0, 90, 523, 523, 0.5],
    [100, 150, 784, 784, 0.5],
  ],
  opened: [[0, 70, 880, 660, 0.7]],
  decided: [
    [0, 160, 440, 440, 0.7],
    [150, 260, 330, 311, 0.7],
  ],
  "dead-heat": [
    [0, 320, 466, 466, 0.5],
    [0, 320, 470, 470, 0.5],
  ],
  wrong: [
    [0, 120, 262, 262, 0.6],
    [140, 280, 220, 208, 0.6],
  ],
  letter: [
    [0, 110, 392, 392, 0.5],
    [120, 110, 349, 349, 0.5],
    [240, 340, 294, 262, 0.6],
  ],
  tick: [[0, 30, 1319, 1319, 0.35]],
  time: [[0, 520, 330, 330, 0.7]],
  "too-early": [[0, 110, 196, 185, 0.6]],
  // A team's, or a seat's, by which it is known without a look: pitch and rhythm differ.
  "side-1": [[0, 260, 523, 523, 0.7]],
  "side-2": [
    [0, 100, 392, 392, 0.7],
    [120, 180, 392, 392, 0.7],
  ],
  "side-3": [
    [0, 80, 659, 659, 0.7],
    [100, 80, 659, 659, 0.7],
    [200, 100, 659, 659, 0.7],
  ],
  "side-4": [
    [0, 140, 330, 330, 0.7],
    [140, 220, 494, 494, 0.7],
  ],
  "side-5": [
    [0, 140, 587, 587, 0.7],
    [140, 220, 349, 349, 0.7],
  ],
  "side-6": [
    [0, 90, 440, 440, 0.7],
    [90, 90, 554, 554, 0.7],
    [180, 160, 659, 659, 0.7],
  ],
  "side-7": [
    [0, 90, 659, 659, 0.7],
    [90, 90, 554, 554, 0.7],
    [180, 160, 440, 440, 0.7],
  ],
  "side-8": [
    [0, 70, 784, 784, 0.7],
    [70, 70, 392, 392, 0.7],
    [140, 70, 784, 784, 0.7],
    [210, 90, 392, 392, 0.7],
  ],
  mark: [[0, 60, 988, 880, 0.4]],
  won: [
    [0, 130, 523, 523, 0.6],
    [140, 130, 659, 659, 0.6],
    [280, 130, 784, 784, 0.6],
    [420, 480, 1047, 1047, 0.7],
  ],
};
const PAUSE_MS = 90;
const SOON_MS = 400; // what a browser holds back for longer is no news any more
/** @type {AudioContext | null} */
let context = null;

function speaker() {
  context ??= new AudioContext();
  return context;
}

/** Whether this browser can make sounds. */
export const sounds = Boolean(globalThis.AudioContext);

/** Let later tones through: browsers want a finger on the page first. */
export function wake() {
  const context = speaker();
  return context.state === "suspended" ? context.resume() : Promise.resolve();
}

/** Return whether tones are let through now: who has not touched the page yet hears none, and none later. */
async function open() {
  await Promise.race([wake(), new Promise((late) => setTimeout(late, SOON_MS))]);
  return speaker().state === "running";
}

/**
 * Return how long the tones of *signal* take, in ms.
 *
 * @param {string} signal
 */
const length_ms = (signal) => Math.max(0, ...(TONES[signal] ?? []).map(([start, length]) => start + length));

/**
 * @param {number} at
 * @param {Tone} given
 */
function tone(at, [start_ms, length_ms_, from, to, loud]) {
  const context = speaker();
  const begin = at + start_ms / 1000;
  const end = begin + length_ms_ / 1000;
  const voice = new OscillatorNode(context, { type: "triangle", frequency: from });
  const volume = new GainNode(context, { gain: 0 });
  voice.frequency.linearRampToValueAtTime(to, end);
  volume.gain.setValueAtTime(0, begin);
  volume.gain.linearRampToValueAtTime(loud * 0.4, begin + 0.012);
  volume.gain.exponentialRampToValueAtTime(0.001, end);
  voice.connect(volume).connect(context.destination);
  voice.start(begin);
  voice.stop(end);
}

/**
 * Play the tones of *signals*, one after the other; return when the last has died away.
 *
 * @param {string[]} signals
 */
export async function play(signals) {
  if (!(await open())) return;
  let at_ms = 0;
  for (const signal of signals) {
    for (const one of TONES[signal] ?? []) tone(speaker().currentTime + 0.01 + at_ms / 1000, one);
    at_ms += length_ms(signal) + PAUSE_MS;
  }
  await new Promise((done) => setTimeout(done, at_ms));
}

/**
 * Play each of *beats* when its moment has come, in ms from now.
 *
 * @param {[signal: string, at_ms: number][]} beats
 */
export async function playAt(beats) {
  if (!(await open())) return;
  const now = speaker().currentTime + 0.01;
  for (const [signal, at_ms] of beats) for (const one of TONES[signal] ?? []) tone(now + at_ms / 1000, one);
}
