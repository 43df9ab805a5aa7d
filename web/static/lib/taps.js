// @ts-check
// Which noses pages can touch: all where all are simulated, those of phones beside wired ones, or none.
/** @type {DOMStringMap} */
const { drivable, taps } = globalThis.document?.body?.dataset ?? {};
const LINES = taps?.split(" ");

/** Whether some noses here are wired, so that pages can touch only the others. */
export const wires = LINES !== undefined;

/** @param {string} line */
export const tappable = (line) => line !== "" && drivable === "yes" && (LINES?.includes(line) ?? true);
