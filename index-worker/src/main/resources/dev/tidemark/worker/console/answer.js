// Answers and problems as they came, laid out.

import { h } from "./dom.js";
import { atMost, count, json } from "./format.js";
import { badge } from "./indexes.js";

/** Most fields of rows that get a column of their own; the rest shares one. */
const COLUMNS = 10;

/** An answer of a query: how fresh it is, what may be missing, and the entries. */
export function answer(body, page, took) {
  const number = body.entries.length;
  const what = number === 0 ? "No entries" : count(number) + (number === 1 ? " entry" : " entries");
  const more = body.next ? ", and more" : "";
  return [
    h("p", { class: "verdict", role: "status" }, h("b", {}, what + more + (page > 1 ? ", page " + page : "")), ", " + took + ". ", freshness(body.freshness)),
    ...missing(body.freshness),
    number ? h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Entries" }, entries(body.entries)) : null,
  ].filter(Boolean);
}

/** A problem document, nothing left out. */
export function problem(status, body) {
  const told = typeof body === "object" && body !== null;
  return [
    h("div", { class: "problem", role: "alert" },
      h("p", {}, h("b", {}, (status ? status + " " : "") + (told ? body.title ?? "" : "")), told && body.detail ? ": " + body.detail : ""),
      h("pre", { tabindex: "0", "aria-label": "The whole answer" }, told ? JSON.stringify(body, null, 2) : String(body))),
  ];
}

function freshness(fresh) {
  const age = fresh.stalenessMs === null ? "Its staleness is not known"
    : "At most " + atMost(fresh.stalenessMs / 1000) + " old";
  const upTo = fresh.completeUpTo === null ? "" : ", complete up to " + fresh.completeUpTo.replace("T", " ").replace("Z", " UTC");
  return h("span", { class: "freshness" }, age + upTo + " ", badge(fresh.state));
}

function missing(fresh) {
  const lines = [];
  if (fresh.missingPartitions?.length) {
    lines.push("Entries of these partitions are missing: " + fresh.missingPartitions.join(", ") + ".");
  }
  if (fresh.quarantined?.count) {
    const keys = (fresh.quarantined.rows ?? []).map(row => json(row.primaryKey)).join(", ");
    lines.push(count(fresh.quarantined.count) + " quarantined rows may be missing" + (keys ? ": " + keys : "") + ".");
  }
  if (fresh.refused) {
    lines.push(count(fresh.refused) + (fresh.refused === 1 ? " row is" : " rows are") + " not in the index, which cannot hold such rows.");
  }
  return lines.map(line => h("p", { class: "warning" }, line));
}

function entries(list) {
  const keys = Object.keys(list[0].key);
  const fields = new Set();
  for (const entry of list) Object.keys(entry.row ?? {}).forEach(field => fields.add(field));
  keys.forEach(key => fields.delete(key));
  const own = [...fields].slice(0, COLUMNS);
  const rest = [...fields].slice(COLUMNS);
  const gone = list.some(entry => entry.row === null);
  const heads = [...keys, "primary key", "shard", ...own, ...(rest.length ? ["more"] : []), ...(gone ? ["row"] : []), "version"];
  return h("table", { class: "entries" },
    h("thead", {}, h("tr", {}, heads.map(head => h("th", { scope: "col" }, head)))),
    h("tbody", {}, list.map(entry => h("tr", {},
      keys.map(key => cell(entry.key[key])), cell(entry.primaryKey), cell(entry.shard),
      own.map(field => cell(entry.row?.[field])),
      rest.length ? cell(Object.fromEntries(rest.filter(field => entry.row && field in entry.row).map(field => [field, entry.row[field]]))) : null,
      gone ? cell(entry.row === null ? "gone" : "") : null,
      h("td", { class: "version" }, String(entry.version))))));
}

function cell(value) {
  if (value === undefined) return h("td", {});
  return h("td", { class: typeof value === "number" ? "number" : null }, Array.isArray(value) ? value.map(json).join(", ") : json(value));
}
