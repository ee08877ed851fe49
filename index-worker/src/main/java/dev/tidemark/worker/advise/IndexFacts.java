package dev.tidemark.worker.advise;

import java.time.Duration;
import java.util.Optional;

import dev.tidemark.index.IndexDefinition;

/**
 * The facts about an index when advice is requested.
 *
 * @param index its public name
 * @param shape how its entries are spread
 * @param usage how it was queried and updated
 * @param applyPerChange its part of the cost of applying one change of the table, estimated by its part of the entries;
 *     empty before enough changes were measured
 */
public record IndexFacts(
        String index, IndexDefinition definition, KeyShape shape, Usage usage, Optional<Duration> applyPerChange) {}
