// The workers of each replica group, each with its shards as cells, and below them the shards that no worker has.

import { byId, h, setText } from "./dom.js";
import { duration, stateName } from "./format.js";
import { ask } from "./feed.js";

const EVERY = 5000;

/** A watermark older than this many seconds is shown in its cell. */
const OLD = 5;

export class Workers {
  #asked = -EVERY;

  /** Asks again when it is time; the moment is the worker's, in seconds. */
  async show(now) {
    if (performance.now() - this.#asked < EVERY) return;
    this.#asked = performance.now();
    try {
      const { status, body } = await ask("/v1/workers");
      if (status !== 200) throw new Error(body.detail ?? "status " + status);
      byId("worker-groups").replaceChildren(...groups(body).map(group => picture(group, body, now)));
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

function picture(group, { workers, unowned }, now) {
  const rows = workers.filter(worker => worker.replicaGroup === group).map(worker => row(worker.rack ? worker.url + " in " + worker.rack : worker.url, worker.shards, now));
  const lacking = unowned.filter(shard => shard.replicaGroup === group).map(shard => ({ ...shard, state: "no worker" }));
  return h("section", { class: "worker-group", "aria-label": "Replica group " + group },
    h("h3", {}, "Replica group " + group), rows, lacking.length ? row("no worker", lacking, now) : null);
}

function row(name, shards, now) {
  const tables = [...new Set(shards.map(shard => shard.table))].sort();
  return h("div", { class: "worker" }, h("b", {}, name), h("div", {}, tables.map(table => h("div", { class: "worker-table" },
    h("span", { class: "hint" }, table),
    h("ul", { class: "shards", "aria-label": "Shards of " + table + " at " + name },
      shards.filter(shard => shard.table === table).sort((one, other) => one.partition - other.partition)
        .map(shard => cell(shard, now)))))));
}

/** How much of a copy is here. */
function part({ copiedBytes, copyBytes }) {
  return Math.floor(copiedBytes * 100 / Math.max(1, copyBytes)) + " %";
}

/** What is usual is a number alone; anything else says what it is. */
function cell(shard, now) {
  const age = shard.watermark ? Math.max(0, now - Date.parse(shard.watermark) / 1000) : null;
  const state = stateName(shard.state) + (shard.state === "copying" ? " " + part(shard) : "");
  const parts = [shard.state === "steady" ? null : state, age !== null && age > OLD ? duration(age) : null].filter(Boolean);
  const title = shard.table + "-" + shard.partition + ": " + state + ", watermark " + duration(age) + " old"
    + rate(shard.changesPerSecond, "changes") + rate(shard.queriesPerSecond, "queries");
  return h("li", { "data-state": shard.state, title }, [shard.partition, ...parts].join(" · "));
}

/** Nothing while it is not known. */
function rate(perSecond, what) {
  return typeof perSecond === "number" ? ", " + Math.round(perSecond) + " " + what + "/s" : "";
}
