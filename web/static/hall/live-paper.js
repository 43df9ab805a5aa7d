// @ts-check
// A paper of who has won, open on a screen: it says what holds now, and says it when the hall is not heard.
import { $ } from "../lib/dom.js";
import { live } from "../lib/hall-page.js";
import { written } from "./paper.js";

const PART = "#follows";

/**
 * Return what a paper rests on: while it is the same, so is the paper.
 *
 * @param {Hall.HallScreen} screen
 */
const basis = ({ name, step, standings, newest, rounds }) =>
  JSON.stringify([name, step, standings, newest?.entry, newest?.says, rounds?.map((one) => one.called)]);

let shown = basis(live.state);
let underWay = false;

/**
 * Ask for the paper again when the hall has changed what it rests on; call *made* when it is there again.
 *
 * @param {() => void} [made]
 */
export function follow(made) {
  live.follow(() => renew(made));
}

/** @param {(() => void) | undefined} made */
async function renew(made) {
  if (underWay) return;
  underWay = true;
  try {
    while (basis(live.state) !== shown) {
      const now = basis(live.state);
      const answer = await fetch(location.href);
      if (!answer.ok) break; // the next that is heard of the hall tries again
      const paper = new DOMParser().parseFromString(await answer.text(), "text/html");
      $(PART).replaceWith($(PART, paper));
      shown = now;
      written();
      made?.();
    }
  } catch {
    // As above.
  } finally {
    underWay = false;
  }
}
