// What the console page must do in a browser. Each check leaves the page as the next one expects it: open, and in contact.

import { please, require, until } from "./browser.mjs";

const INDEXES = 50;
const PATIENCE_FOR_THE_LINE = 15_000;
const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 900 };

const everyState = state => page => page.evaluate(
  wanted => [...document.querySelectorAll("#index-rows .badge")].every(badge => badge.dataset.state === wanted), state);

const allSteady = page => until(page, "every index is steady", count => {
  const badges = [...document.querySelectorAll("#index-rows .badge")];
  return badges.length === count && badges.every(badge => badge.dataset.state === "steady" && badge.textContent === "steady");
}, INDEXES, 180);

const lost = page => until(page, "without contact no state is claimed, and the page says since when", () => {
  const badges = [...document.querySelectorAll(".badge")].filter(badge => badge.closest("#index-rows"));
  return badges.length > 0 && badges.every(badge => badge.dataset.state === "unknown" && badge.textContent === "unknown")
    && document.getElementById("contact").textContent.startsWith("no contact since ")
    && document.getElementById("alarm").checkVisibility()
    && document.querySelector("[data-figure=state] .value").textContent.startsWith("0 of ");
}, null, 20);

async function showsEveryIndex({ page }) {
  await allSteady(page);
  require(await page.locator("#contact").textContent().then(text => text.startsWith("live")), "the page to say that it is live");
}

/** What the chart shows at its right edge, where the newest points are, and what the legend says. */
const edge = page => page.evaluate(() => {
  const canvas = document.getElementById("chart");
  const scale = canvas.width / canvas.clientWidth;
  const [width, height] = [8 * scale, canvas.height - 24 * scale];
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  pen.drawImage(canvas, canvas.width - 17 * scale, 0, width, height, 0, 0, width, height);
  const { data } = pen.getImageData(0, 0, width, height);
  let coloured = 0;
  for (let i = 0; i < data.length; i += 4) {
    const [red, green, blue, alpha] = data.slice(i, i + 4);
    if (alpha > 200 && Math.max(red, green, blue) - Math.min(red, green, blue) > 60) coloured++;
  }
  return { coloured, whole: canvas.toDataURL(), values: document.getElementById("legend").textContent,
    contact: document.getElementById("contact").textContent };
});

/** A machine that does too much at once may lose contact for a moment, which the page says; the line goes on after it. */
async function lineUpToTheEdge(page) {
  const end = Date.now() + PATIENCE_FOR_THE_LINE;
  let seen = await edge(page);
  while (seen.coloured === 0 && Date.now() < end) {
    await page.waitForTimeout(250);
    seen = await edge(page);
  }
  require(seen.coloured > 0, "coloured lines up to the right edge, but there are none; legend: " + seen.values + "; contact: " + seen.contact);
  return seen;
}

/** The newest points are at the right edge, and the line of a page that hears nothing would end left of it. */
async function theChartMoves({ page }) {
  const before = await lineUpToTheEdge(page);
  await page.waitForTimeout(12_000);
  const after = await lineUpToTheEdge(page);
  require(before.whole !== after.whole, "another picture after 12 s");
  require(before.values !== after.values, "other numbers in the legend after 12 s");
}

/** Rates where the worker tells them, and a dash where it does not; the stages of the films as a bar. */
async function tellsRatesAndStages({ page }) {
  const told = await page.evaluate(async () => (await (await fetch("/v1/lag")).json()).tables.find(table => table.table === "movies"));
  await until(page, "the rate of what is applied", known => {
    const text = document.querySelector("[data-figure=applied] .value").textContent;
    return known ? Number(text.replaceAll(",", "")) > 0 : text === "–";
  }, typeof told.appliedPerSecond === "number");
  await until(page, "the stages of the films as a bar", () => {
    const bar = document.querySelector("[data-table=movies] .bar");
    return bar?.checkVisibility() && [...bar.children].filter(part => part.clientWidth > 2).length >= 2;
  });
}

/** From the top of the page to the film by keys only. */
async function keysAloneFindAFilm({ page }) {
  await page.evaluate(() => { document.activeElement?.blur(); window.scrollTo(0, 0); });
  const keys = page.keyboard;
  await keys.press("Tab");
  require(await page.evaluate(() => document.activeElement.className === "skip"), "the first key to reach the way to the query box");
  await keys.press("Enter");
  await keys.press("Tab");
  require(await page.evaluate(() => document.activeElement.id === "q-index"), "the choice of the index to be next");
  require(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle !== "none"), "a visible focus");
  await keys.type("by_actor");
  await keys.press("Tab");
  await keys.press("Tab");
  await keys.type("Humphrey Bogart");
  await keys.press("Enter");
  await until(page, "Casablanca among the entries", () => document.getElementById("outcome").textContent.includes("Casablanca"));
  const outcome = await page.locator("#outcome").textContent();
  require(/At most .* old, complete up to 20/.test(outcome), "the freshness of the answer, but got " + outcome);
}

