// The query box: a condition for each part of the key, so that no user has to know the syntax; the request is shown.

import { byId, h, setText } from "./dom.js";
import { duration, exact } from "./format.js";
import { ask } from "./feed.js";
import { answer, problem } from "./answer.js";

const OPERATORS = [["eq", "is"], ["gte", "from"], ["gt", "above"], ["lte", "up to"], ["lt", "below"],
  ["range", "from … below"], ["prefix", "begins with"]];

/** Parameters of a query, so that a field of that name needs the long way to write a condition. */
const TAKEN = new Set(["order", "limit", "cursor", "fetch", "token", "wait", "max_staleness", "allow_partial"]);

export class QueryBox {
  #indexes = new Map();
  #index = h("select", { id: "q-index", name: "index" });
  #conditions = h("div", { class: "conditions" });
  #order = h("select", { name: "order" }, h("option", { value: "asc" }, "as in the index"), h("option", { value: "desc" }, "from the other end"));
  #limit = h("input", { name: "limit", type: "number", min: "1", max: "10000", value: "20", inputmode: "numeric" });
  #staleness = h("input", { name: "max_staleness", placeholder: "any", size: "7", spellcheck: "false" });
  #fetch = h("input", { name: "fetch", type: "checkbox" });
  #next = h("button", { type: "button", id: "q-next", disabled: true }, "Next page");
  #base = "";
  #cursor = null;
  #page = 1;
  #asked = 0;

  constructor() {
    const form = byId("ask");
    form.append(
      h("div", { class: "field" }, h("label", { for: "q-index" }, "Index"), this.#index),
      h("fieldset", { class: "field" }, h("legend", {}, "Conditions"), this.#conditions),
      h("div", { class: "options" },
        h("label", {}, "Order ", this.#order), h("label", {}, "Limit ", this.#limit),
        h("label", {}, "At most this old ", this.#staleness),
        h("label", { class: "check" }, this.#fetch, " fetch the whole rows")),
      h("div", { class: "buttons" }, h("button", { type: "submit", id: "q-ask" }, "Ask"), this.#next));
    form.addEventListener("submit", event => {
      event.preventDefault();
      this.#page = 1;
      this.#base = this.#path();
      this.#ask(this.#base);
    });
    this.#next.addEventListener("click", () => {
      this.#page++;
      this.#ask(this.#base + "&cursor=" + encodeURIComponent(this.#cursor));
    });
    this.#index.addEventListener("change", () => this.#showConditions());
  }

  /** Takes the indexes there are; what is typed stays where its index does. */
  offer(indexes) {
    const chosen = this.#index.value;
    const before = JSON.stringify(this.#indexes.get(chosen)?.key);
    this.#indexes = new Map(indexes.map(index => [index.index, index]));
    const groups = new Map();
    for (const index of indexes) groups.set(index.table, [...(groups.get(index.table) ?? []), index.index]);
    this.#index.replaceChildren(...[...groups].map(([table, names]) =>
      h("optgroup", { label: table }, names.map(name => h("option", { value: name }, name)))));
    if (this.#indexes.has(chosen)) this.#index.value = chosen;
    if (JSON.stringify(this.#indexes.get(this.#index.value)?.key) !== before) this.#showConditions();
  }

  get chosen() {
    return this.#indexes.get(this.#index.value);
  }

  #showConditions() {
    const parts = this.chosen?.key ?? [];
    this.#conditions.replaceChildren(...parts.map((part, i) => condition(typeof part === "string" ? { field: part } : part, i)));
  }

  #path() {
    const parameters = new URLSearchParams();
    for (const row of this.#conditions.children) addCondition(parameters, row);
    if (this.#order.value === "desc") parameters.set("order", "desc");
    parameters.set("limit", this.#limit.value);
    if (this.#staleness.value.trim()) parameters.set("max_staleness", this.#staleness.value.trim());
    if (this.#fetch.checked) parameters.set("fetch", "row");
    return "/v1/indexes/" + encodeURIComponent(this.#index.value) + "/entries?" + parameters;
  }

  async #ask(path) {
    const mine = ++this.#asked;
    byId("request").replaceChildren(h("span", {}, "GET "), h("a", { href: path }, path));
    byId("outcome").setAttribute("aria-busy", "true");
    const before = performance.now();
    let shown;
    let next = null;
    try {
      const { status, body } = await ask(path, exact);
      const took = "answered in " + duration((performance.now() - before) / 1000);
      next = status === 200 ? body.next : null;
      shown = status === 200 ? answer(body, this.#page, took) : problem(status, body);
    } catch (failure) {
      shown = problem(0, { title: "No answer", detail: "The worker did not answer: " + failure.message });
    }
    if (mine !== this.#asked) return;
    this.#cursor = next;
    this.#next.disabled = next === null;
    byId("outcome").removeAttribute("aria-busy");
    byId("outcome").replaceChildren(...shown);
  }
}

function condition(part, i) {
  const second = h("input", { class: "second", "aria-label": part.field + " below", placeholder: "below", hidden: true, spellcheck: "false" });
  const operator = h("select", { "aria-label": "How " + part.field + " is compared", onchange: () => { second.hidden = operator.value !== "range"; } },
    OPERATORS.map(([value, name]) => h("option", { value }, name)));
  const id = "q-part-" + i;
  const note = (part.each ? " each" : "") + (part.order === "desc" ? " descending" : "");
  return h("div", { class: "condition", "data-field": part.field },
    h("label", { for: id }, part.field, h("small", {}, note)), operator,
    h("input", { id, class: "first", placeholder: i === 0 ? "any" : "any, if the ones above are exact", spellcheck: "false" }), second);
}

function addCondition(parameters, row) {
  const field = row.dataset.field;
  const operator = row.querySelector("select").value;
  const [first, second] = ["first", "second"].map(name => row.querySelector("." + name).value);
  if (operator === "range") {
    if (first !== "") parameters.append(field + ".gte", first);
    if (second !== "") parameters.append(field + ".lt", second);
  } else if (first !== "") {
    parameters.append(operator !== "eq" ? field + "." + operator : TAKEN.has(field) ? field + ".eq" : field, first);
  }
}
