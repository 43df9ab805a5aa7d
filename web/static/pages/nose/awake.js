// @ts-check
// The screen lit, full, and silent fingers felt. Over plain HTTP a browser has no wake lock: a film of nothing that
// fills the page keeps most screens lit. Everything here may be refused; then it is simply not there.

/** @type {WakeLockSentinel | null} */
let lock = null;
/** @type {HTMLVideoElement | null} */
let film = null;

/** Keep the screen lit from now on; to be called in a tap. Return how: "lock", "film" or "". */
export async function stayAwake() {
  document.addEventListener("visibilitychange", again);
  return (await locked()) ? "lock" : (await filmed()) ? "film" : "";
}

/** Let the screen go dark as it likes. */
export function sleepAgain() {
  document.removeEventListener("visibilitychange", again);
  lock?.release().catch(() => {});
  film?.remove();
  lock = film = null;
}

function again() {
  if (document.hidden) return;
  if (lock) locked();
  film?.play().catch(() => {});
}

async function locked() {
  try {
    lock = await navigator.wakeLock.request("screen");
    return true;
  } catch {
    return false; // no certificate, or the battery is low
  }
}

// It plays, has a sound that says nothing, and is as large as the page: a small or mute one does not count.
async function filmed() {
  try {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 2;
    const draw = canvas.getContext("2d");
    const stream = canvas.captureStream(1);
    const silence = new AudioContext().createMediaStreamDestination();
    for (const track of silence.stream.getAudioTracks()) stream.addTrack(track);
    film = document.createElement("video");
    film.className = "m-film";
    film.setAttribute("playsinline", "");
    film.setAttribute("aria-hidden", "true");
    film.tabIndex = -1;
    film.srcObject = stream;
    document.body.prepend(film);
    setInterval(() => film && draw?.fillRect(0, 0, 2, 2), 1000);
    await film.play();
    return true;
  } catch {
    film?.remove();
    film = null;
    return false;
  }
}

/** Take the whole screen, if the browser lets us; to be called in a tap. */
export const wholeScreen = () => document.documentElement.requestFullscreen?.({ navigationUI: "hide" }).catch(() => {});

/** Give the screen back. */
export const partScreen = () => (document.fullscreenElement ? document.exitFullscreen().catch(() => {}) : undefined);

/**
 * Let the hand feel *pattern*, in milliseconds on and off.
 *
 * @param {number[]} pattern
 */
export function feel(pattern) {
  if (navigator.userActivation?.hasBeenActive ?? true) navigator.vibrate?.(pattern);
}
