// Checks the console page: node console.mjs URL MODULES CHROMIUM [PICTURE]. Prints a line for each check; exits 1 when one failed.

import { open } from "./browser.mjs";
import { CHECKS } from "./checks.mjs";

const PATIENCE = 1_200_000;

const [url, modules, chromium, picture] = process.argv.slice(2);
setTimeout(() => {
  console.log("not ok: the checks did not end within " + PATIENCE / 1000 + " s");
  process.exit(3);
}, PATIENCE).unref();

const browser = await open(modules, chromium);
let failed = 0;
try {
  await browser.page.setViewportSize({ width: 1280, height: 900 });
  await browser.page.goto(url, { waitUntil: "load" });
  for (const check of CHECKS) {
    const before = Date.now();
    try {
      await check({ ...browser, picture });
      console.log("ok " + check.name + " (" + ((Date.now() - before) / 1000).toFixed(1) + " s)");
    } catch (failure) {
      failed++;
      console.log("not ok " + check.name + ": " + failure.message);
    }
    if (picture && check.name === "tellsRatesAndStages") await browser.page.screenshot({ path: picture });
  }
} finally {
  await browser.close();
}
console.log(CHECKS.length - failed + " of " + CHECKS.length + " checks passed");
process.exit(failed ? 1 : 0);
