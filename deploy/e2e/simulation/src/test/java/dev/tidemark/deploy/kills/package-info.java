/**
 * Stores on a real disk whose process ends while it writes, hundreds of times, by a kill or a power cut: what was
 * acknowledged must be there, as far as it was to outlive that end, and what is there must be what some whole number of
 * batches leaves.
 *
 * <p>Read in this order: {@link dev.tidemark.deploy.kills.Script} (what each batch writes, so that anybody can tell
 * what must be there), {@link dev.tidemark.deploy.kills.Trial} and its two kinds,
 * {@link dev.tidemark.deploy.kills.TrialMain} (the process that is killed; it begins by checking what the one before it
 * left), {@link dev.tidemark.deploy.kills.Ending} (how it ends), {@code StoreKillsTest} and {@code PowerCutsTest} (who
 * ends it).
 */
@NullMarked
package dev.tidemark.deploy.kills;

import org.jspecify.annotations.NullMarked;
