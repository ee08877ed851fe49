/**
 * Races: Tidemark and one peer do the same work in turn, and the result is a ratio of medians.
 *
 * <p>Read in this order: {@link dev.tidemark.deploy.bench.scenario.Scenario} (what there is to measure),
 * {@link dev.tidemark.deploy.bench.scenario.Figure} (what comes out),
 * {@link dev.tidemark.deploy.bench.scenario.Contender} (who takes part),
 * {@link dev.tidemark.deploy.bench.scenario.Suite} (where the racers of a course come from),
 * {@link dev.tidemark.deploy.bench.scenario.ScenarioRounds} (rounds in turn),
 * {@link dev.tidemark.deploy.bench.scenario.ScenarioRun} (from a new stack to the reports),
 * {@link dev.tidemark.deploy.bench.scenario.ScenarioReport} (the tables).
 *
 * <p>One thread. A round in which anything failed fails the race: a number from it would mean nothing. What is not
 * installed is left out, and the report says so.
 */
@NullMarked
package dev.tidemark.deploy.bench.scenario;

import org.jspecify.annotations.NullMarked;
