// The console: what the worker says goes to the parts of the page; what it does not say is unknown.

import { Chart, readout } from "./chart.js";
import { byId, setAttribute, setText } from "./dom.js";
import { Feed, ask } from "./feed.js";
import { atMost, clock, duration } from "./format.js";
import { IndexList } from "./indexes.js";
import { Journal } from "./journal.js";
import { Legend } from "./legend.js";
import { LifecycleCards, stateOf } from "./lifecycle.js";
import { Quarantine } from "./quarantine.js";
import { QueryBox } from "./query.js";
import { Summary } from "./summary.js";
import { TableCards } from "./tables.js";
import { Tracks } from "./tracks.js";
import { Why } from "./why.js";
import { Workers } from "./workers.js";

const HINT = byId("readout").textContent;
const SPARKS_EVERY = 5000;

const tracks = new Tracks();
const legend = new Legend();
const chart = new Chart(byId("chart"), tracks, () => drawChart());
const indexes = new IndexList(legend, table => {
  legend.choose(table);
  show();
});
const lives = new LifecycleCards();
const cards = new TableCards();
const summary = new Summary();
const journal = new Journal();
const quarantine = new Quarantine();
const query = new QueryBox();
const why = new Why(query);
const workers = new Workers();

let lag = null;
let lines = [];
let contact = { live: false, heard: null, quietSeconds: null };
/** How far the worker's clock is ahead of this machine's, in seconds. */
let ahead = 0;
let sparksDrawn = -SPARKS_EVERY;

const now = () => Date.now() / 1000 + ahead;
const names = known => known ? known.indexes.map(index => index.index).join(" ") : "";

/** What is known at the moment: without contact, no state is. */
function known() {
  return contact.live ? lag : { ...lag, indexes: lag.indexes.map(index => ({ ...index, state: "unknown" })) };
}

function show() {
  if (!lag) return;
  const told = known();
  indexes.show(told, contact.live);
  lives.show(lag, now(), contact.live);
  cards.show(lag, contact.live);
  summary.show(told, contact.live);
  journal.note(told.indexes, now());
  lines = legend.lines(told.indexes, tracks, now());
  legend.show(lines, contact.live);
  drawChart();
  if (performance.now() - sparksDrawn > SPARKS_EVERY) {
    sparksDrawn = performance.now();
    indexes.drawSparks(tracks, now());
  }
}

function drawChart() {
  chart.draw(lines, now());
  setText(byId("readout"), chart.cursor === null ? HINT : readout(lines, tracks, now() - chart.cursor));
  setAttribute(byId("chart"), "aria-label", "Freshness of the last 15 minutes. "
    + lines.filter(line => line.colour).map(line => line.name + " " + (contact.live ? atMost(line.now) : "unknown")).join(", "));
}

function showContact() {
  const pill = byId("contact");
  const alarm = byId("alarm");
  const since = contact.heard === null ? null : clock(contact.heard);
  setAttribute(pill, "data-contact", contact.live ? "live" : contact.heard === null ? "connecting" : "lost");
  setText(pill, contact.live ? "live, " + clock(now()) : since ? "no contact since " + since : "connecting…");
  alarm.hidden = contact.live || contact.heard === null;
  if (!alarm.hidden) {
    // Told once in full: a sentence that changed every second would be read aloud every second.
    setText(alarm, "No contact with the worker since " + since + ". Every state is unknown, the other numbers are from then. "
      + "Reconnecting by itself.");
    setText(pill, "no contact since " + since + " (" + duration(Math.round(contact.quietSeconds)).replace(".00", "") + ")");
  }
}

async function refresh() {
  try {
    const [history, list] = await Promise.all([ask("/v1/history"), ask("/v1/indexes")]);
    if (history.status === 200) tracks.merge(history.body);
    if (list.status === 200) query.offer(list.body.indexes);
    sparksDrawn = -SPARKS_EVERY;
    show();
  } catch {
    // The next connection asks again; meanwhile the page shows what it knows.
  }
  why.offer();
}

new Feed({
  onOpen: refresh,
  onLag(told, at) {
    const before = names(lag);
    lag = { ...told, indexes: told.indexes.map(index => ({ ...index, state: stateOf(index) })) };
    // An index was created or dropped: the query box offers what there is.
    if (before !== "" && before !== names(lag)) refresh();
    ahead = at - Date.now() / 1000;
    for (const index of told.indexes) tracks.add(index.index, at, index.freshnessSeconds);
    quarantine.show(told);
    workers.show();
    contact = { ...contact, live: true };
    show();
  },
  onContact(heard) {
    const turned = heard.live !== contact.live;
    contact = heard;
    setAttribute(byId("worker-groups"), "data-lost", !heard.live);
    if (turned && !heard.live && heard.heard !== null) tracks.lost(heard.heard + ahead + 1);
    showContact();
    if (turned || !heard.live) show();
  },
});

new ResizeObserver(() => drawChart()).observe(byId("chart"));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawChart());
