package dev.tidemark.change;

import java.time.Instant;
import java.util.Optional;

/**
 * What a heartbeat says of a table whose rows come from a source.
 *
 * @param watermark every change that was committed in the source at or before it precedes the heartbeat, by the clock
 *     of the writer; empty while nothing is known
 */
public record SourceMark(Optional<Instant> watermark) {}
