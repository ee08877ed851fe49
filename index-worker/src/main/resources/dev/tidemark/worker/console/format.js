// Numbers as people read them. An unknown value is "unknown", never 0.

/** A duration in seconds: 83 ms, 1.25 s, 12.5 s, 2 m 05 s, 3 h 20 m. */
export function duration(seconds) {
  if (seconds === null || seconds === undefined || Number.isNaN(seconds)) return "unknown";
  if (seconds < 0.01 && seconds > 0) return (seconds * 1000).toFixed(1) + " ms";
  if (seconds < 0.9995) return Math.round(seconds * 1000) + " ms";
  if (seconds < 9.995) return seconds.toFixed(2) + " s";
  if (seconds < 59.95) return seconds.toFixed(1) + " s";
  const whole = Math.round(seconds);
  if (whole < 3600) return Math.floor(whole / 60) + " m " + two(whole % 60) + " s";
  return Math.floor(whole / 3600).toLocaleString() + " h " + two(Math.floor(whole % 3600 / 60)) + " m";
}

/** An upper bound in seconds, such as a staleness: as a duration, but never smaller than it is. */
export function atMost(seconds) {
  if (typeof seconds !== "number") return duration(seconds);
  const unit = seconds < 0.01 ? 0.0001 : seconds < 1 ? 0.001 : seconds < 10 ? 0.01 : seconds < 60 ? 0.1 : seconds < 3600 ? 1 : 60;
  // A quotient such as 1.1 / 0.01 lies a little above the whole number that it stands for.
  return duration(Math.ceil(Number((seconds / unit).toFixed(6))) * unit);
}

export function count(number) {
  return number === null || number === undefined ? "unknown" : number.toLocaleString("en-US");
}

/** A number a second; a dash where it is not known. */
export function rate(number) {
  if (number === null || number === undefined) return "–";
  return (number >= 100 ? Math.round(number) : Number(number.toFixed(1))).toLocaleString("en-US");
}

/** Time of day of a moment in seconds since 1970. */
export function clock(seconds) {
  const date = new Date(seconds * 1000);
  return two(date.getHours()) + ":" + two(date.getMinutes()) + ":" + two(date.getSeconds());
}

/** A state's name for people. */
export const stateName = state => state.replaceAll("_", " ");

/** A JSON value in one line. */
export const json = value => typeof value === "string" ? value : JSON.stringify(value);

/** Strings and numbers of JSON: a number within a string is none. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Parses JSON as JSON.parse does, but a number that would become another one stays as its text. */
export const exact = text => JSON.parse(text.replace(TOKENS, token =>
  token.startsWith("\"") || digits(token) === digits(String(Number(token))) ? token : JSON.stringify(token)));

/** The same text for equal numbers, apart from the sign: the digits without zeros around them, and the exponent of the last one. */
function digits(number) {
  const [decimal, exponent = 0] = number.replace("-", "").toLowerCase().split("e");
  const [whole, part = ""] = decimal.split(".");
  const all = whole + part;
  const last = all.replace(/0+$/, "");
  const first = last.replace(/^0+/, "");
  return first && first + "e" + (Number(exponent) - part.length + all.length - last.length);
}

const two = number => String(number).padStart(2, "0");
