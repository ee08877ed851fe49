// The token that a worker may ask for: typed in once, kept by this tab until it is closed, shown with every request.

import { byId } from "./dom.js";

const NAME = "tidemark.token";
const listeners = [];

/** The headers that show the token, none where there is none. */
export function shown() {
  const token = sessionStorage.getItem(NAME);
  return token ? { Authorization: "Bearer " + token } : {};
}

/** The worker refused: what was shown is forgotten, so that it is not shown again and again, and another is asked for. */
export function refused() {
  sessionStorage.removeItem(NAME);
  byId("token").hidden = false;
}

/** Whether a token is asked for and not given yet. */
export function isAsking() {
  return !byId("token").hidden;
}

/** Calls back whenever a token is typed in. */
export function onToken(listener) {
  listeners.push(listener);
}

byId("token-form").addEventListener("submit", event => {
  event.preventDefault();
  const input = byId("token-input");
  if (input.value.trim() === "") return;
  sessionStorage.setItem(NAME, input.value.trim());
  input.value = "";
  byId("token").hidden = true;
  for (const listener of listeners) listener();
});
