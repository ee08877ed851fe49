/**
 * Races: Tidemark and one peer do the same work in turn, and the result is a ratio of medians.
 *
 * <p>Read in this order: {@link dev.tidemark.deploy.bench.race.Course} (what there is to measure), {@link
 * dev.tidemark.deploy.bench.race.Figure} and {@link dev.tidemark.deploy.bench.race.Aim} (what comes out, and what is to be
 * reached), {@link dev.tidemark.deploy.bench.race.Racer} (who takes part), {@link dev.tidemark.deploy.bench.race.Lineup} (where
 * the racers of a course come from), {@link dev.tidemark.deploy.bench.race.Race} (rounds in turn), {@link
 * dev.tidemark.deploy.bench.race.RaceRun} (from a new stack to the reports), {@link
 * dev.tidemark.deploy.bench.race.RaceReport} (the tables).
 *
 * <p>One thread. A round in which anything failed fails the race: a number from it would mean nothing. What is not installed is
 * left out, and the report says so.
 */
@NullMarked
package dev.tidemark.deploy.bench.race;

import org.jspecify.annotations.NullMarked;
