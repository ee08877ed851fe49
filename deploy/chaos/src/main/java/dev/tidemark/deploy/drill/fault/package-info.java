/**
 * What a drill does to the processes.
 *
 * <p>Read in this order: {@link dev.tidemark.deploy.drill.fault.FaultKind} (what there is),
 * {@link dev.tidemark.deploy.drill.fault.FaultSchedule} (what is done in one round, by the seed),
 * {@link dev.tidemark.deploy.drill.fault.ProcessSupervisor} (the processes, and how they are brought back),
 * {@link dev.tidemark.deploy.drill.fault.FaultInjector} (carries a plan out),
 * {@link dev.tidemark.deploy.drill.fault.FaultStats} (what was hit, and how often). All of it belongs to the thread of
 * the drill.
 */
@NullMarked
package dev.tidemark.deploy.drill.fault;

import org.jspecify.annotations.NullMarked;
