// @ts-check
// The table does not answer: this page goes on asking, and gives way to the one that was wanted as soon as it does.
const EVERY_MS = 3000;

async function again() {
  try {
    const answer = await fetch("/app.webmanifest", { method: "HEAD", cache: "no-store" });
    if (answer.ok) location.reload();
  } catch {
    // Not yet.
  }
}

if (location.pathname !== "/away") {
  addEventListener("online", again);
  setInterval(again, EVERY_MS);
}
