package dev.tidemark.deploy.probe;

import java.util.OptionalDouble;
import java.util.Set;

/** A number that a service gave of some partitions, of all when none is named; the times are added by whoever asked. */
record StalenessReading(Source source, Set<Integer> partitions, OptionalDouble seconds) {}
