// The freshness of each index over the last quarter of an hour.

/** How far back the page looks, in seconds. */
export const SPAN = 900;

/** Points further apart than this, in seconds, have a time between them of which nothing is known. */
const GAP = 11;

/** For each index a list of [seconds since 1970, freshness in seconds or null], oldest first. */
export class Tracks {
  #points = new Map();

  add(index, at, freshness) {
    const points = this.#of(index);
    if (points.length && at <= points.at(-1)[0]) return;
    points.push([at, freshness]);
    while (points[0][0] < at - SPAN - GAP) points.shift();
  }

  /** The page heard nothing from then on. */
  lost(at) {
    for (const points of this.#points.values()) {
      if (points.length && points.at(-1)[1] !== null) points.push([Math.max(at, points.at(-1)[0] + 0.001), null, "lost"]);
    }
  }

  /** Adds what the worker remembers where the page itself knows nothing. */
  merge(history) {
    for (const { index, points } of history.indexes) {
      const own = this.#of(index).filter(point => point[2] !== "lost");
      const near = at => own.some(point => Math.abs(point[0] - at) < history.intervalSeconds / 2);
      const missing = points.filter(point => !near(point[0]));
      this.#points.set(index, [...own, ...missing].sort((a, b) => a[0] - b[0]));
    }
  }

  of(index) {
    return this.#points.get(index) ?? [];
  }

  /** The unbroken pieces of a track, for drawing. */
  pieces(index) {
    const pieces = [];
    let piece = [];
    let before = null;
    for (const point of this.of(index)) {
      if (point[1] === null || (before !== null && point[0] - before > GAP)) {
        if (piece.length) pieces.push(piece);
        piece = [];
      }
      if (point[1] !== null) piece.push(point);
      before = point[0];
    }
    if (piece.length) pieces.push(piece);
    return pieces;
  }

  /** The worst that is known since then; 0 when nothing is. */
  worst(index, since) {
    let worst = 0;
    for (const [at, freshness] of this.of(index)) {
      if (at >= since && freshness > worst) worst = freshness;
    }
    return worst;
  }

  /** What was known at a moment, give or take some seconds; undefined when nothing was. */
  at(index, moment) {
    let best;
    for (const point of this.of(index)) {
      if (Math.abs(point[0] - moment) <= GAP / 2 && (!best || Math.abs(point[0] - moment) < Math.abs(best[0] - moment))) best = point;
    }
    return best;
  }

  #of(index) {
    if (!this.#points.has(index)) this.#points.set(index, []);
    return this.#points.get(index);
  }
}
