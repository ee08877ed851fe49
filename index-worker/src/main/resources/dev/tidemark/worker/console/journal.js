// What changed state, and when: in a list for eyes, and in one sentence for screen readers.

import { byId, h, setText } from "./dom.js";
import { clock, stateName } from "./format.js";

const MOST = 50;

export class Journal {
  #states = new Map();
  #count = 0;

  /** Notes the differences to what was told before; on the first time everything is as it was. */
  note(indexes, seconds) {
    const first = this.#states.size === 0;
    const changed = first ? [] : indexes.filter(({ index, state }) => this.#states.get(index) !== state);
    for (const { index, state, life } of changed) {
      const why = life && life.state === state && life.cause ? ", " + life.cause : "";
      this.#line(seconds, index, stateName(this.#states.get(index) ?? "new") + " → " + stateName(state) + why);
    }
    const there = new Set(indexes.map(({ index }) => index));
    for (const index of [...this.#states.keys()].filter(name => !there.has(name))) {
      this.#line(seconds, index, stateName(this.#states.get(index)) + " → dropped");
      this.#states.delete(index);
    }
    while (byId("journal").children.length > MOST) byId("journal").lastChild.remove();
    indexes.forEach(({ index, state }) => this.#states.set(index, state));
    setText(byId("journal-count"), this.#count ? "(" + this.#count + ")" : "(none yet)");
    if (changed.length) setText(byId("announcement"), sentence(changed));
  }

  #line(seconds, index, what) {
    byId("journal").prepend(h("li", {}, h("time", {}, clock(seconds)), " ", index, ": ", what));
    this.#count++;
  }
}

function sentence(changed) {
  if (changed.length > 3) {
    const states = new Set(changed.map(one => stateName(one.state)));
    return changed.length + " indexes are now " + [...states].join(" or ");
  }
  return changed.map(one => one.index + " is now " + stateName(one.state)).join(", ");
}
