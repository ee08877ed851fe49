// The workers of each replica group, each with its shards as cells, and below them the shards that no worker has.

import { byId, h, setText } from "./dom.js";
import { atMost, stateName } from "./format.js";
import { ask } from "./feed.js";

const EVERY = 5000;

/** A shard that may be older than this many seconds says so in its cell. */
const OLD = 5;

export class Workers {
  #asked = -EVERY;

  /** Asks again when it is time. */
  async show() {
    const asked = performance.now();
    if (asked - this.#asked < EVERY) return;
    this.#asked = asked;
    try {
      const { status, body } = await ask("/v1/workers");
      if (status !== 200) throw new Error(body.detail ?? "status " + status);
      const waited = (performance.now() - asked) / 1000;
      byId("worker-groups").replaceChildren(...groups(body).map(group => picture(group, body, waited)));
      const named = [...body.problems, ...body.skew.map(one => one.text)];
      byId("worker-problems").replaceChildren(...named.map(text => h("li", {}, text)));
      setText(byId("workers-note"), note(body));
    } catch (failure) {
      setText(byId("workers-note"), "The workers could not be asked for: " + failure.message);
    }
  }
}

function groups({ workers, unowned }) {
  return [...new Set([...workers, ...unowned].map(one => one.replicaGroup))].sort();
}

function note({ workers, unowned }) {
  const shards = workers.reduce((sum, worker) => sum + worker.shards.length, 0);
  return workers.length + (workers.length === 1 ? " worker with " : " workers with ") + shards + " shards. "
    + (unowned.length === 0 ? "Every replica group has every shard." : unowned.length + (unowned.length === 1 ? " shard has" : " shards have") + " no worker that answers.");
}

function picture(group, { workers, unowned }, waited) {
  const rows = workers.filter(worker => worker.replicaGroup === group).map(worker => row(worker.rack ? worker.url + " in " + worker.rack : worker.url, worker.shards, waited));
  const lacking = unowned.filter(shard => shard.replicaGroup === group).map(shard => ({ ...shard, state: "no worker" }));
  return h("section", { class: "worker-group", "aria-label": "Replica group " + group },
    h("h3", {}, "Replica group " + group), rows, lacking.length ? row("no worker", lacking, waited) : null);
}

function row(name, shards, waited) {
  const tables = [...new Set(shards.map(shard => shard.table))].sort();
  return h("div", { class: "worker" }, h("b", {}, name), h("div", {}, tables.map(table => h("div", { class: "worker-table" },
    h("span", { class: "hint" }, table),
    h("ul", { class: "shards", "aria-label": "Shards of " + table + " at " + name },
      shards.filter(shard => shard.table === table).sort((one, other) => one.partition - other.partition)
        .map(shard => cell(shard, waited)))))));
}

/** How much of a copy is here. */
function part({ copiedBytes, copyBytes }) {
  return Math.floor(copiedBytes * 100 / Math.max(1, copyBytes)) + " %";
}

/** What is usual is a number alone; anything else says what it is. */
function cell(shard, waited) {
  const age = typeof shard.stalenessMs === "number" ? shard.stalenessMs / 1000 + waited : null;
  const state = stateName(shard.state) + (shard.state === "copying" ? " " + part(shard) : "");
  const parts = [shard.state === "steady" ? null : state, age !== null && age > OLD ? atMost(age) : null].filter(Boolean);
  const title = shard.table + "-" + shard.partition + ": " + state + (age === null ? ", age unknown" : ", at most " + atMost(age) + " old")
    + rate(shard.changesPerSecond, "changes") + rate(shard.queriesPerSecond, "queries");
  return h("li", { "data-state": shard.state, title }, [shard.partition, ...parts].join(" · "));
}

/** Nothing while it is not known. */
function rate(perSecond, what) {
  return typeof perSecond === "number" ? ", " + Math.round(perSecond) + " " + what + "/s" : "";
}
