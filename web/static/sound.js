// Our own short tones, made on the spot: [start ms, length ms, from Hz, to Hz, loudness].
const TONES = {
  armed: [[0, 90, 523, 523, 0.5], [100, 150, 784, 784, 0.5]],
  opened: [[0, 70, 880, 660, 0.7]],
  decided: [[0, 160, 440, 440, 0.7], [150, 260, 330, 311, 0.7]],
  "dead-heat": [[0, 320, 466, 466, 0.5], [0, 320, 470, 470, 0.5]],
  letter: [[0, 110, 392, 392, 0.5], [120, 110, 349, 349, 0.5], [240, 340, 294, 262, 0.6]],
};
const PAUSE_MS = 90;
let context = null;

/** Whether this browser can make sounds. */
export const sounds = Boolean(globalThis.AudioContext);

/** Let later tones through: browsers want a finger on the page first. */
export function wake() {
  context ??= new AudioContext();
  return context.state === "suspended" ? context.resume() : Promise.resolve();
}

/** Return how long the tones of *signal* take, in ms. */
export const length_ms = (signal) => Math.max(0, ...(TONES[signal] ?? []).map(([start, length]) => start + length));

function tone(at, [start_ms, length_ms_, from, to, loud]) {
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

/** Play the tones of *signals*, one after the other; return when the last has died away. */
export async function play(signals) {
  await wake();
  let at_ms = 0;
  for (const signal of signals) {
    for (const one of TONES[signal] ?? []) tone(context.currentTime + 0.01 + at_ms / 1000, one);
    at_ms += length_ms(signal) + PAUSE_MS;
  }
  await new Promise((done) => setTimeout(done, at_ms));
}