async function explainsARow({ page }) {
  await page.fill("[data-why=Explain] input", "casablanca-1942");
  await page.click("[data-why=Explain] button");
  await until(page, "the explanation", () => document.getElementById("why-outcome").textContent.includes("in_index"));
}

async function turnsThePage({ page }) {
  await page.selectOption("#q-index", "by_year");
  await page.fill("input[name=limit]", "2");
  await page.focus("#q-ask");
  await page.keyboard.press("Enter");
  await until(page, "two entries", () => document.querySelectorAll("#outcome tbody tr").length === 2);
  const first = await page.locator("#outcome tbody").textContent();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await until(page, "page 2", () => document.getElementById("outcome").textContent.includes("page 2"));
  require(first !== await page.locator("#outcome tbody").textContent(), "other entries on page 2");
  await page.fill("input[name=limit]", "20");
}

async function showsAProblemAsItIs({ page, seen }) {
  const complaints = seen.complaints.length;
  await page.selectOption("#q-index", "by_genre");
  await page.fill("[data-field=year] .first", "1942");
  await page.click("#q-ask");
  await until(page, "the problem document", () => {
    const text = document.querySelector("#outcome .problem")?.textContent ?? "";
    return text.includes("400") && text.includes("equality on genres") && text.includes("\"type\": \"about:blank\"");
  });
  // The browser itself writes into its console that an answer had the status 400.
  require(seen.complaints.splice(complaints).every(text => text.includes("400")), "no other complaint");
}

async function valuesStayText({ page }) {
  await page.selectOption("#q-index", "by_topic");
  await page.click("#q-ask");
  await until(page, "the hostile row", () => document.getElementById("outcome").textContent.includes("<img src=x onerror="));
  require(await page.locator("#outcome img, #outcome b.own").count() === 0, "no element made of a value");
  require(await page.evaluate(() => window.hacked === undefined), "no script run from a value");
}

/** Asks the index that is chosen, for which this test answers in place of the worker. */
async function answered(page, body) {
  await page.route("**/entries?**", route => route.fulfill({ contentType: "application/json", body }));
  await page.evaluate(() => document.getElementById("outcome").replaceChildren());
  await page.click("#q-ask");
  await until(page, "the answer of this test", () => document.getElementById("outcome").textContent.includes("of this test"));
  await page.unroute("**/entries?**");
  return page.locator("#outcome").textContent();
}

async function showsNumbersAsTheyAre({ page }) {
  const outcome = await answered(page, `{"entries": [{"key": {"topic": 1e400}, "primaryKey": [9007199254740993, -0.50], "shard": "notes-0",
    "row": {"text": "of this test \\" 9007199254740995", "more": {"a": 1.00000000000000000001, "b": 1.50E3}}, "version": "1-2"}],
    "next": null, "freshness": {"state": "steady", "stalenessMs": 1, "completeUpTo": null}}`);
  for (const shown of ["1e400", "9007199254740993, -0.5", "of this test \" 9007199254740995", "1.00000000000000000001", "\"b\":1500"]) {
    require(outcome.includes(shown), shown + ", but got " + outcome);
  }
}

async function namesTheNumberOfRowsThatAnIndexCannotHold({ page }) {
  const outcome = await answered(page, `{"entries": [{"key": {"topic": "of this test"}, "primaryKey": 1, "shard": "notes-0", "version": "1-2"}],
    "next": null, "freshness": {"state": "degraded", "stalenessMs": 1, "completeUpTo": null, "refused": 3}}`);
  require(outcome.includes("3 rows are not in the index"), "the refused rows, but got " + outcome);
}

async function neverShowsAStalenessTooSmall({ page }) {
  const shown = await page.evaluate(async () => {
    const { atMost } = await import("/console/format.js");
    return [0.00123, 0.9991, 1.1, 1.254, 59.94, 61.2, 3599.5, 7199, 12059, 0, null].map(atMost).join(", ");
  });
  const expected = "1.3 ms, 1.00 s, 1.10 s, 1.26 s, 1 m 00 s, 1 m 02 s, 1 h 00 m, 2 h 00 m, 3 h 21 m, 0 ms, unknown";
  require(shown === expected, expected + ", but got " + shown);
}

async function fitsAPhone({ page }) {
  await page.setViewportSize(PHONE);
  await page.waitForTimeout(300);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  require(width <= PHONE.width, "no scrolling sideways at " + PHONE.width + " px, but the page is " + width + " px wide");
  await page.setViewportSize(DESK);
}

async function followsTheColourScheme({ page }) {
  const brightness = () => page.evaluate(() => {
    const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
    return red + green + blue;
  });
  await page.emulateMedia({ colorScheme: "dark" });
  require(await brightness() < 150, "a dark page where dark is wanted");
  await page.emulateMedia({ colorScheme: "light" });
  require(await brightness() > 600, "a light page where light is wanted");
}

