// What changed state, and when: in a list for eyes, and in one sentence for screen readers.

import { byId, h, setText } from "./dom.js";
import { clock, stateName } from "./format.js";

const MOST = 50;

export class Journal {
  #states = new Map();
  #count = 0;

  /** Notes the differences to what was told before. */
  note(indexes, seconds) {
    const changed = indexes.filter(({ index, state }) => this.#states.has(index) && this.#states.get(index) !== state);
    for (const { index, state } of changed) {
      byId("journal").prepend(h("li", {}, h("time", {}, clock(seconds)), " ", index, ": ",
        stateName(this.#states.get(index)), " → ", stateName(state)));
      this.#count++;
    }
    while (byId("journal").children.length > MOST) byId("journal").lastChild.remove();
    indexes.forEach(({ index, state }) => this.#states.set(index, state));
    setText(byId("journal-count"), this.#count ? "(" + this.#count + ")" : "(none yet)");
    if (changed.length) setText(byId("announcement"), sentence(changed));
  }
}

function sentence(changed) {
  if (changed.length > 3) {
    const states = new Set(changed.map(one => stateName(one.state)));
    return changed.length + " indexes are now " + [...states].join(" or ");
  }
  return changed.map(one => one.index + " is now " + stateName(one.state)).join(", ");
}
