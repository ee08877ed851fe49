// Which lines of the chart have a colour: the worst ones and those that were chosen, five at most.

import { byId, h, setAttribute, setText } from "./dom.js";
import { atMost } from "./format.js";
import { SPAN } from "./tracks.js";

const COLOURS = ["--line-1", "--line-2", "--line-3", "--line-4", "--line-5"];

/** A line must be so much worse than a shown one to take its place: else the colours would never rest. */
const WORSE = 1.5;

export class Legend {
  #colours = new Map();
  #chosen = new Set();
  #items = new Map();

  /** A table chosen by the user keeps a colour; choosing it again sets it free. */
  choose(table) {
    if (!this.#chosen.delete(table)) this.#chosen.add(table);
  }

  isChosen(table) {
    return this.#chosen.has(table);
  }

  /** The lines to draw, from the indexes that the worker has told of. */
  lines(indexes, tracks, now) {
    const tables = new Map();
    for (const { table, index } of indexes) {
      if (!tables.has(table)) tables.set(table, []);
      tables.get(table).push(index);
    }
    const worst = new Map([...tables].map(([table, members]) => [table, tracks.worst(members[0], now - SPAN)]));
    this.#deal([...tables.keys()], worst);
    return [...tables].map(([name, members]) => ({
      name, members, colour: this.#colours.get(name) ?? null, now: tracks.of(members[0]).at(-1)?.[1],
    }));
  }

  show(lines, live) {
    const list = byId("legend");
    const coloured = lines.filter(line => line.colour);
    for (const line of coloured) {
      if (!this.#items.has(line.name)) this.#items.set(line.name, item(line.name));
      const { element, swatch, name, value } = this.#items.get(line.name);
      setAttribute(swatch, "data-line", line.colour);
      const many = line.members.length;
      setText(name, line.name + (many === 1 ? ": " + line.members[0] : ": " + many + " indexes"));
      setAttribute(element, "title", line.members.join(", "));
      setText(value, live ? atMost(line.now) : "unknown");
    }
    const wanted = coloured.map(line => this.#items.get(line.name).element);
    const rest = lines.length - coloured.length;
    if (rest) {
      this.rest ??= h("li", { class: "rest" });
      setText(this.rest, "and " + rest + " calmer table" + (rest > 1 ? "s" : "") + " in the background");
      wanted.push(this.rest);
    }
    if (wanted.length !== list.children.length || wanted.some((element, i) => list.children[i] !== element)) {
      list.replaceChildren(...wanted);
    }
  }

  #deal(tables, worst) {
    const rank = table => (this.#chosen.has(table) ? 1e12 : 0)
      + worst.get(table) * (this.#colours.has(table) ? WORSE : 1);
    const wanted = [...tables].sort((a, b) => rank(b) - rank(a)).slice(0, COLOURS.length);
    for (const table of [...this.#colours.keys()]) {
      if (!wanted.includes(table)) this.#colours.delete(table);
    }
    for (const table of wanted) {
      if (!this.#colours.has(table)) {
        const used = new Set(this.#colours.values());
        this.#colours.set(table, COLOURS.find(colour => !used.has(colour)));
      }
    }
  }
}

function item() {
  const swatch = h("span", { class: "swatch" });
  const name = h("span", { class: "name" });
  const value = h("span", { class: "number" });
  return { element: h("li", {}, swatch, name, value), swatch, name, value };
}
