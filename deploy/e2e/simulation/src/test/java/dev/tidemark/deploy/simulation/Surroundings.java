package dev.tidemark.deploy.simulation;

import java.util.List;
import java.util.Optional;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.testkit.ManualClock;

/** What a run has once, around its writers. */
record Surroundings(
        List<TableDefinition> tables,
        SimulatedTopics topics,
        ManualClock clock,
        RandomSource chance,
        Histories histories,
        Rule broken,
        SimulatedDefinitions definitions,
        Optional<SimulatedShop> shop) {}
