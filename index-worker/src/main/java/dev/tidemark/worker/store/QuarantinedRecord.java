package dev.tidemark.worker.store;

import java.time.Instant;

import dev.tidemark.change.WireRecord;

/**
 * A record that could not be applied, kept as it came so that it can be looked at and sent again.
 *
 * @param offset where it stands in its partition
 * @param record key, value and headers as read
 * @param reason what was expected and found
 * @param at when it was put away
 */
public record QuarantinedRecord(long offset, WireRecord record, String reason, Instant at) {}
