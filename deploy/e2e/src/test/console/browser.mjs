// A headless browser with an empty profile, what it was asked to do, and what it complained about.

import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** Opens a page; modules is the directory that holds playwright-core. */
export async function open(modules, chromium) {
  const driver = createRequire(join(modules, "here.js"))("playwright-core");
  const profile = mkdtempSync(join(tmpdir(), "tidemark-console-"));
  const context = await driver.chromium.launchPersistentContext(profile, { executablePath: chromium, args: FLAGS, timezoneId: "UTC" });
  const page = context.pages()[0] ?? await context.newPage();
  const seen = { requests: [], complaints: [] };
  page.on("request", request => seen.requests.push(request.url()));
  page.on("pageerror", error => seen.complaints.push(String(error)));
  page.on("console", message => {
    if (["error", "warning"].includes(message.type())) seen.complaints.push(message.text());
  });
  const close = async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { page, seen, close };
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/** Asks whoever started this script to do something to the worker, and waits until it is done. */
export async function please(deed) {
  console.log("please " + deed);
  const { value } = await lines.next();
  if (value !== "done") throw new Error("expected " + deed + " to be done, but heard " + value);
}

/** Waits until a condition holds in the page; fails with what was expected. */
export async function until(page, expected, condition, argument, seconds = 120) {
  try {
    await page.waitForFunction(condition, argument, { timeout: seconds * 1000, polling: 200 });
  } catch (failure) {
    throw new Error("expected within " + seconds + " s: " + expected + " (" + String(failure).split("\n")[0] + ")");
  }
}

/** Throws unless it is so. */
export function require(holds, expected) {
  if (!holds) throw new Error("expected " + expected);
}
