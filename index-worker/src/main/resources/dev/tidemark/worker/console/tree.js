// Any JSON as nested lists of names and values.

import { h } from "./dom.js";
import { json } from "./format.js";
import { badge } from "./indexes.js";

const STATES = new Set(["steady", "catching_up", "restoring", "degraded", "paused", "unknown"]);

export function tree(value) {
  if (Array.isArray(value)) {
    return value.length ? h("ol", { class: "tree" }, value.map(one => h("li", {}, tree(one)))) : h("span", {}, "none");
  }
  if (value !== null && typeof value === "object") {
    return h("dl", { class: "tree" }, Object.entries(value).map(([name, one]) => h("div", {}, h("dt", {}, name), h("dd", {}, tree(one)))));
  }
  return STATES.has(value) ? badge(value) : h("span", {}, json(value));
}
