// The list of indexes: one row each, made once and then only changed where a number did.

import { byId, h, setAttribute, setText, svg } from "./dom.js";
import { atMost, count, duration, stateName } from "./format.js";
import { lifecycleLine } from "./lifecycle.js";
import { SPAN } from "./tracks.js";

/** States from the worst to the best, as far as a reader is concerned. */
const SEVERITY = ["unknown", "degraded", "dropping", "building", "verifying", "rebuilding", "restoring", "catching_up", "paused", "steady"];
const COLUMNS = ["Index", "Table", "State", "Freshness", "Last 15 min", "Behind", "ETA", "Visible after", "Entries", "Quarantined"];
const NUMBERS = new Set(["Freshness", "Behind", "ETA", "Visible after", "Entries", "Quarantined"]);
const SPARK = { width: 120, height: 26, columns: 60, least: 0.01 };

export function badge(state) {
  return h("span", { class: "badge", "data-state": state }, stateName(state));
}

function setBadge(element, state) {
  setAttribute(element, "data-state", state);
  setText(element, stateName(state));
}

export class IndexList {
  #rows = new Map();
  #body = h("tbody", { role: "rowgroup" });
  #legend;
  #lag = { indexes: [] };

  constructor(legend, onChoose) {
    this.#legend = legend;
    this.onChoose = onChoose;
    const heads = COLUMNS.map(name => h("th", { scope: "col", role: "columnheader", class: kind(name) }, name));
    byId("index-rows").append(h("table", { class: "indexes", role: "table" },
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, heads)), this.#body));
    byId("filter").addEventListener("input", () => this.#arrange());
    byId("order").addEventListener("change", () => this.#arrange());
  }

  show(lag, live) {
    this.#lag = lag;
    for (const index of lag.indexes) {
      const row = this.#rows.get(index.index) ?? this.#add(index);
      row.state = index.state;
      setBadge(row.badge, index.state);
      setAttribute(row.badge, "title", live ? lifecycleLine(index) : null);
      setAttribute(row.button, "aria-pressed", String(this.#legend.isChosen(index.table)));
      setAttribute(row.element, "class", live ? null : "old");
      const told = index.visibility?.p99Seconds > 0 ? index.visibility : null;
      setText(row.cells.Freshness, live ? atMost(index.freshnessSeconds) : "unknown");
      setText(row.cells.Behind, count(index.recordsBehind));
      setText(row.cells.ETA, index.etaSeconds === null || index.etaSeconds === undefined ? "–" : duration(index.etaSeconds));
      setText(row.cells["Visible after"], told ? duration(told.p50Seconds) + " / " + duration(told.p99Seconds) : "–");
      setText(row.cells.Entries, count(index.entries));
      setText(row.cells.Quarantined, count(index.quarantined));
    }
    this.#arrange();
  }

  /** Draws the small lines anew; every few seconds are enough. */
  drawSparks(tracks, now) {
    for (const [name, row] of this.#rows) setAttribute(row.path, "d", sparkPath(tracks.pieces(name), now));
  }

  #add(index) {
    const path = svg("path", {});
    const state = badge(index.state);
    const button = h("button", { type: "button", class: "choose", title: "Keep this table's line in the chart", "aria-pressed": "false",
      onclick: () => this.onChoose(index.table) }, index.index);
    const cells = Object.fromEntries(COLUMNS.map(name => [name,
      h(name === "Index" ? "th" : "td", { class: kind(name), "data-label": name, role: name === "Index" ? "rowheader" : "cell",
        scope: name === "Index" ? "row" : null })]));
    cells.Index.append(button);
    cells.Table.append(index.table);
    setAttribute(cells.Table, "title", index.table);
    cells.State.append(state);
    cells["Last 15 min"].append(svg("svg", { class: "spark", viewBox: "0 0 " + SPARK.width + " " + SPARK.height,
      preserveAspectRatio: "none", "aria-hidden": "true" }, path));
    setAttribute(cells["Visible after"], "title", "half of the changes / 99 of 100 changes");
    const row = { element: h("tr", { role: "row", "data-index": index.index }, Object.values(cells)), badge: state, button, cells, path,
      text: (index.index + " " + index.table).toLowerCase() };
    this.#rows.set(index.index, row);
    return row;
  }

  #arrange() {
    const wanted = byId("filter").value.trim().toLowerCase();
    const order = byId("order").value;
    let names = this.#lag.indexes.map(index => index.index).filter(name => this.#rows.has(name));
    if (order === "name") names = [...names].sort();
    if (order === "trouble") {
      const rank = name => SEVERITY.indexOf(this.#rows.get(name).state);
      names = [...names].sort((a, b) => rank(a) - rank(b));
    }
    const elements = names.map(name => this.#rows.get(name))
      .filter(row => (row.text + " " + stateName(row.state)).includes(wanted))
      .map(row => row.element);
    const same = elements.length === this.#body.children.length
      && elements.every((element, i) => this.#body.children[i] === element);
    if (!same) this.#place(elements);
    byId("no-match").hidden = elements.length > 0 || names.length === 0;
  }

  /** Moving a row must not take the focus from the button in it. */
  #place(elements) {
    const focused = document.activeElement;
    this.#body.replaceChildren(...elements);
    if (focused && focused !== document.activeElement && this.#body.contains(focused)) focused.focus();
  }
}

function kind(column) {
  return NUMBERS.has(column) ? "number" : null;
}

function sparkPath(pieces, now) {
  const most = Math.max(1, ...pieces.flat().map(point => point[1]));
  const y = seconds => {
    const share = Math.log10(Math.max(SPARK.least, Math.min(most, seconds)) / SPARK.least) / Math.log10(most / SPARK.least);
    return (SPARK.height - 2 - share * (SPARK.height - 4)).toFixed(1);
  };
  let path = "";
  for (const piece of pieces) {
    const columns = new Map();
    for (const [at, seconds] of piece) {
      const column = Math.floor((1 - (now - at) / SPAN) * SPARK.columns);
      if (column >= 0) columns.set(column, Math.max(columns.get(column) ?? 0, seconds));
    }
    let pen = "M";
    for (const [column, seconds] of columns) {
      path += pen + (column / SPARK.columns * SPARK.width).toFixed(1) + " " + y(seconds);
      pen = "L";
    }
    if (columns.size === 1) path += "h1";
  }
  return path;
}
