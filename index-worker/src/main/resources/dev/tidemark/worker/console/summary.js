// The few numbers that say whether an operator needs to look closer.

import { byId, h, setAttribute, setText } from "./dom.js";
import { atMost, count, rate, stateName } from "./format.js";

export class Summary {
  #parts = new Map();

  constructor() {
    for (const name of ["state", "freshness", "behind", "arriving", "applied", "quarantined"]) {
      const label = h("span", { class: "label" });
      const value = h("span", { class: "value" });
      const note = h("span", { class: "note" });
      const element = h("div", { class: "figure", "data-figure": name }, label, value, note);
      this.#parts.set(name, { element, label, value, note });
      byId("summary").append(element);
    }
  }

  show(lag, live) {
    const states = new Map();
    for (const { state } of lag.indexes) states.set(state, (states.get(state) ?? 0) + 1);
    const steady = states.get("steady") ?? 0;
    const others = [...states].filter(([state]) => state !== "steady").map(([state, number]) => number + " " + stateName(state));
    const all = lag.indexes.length;
    this.#set("state", "Indexes steady", steady + " of " + all, others.join(", ") || "all follow the writes", steady === all ? "good" : "bad");
    const blind = lag.indexes.filter(index => index.freshnessSeconds === null).length;
    const worst = lag.indexes.reduce((most, index) => index.freshnessSeconds > (most?.freshnessSeconds ?? -1) ? index : most, null);
    this.#set("freshness", "Least fresh", live && worst ? atMost(worst.freshnessSeconds) : "unknown",
      !live ? "no contact" : blind ? blind + " more are not known" : worst?.table ?? "");
    const records = lag.tables.flatMap(table => table.partitions).map(partition => partition.recordsBehind);
    const known = records.filter(number => number !== null);
    this.#set("behind", "Records behind", live && known.length ? count(sum(known)) : "unknown",
      !live ? "no contact" : known.length < records.length ? records.length - known.length + " partitions cannot tell" : records.length + " partitions");
    this.#rate("arriving", "Arriving", lag.tables.map(table => table.arrivalPerSecond), live);
    this.#rate("applied", "Applied", lag.tables.map(table => table.appliedPerSecond), live);
    const quarantined = sum([...new Map(lag.indexes.map(index => [index.table, index.quarantined])).values()]);
    this.#set("quarantined", "Quarantined", live ? count(quarantined) : "unknown", !live ? "no contact" : quarantined ? "rows may be missing" : "every event applied",
      live && quarantined ? "bad" : null);
    document.title = (live ? steady === all ? "" : "(" + (all - steady) + ") " : "(?) ") + "Tidemark";
  }

  #rate(name, label, rates, live) {
    const told = rates.filter(one => typeof one === "number");
    this.#set(name, label, live && told.length ? rate(sum(told)) : "–", !live ? "no contact" : told.length ? "records a second" : "not told");
  }

  #set(name, label, value, note, mood = null) {
    const part = this.#parts.get(name);
    setText(part.label, label);
    setText(part.value, value);
    setText(part.note, note);
    setAttribute(part.element, "data-mood", mood);
  }
}

const sum = numbers => numbers.reduce((a, b) => a + b, 0);
