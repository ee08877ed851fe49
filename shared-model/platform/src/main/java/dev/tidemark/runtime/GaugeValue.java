package dev.tidemark.runtime;

import java.util.function.DoubleSupplier;

/**
 * A number that some technology reports about itself, in a form that a metrics adapter can show without knowing the
 * technology.
 *
 * @param name dotted lower-case name, unit last ({@code rocksdb.wal.bytes})
 * @param description one sentence, for the metric's help text
 * @param value returns the current number, or NaN when it is unknown; may be called by any thread
 */
public record GaugeValue(String name, String description, DoubleSupplier value) {}
