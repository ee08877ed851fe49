/**
 * The fault drill: a real stack on a scratch directory, clients that write and ask, faults by a seed, and after each
 * round a comparison of everything with what an independent oracle says.
 *
 * <p>Read in this order: {@link dev.tidemark.deploy.drill.DrillPlan}, {@link dev.tidemark.deploy.drill.Drill} (the
 * rounds), {@link dev.tidemark.deploy.drill.Inspection} (what is compared),
 * {@link dev.tidemark.deploy.drill.DrillReport} and {@link dev.tidemark.deploy.drill.DrillJson} (what comes out). Below
 * it: {@code history}, {@code load}, {@code fault}, {@code target}.
 *
 * <p>One thread owns the drill, its processes and its rounds; every client has its own. What is wrong with the product
 * is noted and does not end a drill; only that it cannot be run at all is thrown.
 */
@NullMarked
package dev.tidemark.deploy.drill;

import org.jspecify.annotations.NullMarked;
