// @ts-check
// Talking to the table: commands and questions. An answer that is a refusal carries the one sentence to show.
import { t } from "./words.js";

/** What is said when nothing got through. */
export const UNSENT = t("Not connected: nothing was sent. Try again in a moment.");
/** What is said when the answer to a command was lost: what it asked for may have been done. */
export const UNSURE = t("The table has not answered yet. Look at what it shows before you try again.");

/** The table, or the way to it, said no; `message` is a sentence for people, which no rule's code follows. */
export class Refused extends Error {
  /**
   * @param {string} message
   * @param {{ status?: number; field?: string | null; rule?: string | null }} [about]
   */
  constructor(message, { status = 0, field = null, rule = null } = {}) {
    super(message);
    this.status = status;
    this.field = field;
    this.rule = rule;
  }
}

const token = () => document.querySelector('meta[name="csrf-token"]')?.getAttribute("content") ?? "";

/**
 * @param {string} path
 * @param {unknown} body
 * @param {RequestInit} options
 */
async function answered(path, body, options) {
  let answer;
  try {
    answer = await fetch(path, {
      method: body === undefined ? "GET" : "POST",
      headers: body === undefined ? {} : { "Content-Type": "application/json", "X-CSRFToken": token() },
      body: body === undefined ? undefined : JSON.stringify(body),
      ...options,
    });
  } catch {
    throw new Refused(body === undefined || globalThis.navigator?.onLine === false ? UNSENT : UNSURE);
  }
  if (answer.ok) return answer;
  const said = await answer.json().catch(() => ({}));
  throw new Refused(said.error ?? t("{what}: {says}", { what: t("That did not work"), says: answer.status }), {
    status: answer.status,
    field: said.field,
    rule: said.rule,
  });
}

/**
 * Ask *path*; return its JSON, of the type that the API's description gives it. Raise Refused with a sentence.
 *
 * @template {keyof (Api.Answers & Hall.Answers)} P
 * @param {P} path
 * @param {{ body?: unknown; keepalive?: boolean; signal?: AbortSignal }} [options]
 * @returns {Promise<(Api.Answers & Hall.Answers)[P]>}
 */
export async function ask(path, { body, ...options } = {}) {
  const answer = await answered(path, body, options);
  try {
    return await answer.json();
  } catch {
    const ours = body !== undefined && answer.headers.get("Content-Type")?.includes("json");
    throw new Refused(ours ? UNSURE : UNSENT); // cut off on the way, or a page of somebody else's Wi-Fi
  }
}

/**
 * Ask *path*; return its text. Raise Refused with a sentence.
 *
 * @param {string} path
 */
export const askText = async (path) => (await answered(path, undefined, {})).text();

/**
 * Send a command to the table; return its new state.
 *
 * @param {Api.Command} wish
 */
export const command = async (wish) => (await ask("/api/v1/commands", { body: wish })).state;

/**
 * Return the sentence of what went wrong.
 *
 * @param {unknown} problem
 */
export const reason = (problem) => (problem instanceof Error ? problem.message : String(problem));

/**
 * Return what is called each time that one place of a page asks for something. It gives whether nothing was asked for
 * there since: an answer that comes later than a newer one is not shown.
 */
export function turns() {
  let newest = 0;
  return () => {
    const mine = ++newest;
    return () => mine === newest;
  };
}
