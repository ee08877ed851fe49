// Indexes that come, change or are in trouble: where each is in its life, since when and why, and how far its building is.

import { byId, h, setAttribute, setText } from "./dom.js";
import { clock, count, duration, rate, stateName } from "./format.js";

/**
 * The state of an index as a reader should see it: of its life while it cannot answer or has something wrong, otherwise how its
 * table is followed.
 */
export function stateOf(index) {
  const life = index.life;
  const usual = !life || life.state === "unknown" || (life.serves && life.state !== "degraded");
  return usual ? index.state : life.state;
}

/** One sentence on the life of an index. */
export function lifecycleLine(index) {
  const life = index.life;
  if (!life) return "";
  return stateName(life.state) + (life.since ? " since " + clock(Date.parse(life.since) / 1000) : "") + ": " + life.cause;
}

export class LifecycleCards {
  #cards = new Map();

  show(lag, now, live) {
    const wanted = lag.indexes.filter(wantsACard).map(index => {
      if (!this.#cards.has(index.index)) this.#cards.set(index.index, new Card(index.index));
      const card = this.#cards.get(index.index);
      card.show(index, now, live);
      return card.element;
    });
    const list = byId("lives");
    if (wanted.length !== list.children.length || wanted.some((element, i) => list.children[i] !== element)) {
      list.replaceChildren(...wanted);
    }
    list.hidden = wanted.length === 0;
  }
}

/** What is ready and keeps nothing to return to is in the list of indexes, and that is enough. */
function wantsACard({ life, previous, refused }) {
  return Boolean(life) && (!["ready", "unknown"].includes(life.state) || Boolean(previous) || refused > 0);
}

class Card {
  #badge = h("span", { class: "badge" });
  #since = h("span", { class: "hint" });
  #cause = h("p", { class: "cause" });
  #fill = h("span", {});
  #bar;
  #progress = h("p", { class: "hint" });
  #notes = h("p", { class: "hint" });

  constructor(name) {
    this.#bar = h("div", { class: "progress", role: "progressbar", "aria-label": "Rows of " + name + " that are built", "aria-valuemin": "0" },
      this.#fill);
    this.element = h("li", { class: "life", "data-life": name },
      h("div", { class: "life-head" }, h("b", {}, name), this.#badge, this.#since),
      this.#cause, this.#bar, this.#progress, this.#notes);
  }

  show(index, now, live) {
    const state = live ? index.life.state : "unknown";
    setAttribute(this.#badge, "data-state", state);
    setText(this.#badge, stateName(state));
    const since = index.life.since ? Date.parse(index.life.since) / 1000 : null;
    setText(this.#since, since === null ? "" : "since " + clock(since)
      + (live ? ", for " + duration(Math.max(1, Math.round(now - since))).replace(".00", "").replace(".0", "") : ""));
    setText(this.#cause, index.life.cause);
    this.#showProgress(index);
    const notes = [];
    if (index.refused > 0) notes.push(count(index.refused) + (index.refused === 1 ? " row is" : " rows are") + " refused: the index cannot hold what they have.");
    if (index.previous) notes.push(previous(index));
    setText(this.#notes, notes.join(" "));
    this.#notes.hidden = notes.length === 0;
  }

  #showProgress({ life, progress }) {
    const shown = ["building", "paused", "rebuilding"].includes(life.state) && progress?.rowsTotal > 0;
    this.#bar.hidden = this.#progress.hidden = !shown;
    if (!shown) return;
    const done = Math.min(progress.rowsDone, progress.rowsTotal);
    setAttribute(this.#bar, "aria-valuemax", progress.rowsTotal);
    setAttribute(this.#bar, "aria-valuenow", done);
    this.#fill.style.width = (100 * done / progress.rowsTotal).toFixed(1) + "%";
    const speed = life.state === "building" && progress.rowsPerSecond > 0 ? ", " + rate(progress.rowsPerSecond) + " rows/s" : "";
    const eta = life.state === "building" && typeof progress.etaSeconds === "number" ? ", about " + duration(progress.etaSeconds) + " to go" : "";
    setText(this.#progress, count(done) + " of " + count(progress.rowsTotal) + " rows" + speed + eta);
  }
}

function previous({ previous, life }) {
  if (!life.serves && previous.serves) return "Generation " + previous.generation + " answers until then.";
  return "Generation " + previous.generation + " is kept for a rollback"
    + (previous.rollbackUntil ? " until " + clock(Date.parse(previous.rollbackUntil) / 1000) : "") + ".";
}
