// The worker's events, and whether they still come. Whoever hears nothing knows nothing: silence is told, not hidden.

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
  }

  #open() {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#opened = performance.now();
    const source = new EventSource("/v1/events");
    this.#source = source;
    source.addEventListener("open", () => this.#listener.onOpen());
    source.addEventListener("lag", event => {
      this.#heard = performance.now();
      this.#heardWall = Date.now() / 1000;
      this.#listener.onLag(JSON.parse(event.data), Number(event.lastEventId) / 1000);
      this.#tell();
    });
    source.addEventListener("error", () => {
      // The browser itself tries again unless it was answered with an error.
      if (source.readyState === EventSource.CLOSED) this.#retry = setTimeout(() => this.#open(), RETRY);
    });
  }

  #watch() {
    const now = performance.now();
    if (now - Math.max(this.#heard ?? 0, this.#opened) > DEAD) this.#open();
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

/** An answer of the worker: {status, body}, the body parsed; throws when there is none within some seconds. */
export async function ask(path) {
  const answer = await fetch(path, { signal: AbortSignal.timeout(35000), cache: "no-store" });
  const text = await answer.text();
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    body = text;
  }
  return { status: answer.status, body };
}
