package dev.tidemark.deploy.probe;

import java.util.OptionalDouble;
import java.util.Set;

/** A value that a service gave for some partitions, or for all when none is named; the caller adds the times. */
record StalenessReading(Source source, Set<Integer> partitions, OptionalDouble seconds) {}
