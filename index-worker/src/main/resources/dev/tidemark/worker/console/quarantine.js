// The records that could not be applied. They are asked for when their number changes, and sometimes anyway.

import { byId, h, setText } from "./dom.js";
import { clock, count, exact, json } from "./format.js";
import { ask } from "./feed.js";

const EVERY = 15000;
const SHOWN = 50;

export class Quarantine {
  #number = null;
  #asked = -EVERY;

  /** The indexes of a table share its quarantine, so that one index of each table is counted. */
  show(lag) {
    const byTable = new Map(lag.indexes.map(index => [index.table, index.quarantined]));
    const number = [...byTable.values()].reduce((sum, one) => sum + one, 0);
    const now = performance.now();
    if (number === this.#number && (number === 0 || now - this.#asked < EVERY)) return;
    this.#number = number;
    this.#asked = now;
    this.#refresh();
  }

  async #refresh() {
    try {
      const { status, body } = await ask("/v1/quarantine?limit=" + SHOWN, exact);
      if (status !== 200) throw new Error(body.detail ?? "status " + status);
      const missing = body.missingPartitions.length;
      const note = missing > 0 && body.count === 0 ? "No record is known." : body.count === 0 ? "Nothing is in quarantine: every event could be applied."
        : count(body.count) + (body.count === 1 ? " record" : " records") + " could not be applied. Their rows may be missing "
          + "from answers until a newer event of the row arrives." + (body.next ? " The first " + body.records.length + " are here." : "");
      const unheard = missing === 0 ? "" : " Of " + missing + (missing === 1 ? " partition" : " partitions") + " the records could not be read.";
      setText(byId("quarantine-note"), note + unheard);
      byId("quarantine-list").replaceChildren(...body.records.map(record));
    } catch (failure) {
      setText(byId("quarantine-note"), "The quarantine could not be asked for: " + failure.message);
      this.#number = null;
    }
  }
}

function record(one) {
  return h("li", {}, h("details", {},
    h("summary", {}, h("b", {}, one.table), " key ", h("code", {}, json(one.key)), " ", h("span", { class: "reason" }, one.reason)),
    h("p", { class: "hint" }, "partition " + one.partition + ", offset " + one.offset + ", since " + clock(Date.parse(one.at) / 1000)),
    h("pre", { tabindex: "0", "aria-label": "The record" }, JSON.stringify({ headers: one.headers, value: one.value }, null, 2))));
}
