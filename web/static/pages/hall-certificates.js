// @ts-check
// Certificates, to be printed: the last photo finish from edge to edge, on the organiser's own background.
import { finishStrip } from "../hall/finish-strip.js";
import { follow } from "../hall/live-paper.js";
import { $, attr, h, held, input } from "../lib/dom.js";
import { keep, kept } from "../lib/kept.js";

const KEPT = "certificate-background";
let chosen = kept(KEPT, "sessionStorage");

function strips() {
  /** @type {Hall.HallFinish | null} */
  const last = held("#finish");
  if (!last) return;
  for (const strip of document.querySelectorAll(".strip")) strip.append(finishStrip(last.finish));
}

/** @param {string} picture a data URL, "" for none */
function background(picture) {
  chosen = picture;
  for (const paper of document.querySelectorAll(".certificate")) {
    paper.querySelector(".ground")?.remove();
    if (picture) paper.prepend(h("img", { class: "ground", src: picture, alt: "" }));
  }
  attr($("#plain"), "hidden", !picture);
  keep(KEPT, picture, "sessionStorage"); // one that is too large has to be chosen again once the form is sent
}

$("#background").addEventListener("change", () => {
  const [file] = input("#background").files ?? [];
  if (!file) return;
  const reader = new FileReader();
  reader.onload = () => background(String(reader.result));
  reader.readAsDataURL(file);
});
$("#plain").addEventListener("click", () => {
  input("#background").value = "";
  background("");
});

function dress() {
  strips();
  background(chosen);
}
dress();
follow(dress);
