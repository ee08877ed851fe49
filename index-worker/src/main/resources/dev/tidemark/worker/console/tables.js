// A card for each table: rates, and the stages that a change passes on its way, as one bar.

import { byId, h, setAttribute, setText } from "./dom.js";
import { count, duration, rate, stateName } from "./format.js";

export const STAGES = ["committer", "outbox", "kafka", "queue", "apply"];
const MEANING = {
  committer: "commit time to on disk",
  outbox: "on disk to handed to Kafka",
  kafka: "handed over to polled",
  queue: "polled to taken by a thread",
  apply: "taken to found by queries",
};

const perSecond = number => rate(number) + (typeof number === "number" ? " /s" : "");

export class TableCards {
  #cards = new Map();

  show(lag, live) {
    const wanted = lag.tables.map(table => {
      if (!this.#cards.has(table.table)) this.#cards.set(table.table, new Card(table.table));
      const card = this.#cards.get(table.table);
      card.show(table, live);
      return card.element;
    });
    const list = byId("table-cards");
    if (wanted.length !== list.children.length || wanted.some((element, i) => list.children[i] !== element)) {
      list.replaceChildren(...wanted);
    }
  }
}

class Card {
  #facts = Object.fromEntries(["Arriving", "Applied", "Behind", "ETA"].map(name => [name, h("dd", { class: "number" })]));
  #trouble = h("ul", { class: "trouble" });
  #note = h("p", { class: "hint" });
  #parts = STAGES.map(stage => h("span", { "data-stage": stage }));
  #means = STAGES.map(() => h("td", { class: "number" }));
  #p99s = STAGES.map(() => h("td", { class: "number" }));
  #stages;

  constructor(name) {
    const rows = STAGES.map((stage, i) => h("tr", {},
      h("th", { scope: "row", title: MEANING[stage] }, h("span", { class: "swatch", "data-stage": stage }), stage), this.#means[i], this.#p99s[i]));
    this.#stages = h("div", { class: "stages", hidden: true },
      h("div", { class: "bar", "aria-hidden": "true" }, this.#parts),
      h("table", { "aria-label": "Stages of " + name },
        h("thead", {}, h("tr", {}, ["Stage", "mean", "99 of 100"].map((head, i) => h("th", { scope: "col", class: i ? "number" : null }, head)))),
        h("tbody", {}, rows)));
    this.element = h("article", { class: "table-card", "data-table": name },
      h("h3", {}, name),
      h("dl", { class: "facts" }, Object.entries(this.#facts).map(([label, value]) => h("div", {}, h("dt", {}, label), value))),
      this.#stages, this.#note, this.#trouble);
  }

  show(table, live) {
    setAttribute(this.element, "class", live ? "table-card" : "table-card old");
    const behind = table.partitions.map(partition => partition.recordsBehind);
    setText(this.#facts.Arriving, perSecond(table.arrivalPerSecond));
    setText(this.#facts.Applied, perSecond(table.appliedPerSecond));
    setText(this.#facts.Behind, behind.length && !behind.includes(null) ? count(behind.reduce((a, b) => a + b, 0)) : "unknown");
    setText(this.#facts.ETA, table.etaSeconds === null || table.etaSeconds === undefined ? "–" : duration(table.etaSeconds));
    this.#showStages(table);
    this.#showTrouble(table);
  }

  #showStages(table) {
    const told = new Map((table.stages ?? []).map(stage => [stage.stage, stage]));
    const source = told.get("source");
    told.delete("source");
    const total = [...told.values()].reduce((sum, stage) => sum + (stage.meanSeconds ?? 0), 0);
    this.#stages.hidden = total === 0;
    setText(this.#note, (total > 0 ? "On average " + duration(total) + " from commit to found."
      : table.stages ? "No change in the last minutes, so there are no stages to show."
        : "This worker does not tell the stages."
    ) + (source && typeof source.meanSeconds === "number" ? " Its source was " + duration(source.meanSeconds) + " behind." : ""));
    if (total === 0) return;
    STAGES.forEach((stage, i) => {
      const one = told.get(stage);
      const share = one && total ? one.meanSeconds / total : 0;
      this.#parts[i].style.flexGrow = share.toFixed(4);
      setText(this.#means[i], one && one.meanSeconds !== null ? duration(one.meanSeconds) : "–");
      setText(this.#p99s[i], one && one.count ? duration(one.p99Seconds) : "–");
    });
  }

  #showTrouble(table) {
    const lines = [];
    if (table.paused) lines.push("Paused by an operator: nothing is applied until it is resumed.");
    if (table.clockSkewSeconds && Math.abs(table.clockSkewSeconds) >= 0.1) {
      lines.push("The clocks of writer and worker differ by " + duration(Math.abs(table.clockSkewSeconds)) + ".");
    }
    for (const partition of table.partitions) {
      if (partition.state === "steady" && !partition.failure) continue;
      const known = partition.recordsBehind === null ? "" : ", " + count(partition.recordsBehind) + " behind";
      lines.push("Partition " + partition.partition + " is " + stateName(partition.state) + known
        + (partition.failure ? ": " + partition.failure : ""));
    }
    if (!table.partitions.length) lines.push("No partition of it is assigned to this worker.");
    while (this.#trouble.children.length > lines.length) this.#trouble.lastChild.remove();
    lines.forEach((line, i) => {
      if (!this.#trouble.children[i]) this.#trouble.append(h("li"));
      setText(this.#trouble.children[i], line);
    });
  }
}
