package dev.tidemark.worker.advise;

import java.time.Duration;
import java.util.Optional;

import dev.tidemark.index.IndexDefinition;

/**
 * What is known of an index when advice is asked for.
 *
 * @param index its public name
 * @param shape how its entries are spread
 * @param changes what updates did to it
 * @param usage how it was asked
 * @param applyPerChange its part of what applying one change of the table costs, estimated by its part of the entries
 *     there are; empty before enough changes were measured
 */
public record IndexFacts(
        String index,
        IndexDefinition definition,
        KeyShape shape,
        ChangeCounts changes,
        Usage usage,
        Optional<Duration> applyPerChange) {}
