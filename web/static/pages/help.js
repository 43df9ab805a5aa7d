// @ts-check
// The rules of one game: suits drawn, and read aloud where the browser can.
import { $, $$, attr } from "../lib/dom.js";
import { say } from "../lib/icons.js";
import { live, where } from "../lib/page.js";
import { hush, lines, speaks } from "../lib/voice.js";

const book = $("#rulebook");
const aloud = $("#aloud");
const spoken = $$("h1, .lead, section:not(.noprint) h2, section:not(.noprint) p", book);

/** Read on from the beginning; what is read just now is marked. */
async function read() {
  attr(aloud, "aria-pressed", "true");
  for (const element of spoken) element.classList.remove("now");
  await lines(
    spoken.map((element) => element.textContent),
    (i) => {
      spoken[i - 1]?.classList.remove("now");
      spoken[i]?.classList.add("now");
      spoken[i]?.scrollIntoView({ block: "nearest" });
    },
  );
  for (const element of spoken) element.classList.remove("now");
  attr(aloud, "aria-pressed", "false");
}

for (const element of $$("p", book)) say(element, element.textContent);
if (speaks) {
  attr(aloud, "hidden", false);
  attr(aloud, "aria-pressed", "false");
  aloud.addEventListener("click", () => (aloud.getAttribute("aria-pressed") === "true" ? hush() : read()));
  addEventListener("pagehide", hush);
}
$("#print").addEventListener("click", () => print());
live.follow(where);
