// Talking to the table: commands and questions. An answer that is a refusal carries the one sentence to show.
import { t } from "./words.js";

/** The table, or the way to it, said no; `message` is a sentence for people. */
export class Refused extends Error {
  constructor(message, { status = 0, rule = null, field = null } = {}) {
    super(message);
    Object.assign(this, { status, rule, field });
  }
}

const token = () => document.querySelector('meta[name="csrf-token"]')?.content ?? "";

/** Ask *path*; return its JSON (or its text with `as: "text"`). Raise Refused with a sentence. */
export async function ask(path, { body, as = "json", ...options } = {}) {
  let answer;
  try {
    answer = await fetch(path, {
      method: body === undefined ? "GET" : "POST",
      headers: body === undefined ? {} : { "Content-Type": "application/json", "X-CSRFToken": token() },
      body: body === undefined ? undefined : JSON.stringify(body),
      ...options,
    });
  } catch {
    throw new Refused(t("Not connected: nothing was sent. Try again in a moment."));
  }
  if (answer.ok) return as === "text" ? answer.text() : answer.json();
  const said = await answer.json().catch(() => ({}));
  const sentence = said.rule ? `${said.error} (${said.rule})` : said.error;
  throw new Refused(sentence ?? t("The table did not understand (error {status}).", { status: answer.status }), {
    status: answer.status, rule: said.rule, field: said.field,
  });
}

/** Send a command to the table; return its new state. */
export const command = async (wish) => (await ask("/api/v1/commands", { body: wish })).state;
