// Explanations and receipts, where the worker has them.

import { byId, h } from "./dom.js";
import { ask } from "./feed.js";
import { exact } from "./format.js";
import { problem } from "./answer.js";
import { tree } from "./tree.js";

export class Why {
  #query;
  #offered = false;

  constructor(query) {
    this.#query = query;
  }

  /** Looks once into the worker's own description for what it can do. */
  async offer() {
    if (this.#offered) return;
    this.#offered = true;
    try {
      const { body } = await ask("/openapi.yaml");
      const can = path => String(body).includes("\n  " + path + ":");
      const forms = [
        can("/v1/indexes/{index}/explain") ? this.#form("Explain", "Primary key", "a row of the index chosen above", key =>
          "/v1/indexes/" + encodeURIComponent(this.#query.chosen?.index ?? "") + "/explain?key=" + encodedKey(key)) : null,
        can("/v1/receipts/{token}") ? this.#form("Receipt", "Token", "from the answer to a write", token =>
          "/v1/receipts/" + encodeURIComponent(token)) : null,
      ].filter(Boolean);
      byId("why-forms").replaceChildren(...forms);
      byId("why").hidden = forms.length === 0;
    } catch {
      this.#offered = false;
    }
  }

  #form(name, label, placeholder, path) {
    const input = h("input", { required: true, placeholder, spellcheck: "false", autocomplete: "off" });
    return h("form", { class: "why-form", "data-why": name, onsubmit: event => {
      event.preventDefault();
      this.#ask(path(input.value));
    } }, h("label", {}, label + " ", input), h("button", { type: "submit" }, name));
  }

  async #ask(path) {
    const request = h("p", { class: "request" }, "GET ", h("a", { href: path }, path));
    try {
      const { status, body } = await ask(path, exact);
      byId("why-outcome").replaceChildren(request, ...(status === 200 ? [tree(body)] : problem(status, body)));
    } catch (failure) {
      byId("why-outcome").replaceChildren(request, ...problem(0, { title: "No answer", detail: failure.message }));
    }
  }
}

/** Commas part the values of a composite key, and one within a value is typed as %2C: both stay as they are. */
function encodedKey(key) {
  return encodeURIComponent(key).replaceAll("%2C", ",").replaceAll("%252C", "%2C");
}