async function filtersIndexes({ page }) {
  await page.fill("#filter", "by_act");
  require(await page.locator("#index-rows tbody tr").count() === 1, "one index that is called so");
  await page.fill("#filter", "");
  require(await page.locator("#index-rows tbody tr").count() === INDEXES, "all indexes without a filter");
}

/** The stack of this test builds slowly, so that the page has something to follow. */
async function followsAnIndexThatIsCreatedAndDropped({ page, picture }) {
  const send = (method, path, body) => page.evaluate(async ([method, path, body]) => (await fetch(path, {
    method, body, headers: body ? { "Content-Type": "application/json" } : {} })).status, [method, path, body]);
  const created = await send("POST", "/v1/indexes", JSON.stringify({ table: "notes", index: "by_author", key: ["author"], projection: "keys_only" }));
  require(created === 202, "202 for an index that is created, but got " + created);
  await until(page, "the index as building, with a bar, since when and why", () => {
    const card = document.querySelector("[data-life=by_author]");
    const row = document.querySelector("[data-index=by_author] .badge");
    return card?.checkVisibility() && row?.dataset.state === "building" && card.querySelector(".badge").dataset.state === "building"
      && card.querySelector("[role=progressbar]").checkVisibility() && / of \d+ rows/.test(card.textContent) && /since \d\d:\d\d:\d\d/.test(card.textContent)
      && card.querySelector(".cause").textContent.length > 5;
  });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize(PHONE);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  if (picture) await page.locator("#indexes").screenshot({ path: picture.replace(/(\.png)?$/, "-building.png") });
  await page.setViewportSize(DESK);
  await page.emulateMedia({ colorScheme: "light" });
  require(width <= PHONE.width, "no scrolling sideways while an index is built, but the page is " + width + " px wide");
  await until(page, "the index as ready, and nothing left to follow", () => document.querySelector("[data-index=by_author] .badge").dataset.state === "steady"
    && document.querySelector("[data-life=by_author]") === null, null, 180);
  await page.click(".journal summary");
  const journal = await page.locator("#journal").textContent();
  require(/by_author: new → building/.test(journal) && /by_author: [a-z]+ → steady/.test(journal), "both changes in the journal, but got " + journal);
  require(await page.locator("#q-index option[value=by_author]").count() === 1, "the query box to offer the index");
  require(await send("DELETE", "/v1/indexes/by_author") === 202, "202 for an index that is dropped");
  await until(page, "the index to go", () => document.querySelector("[data-index=by_author]") === null
    && document.getElementById("journal").textContent.includes("by_author: steady → dropped"));
}

async function saysSoWhenTheWorkerStandsStill({ page }) {
  await please("suspend");
  try {
    await lost(page);
  } finally {
    await please("resume");
  }
  await allSteady(page);
}

async function saysSoWhenTheWorkerIsKilledAndComesBack({ page, seen }) {
  const complaints = seen.complaints.length;
  await please("kill");
  try {
    await lost(page);
  } finally {
    await please("start");
  }
  await allSteady(page);
  await until(page, "the changes of state in the list", () => document.querySelectorAll("#journal li").length > 0);
  require(await everyState("steady")(page), "every index to be steady");
  // The browser itself writes into its console that nobody answered.
  seen.complaints.splice(complaints, Infinity, ...seen.complaints.slice(complaints).filter(text => !/Failed to load resource|ERR_/.test(text)));
}

/** The worker must end in time although this page follows it. */
async function letsTheWorkerEnd({ page, seen }) {
  const complaints = seen.complaints.length;
  await please("terminate");
  await lost(page);
  seen.complaints.splice(complaints, Infinity, ...seen.complaints.slice(complaints).filter(text => !/Failed to load resource|ERR_/.test(text)));
}

async function asksNobodyElse({ page, seen }) {
  const origin = new URL(page.url()).origin;
  const others = seen.requests.filter(url => new URL(url).origin !== origin);
  require(others.length === 0, "requests to " + origin + " only, but got " + others.join(", "));
  require(seen.complaints.length === 0, "no complaint of the browser, but got " + seen.complaints.join("\n"));
}

export const CHECKS = [showsEveryIndex, theChartMoves, tellsRatesAndStages, keysAloneFindAFilm, explainsARow, turnsThePage, showsAProblemAsItIs, valuesStayText,
  showsNumbersAsTheyAre, namesTheNumberOfRowsThatAnIndexCannotHold, neverShowsAStalenessTooSmall,
  fitsAPhone, followsTheColourScheme, filtersIndexes, followsAnIndexThatIsCreatedAndDropped, saysSoWhenTheWorkerStandsStill, saysSoWhenTheWorkerIsKilledAndComesBack,
  letsTheWorkerEnd, asksNobodyElse];
