// The worker's events, and whether they still come. Silence is shown, not hidden.

import { messages } from "./stream.js";
import { isAsking, onToken, refused, shown } from "./token.js";

/** Silence for longer than this, in milliseconds, is a loss of contact: events come every second. */
const SILENCE = 3000;

/** Silence for longer than this is taken for a dead connection, and a new one is opened. */
const DEAD = 10000;

const RETRY = 2000;

/**
 * Follows the worker for as long as the page lives.
 *
 * onLag(lag, at): what the worker says, and its time in seconds. onContact(contact): twice a second, {live, heard,
 * quietSeconds}; heard is this machine's time in seconds of the last word, null before the first. onOpen(): a new
 * connection, after which anything may have changed.
 */
export class Feed {
  #listener;
  #source = null;
  #heard = null;
  #opened = 0;
  #heardWall = null;
  #retry = null;

  constructor(listener) {
    this.#listener = listener;
    this.#open();
    setInterval(() => this.#watch(), 500);
    onToken(() => this.#open());
  }

  async #open() {
    clearTimeout(this.#retry);
    this.#source?.abort();
    this.#opened = performance.now();
    const source = new AbortController();
    this.#source = source;
    try {
      const answer = await fetch("/v1/events", { headers: shown(), signal: source.signal, cache: "no-store" });
      if (answer.status === 401) {
        refused();
        return;
      }
      if (answer.ok) {
        this.#listener.onOpen();
        // Each on its own, so that what goes wrong with one is reported and ends nothing.
        for await (const message of messages(answer.body)) queueMicrotask(() => this.#take(message));
      }
    } catch {
      // Broken off or never made; either way it is tried again.
    }
    if (this.#source === source) this.#retry = setTimeout(() => this.#open(), RETRY);
  }

  #take({ event, id, data }) {
    if (event !== "lag") return;
    this.#heard = performance.now();
    this.#heardWall = Date.now() / 1000;
    this.#listener.onLag(JSON.parse(data), Number(id) / 1000);
    this.#tell();
  }

  #watch() {
    const now = performance.now();
    if (!isAsking() && now - Math.max(this.#heard ?? 0, this.#opened) > DEAD) this.#open();
    this.#tell();
  }

  #tell() {
    const quiet = this.#heard === null ? null : performance.now() - this.#heard;
    this.#listener.onContact({
      live: quiet !== null && quiet < SILENCE,
      heard: this.#heardWall,
      quietSeconds: quiet === null ? null : quiet / 1000,
    });
  }
}

/**
 * An answer of the worker: {status, body}, the body parsed; throws when there is none within some seconds.
 *
 * parse: how JSON is read; values of rows need exact.
 */
export async function ask(path, parse = JSON.parse) {
  const answer = await fetch(path, { headers: shown(), signal: AbortSignal.timeout(35000), cache: "no-store" });
  if (answer.status === 401) refused();
  const text = await answer.text();
  let body;
  try {
    body = parse(text);
  } catch {
    body = text;
  }
  return { status: answer.status, body };
}
