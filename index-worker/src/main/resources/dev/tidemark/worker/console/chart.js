// The line chart: one line for each table, because all indexes of a table are equally fresh. The scale is logarithmic, so
// that 50 ms and 20 s can both be read; the worst lines have colours and names, the others stay in the background.

import { atMost, clock } from "./format.js";
import { SPAN } from "./tracks.js";

const LEAST = 0.01;
const TICKS = [0.01, 0.1, 1, 10, 60, 600, 3600, 36000];
const TICK_NAMES = ["10 ms", "100 ms", "1 s", "10 s", "1 m", "10 m", "1 h", "10 h"];
const MARGIN = { left: 52, right: 10, top: 8, bottom: 22 };

/** Draws onto a canvas of any size. A line is {name, members, colour}: the colour is a name of the style, or null. */
export class Chart {
  #canvas;
  #tracks;
  #cursor = null;
  #onCursor;

  constructor(canvas, tracks, onCursor) {
    this.#canvas = canvas;
    this.#tracks = tracks;
    this.#onCursor = onCursor;
    canvas.addEventListener("pointermove", event => this.#point(event.offsetX));
    canvas.addEventListener("pointerleave", () => this.#moveTo(null));
    canvas.addEventListener("blur", () => this.#moveTo(null));
    canvas.addEventListener("keydown", event => this.#key(event));
  }

  /** The moment pointed at, in seconds before now; null when none is. */
  get cursor() {
    return this.#cursor;
  }

  draw(lines, now) {
    const canvas = this.#canvas;
    const scale = window.devicePixelRatio || 1;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
    }
    const pen = canvas.getContext("2d");
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, width, height);
    const style = getComputedStyle(canvas);
    const colour = name => style.getPropertyValue(name);
    const x = at => MARGIN.left + (width - MARGIN.left - MARGIN.right) * (1 - (now - at) / SPAN);
    const y = verticalScale(this.#highest(lines, now), height);
    this.#grid(pen, { x, y, width, height, now, line: colour("--line"), ink: colour("--muted") });
    pen.save();
    pen.beginPath();
    pen.rect(MARGIN.left, 0, width - MARGIN.left - MARGIN.right + 4, height - MARGIN.bottom + 2);
    pen.clip();
    for (const line of [...lines].sort((a, b) => Boolean(a.colour) - Boolean(b.colour))) {
      pen.strokeStyle = colour(line.colour ?? "--quiet-line");
      pen.fillStyle = pen.strokeStyle;
      pen.lineWidth = line.colour ? 2 : 1;
      for (const member of line.members) this.#trace(pen, member, x, y);
    }
    pen.restore();
    if (this.#cursor !== null) this.#rule(pen, x(now - this.#cursor), height, colour("--ink"));
  }

  #highest(lines, now) {
    const worst = lines.flatMap(line => line.members).map(member => this.#tracks.worst(member, now - SPAN));
    return Math.max(1, ...worst) * 1.4;
  }

  #trace(pen, member, x, y) {
    for (const piece of this.#tracks.pieces(member)) {
      pen.beginPath();
      let column = null;
      let worst = 0;
      // Several points in one column of pixels: the worst is drawn.
      for (const [at, freshness] of piece) {
        const here = Math.round(x(at));
        worst = here === column ? Math.max(worst, freshness) : freshness;
        if (here !== column) pen.lineTo(here, y(worst));
        else if (worst === freshness) pen.lineTo(here, y(worst));
        column = here;
      }
      if (piece.length === 1) pen.fillRect(x(piece[0][0]) - 1, y(piece[0][1]) - 1, 2, 2);
      else pen.stroke();
    }
  }

  #grid(pen, { x, y, width, height, now, line, ink }) {
    pen.font = "12px system-ui, sans-serif";
    pen.strokeStyle = line;
    pen.fillStyle = ink;
    pen.lineWidth = 1;
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    TICKS.forEach((tick, i) => {
      const at = Math.round(y(tick)) + 0.5;
      if (at < MARGIN.top) return;
      rule(pen, MARGIN.left, at, width - MARGIN.right, at);
      pen.fillText(TICK_NAMES[i], MARGIN.left - 8, at);
    });
    pen.textAlign = "center";
    pen.textBaseline = "alphabetic";
    const step = width < 520 ? 300 : 180;
    for (let at = Math.ceil((now - SPAN) / step) * step; at <= now; at += step) {
      rule(pen, Math.round(x(at)) + 0.5, MARGIN.top, Math.round(x(at)) + 0.5, height - MARGIN.bottom);
      if (x(at) > MARGIN.left + 12 && x(at) < width - 24) pen.fillText(clock(at).slice(0, 5), x(at), height - 5);
    }
  }

  #rule(pen, at, height, colour) {
    pen.strokeStyle = colour;
    pen.lineWidth = 1;
    rule(pen, Math.round(at) + 0.5, MARGIN.top, Math.round(at) + 0.5, height - MARGIN.bottom);
  }

  #point(offset) {
    const share = (offset - MARGIN.left) / (this.#canvas.clientWidth - MARGIN.left - MARGIN.right);
    this.#moveTo(SPAN * (1 - Math.min(1, Math.max(0, share))));
  }

  #key(event) {
    const step = { ArrowLeft: 5, ArrowRight: -5, PageUp: 60, PageDown: -60, Home: SPAN, End: -SPAN }[event.key];
    if (event.key === "Escape") this.#moveTo(null);
    if (step === undefined) return;
    event.preventDefault();
    this.#moveTo(Math.min(SPAN, Math.max(0, (this.#cursor ?? 0) + step)));
  }

  #moveTo(cursor) {
    this.#cursor = cursor;
    this.#onCursor(cursor);
  }
}

/** What one line of text says of all lines at a moment. */
export function readout(lines, tracks, moment) {
  const told = lines.filter(line => line.colour).map(line => {
    const point = tracks.at(line.members[0], moment);
    return line.name + " " + (point ? atMost(point[1]) : "unknown");
  });
  return clock(moment) + "   " + told.join("   ");
}

function verticalScale(highest, height) {
  const decades = Math.log10(highest / LEAST);
  const room = height - MARGIN.top - MARGIN.bottom;
  return seconds => height - MARGIN.bottom - room * (Math.log10(Math.max(LEAST, seconds) / LEAST) / decades);
}

function rule(pen, x1, y1, x2, y2) {
  pen.beginPath();
  pen.moveTo(x1, y1);
  pen.lineTo(x2, y2);
  pen.stroke();
}
