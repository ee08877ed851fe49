/**
 * The fault drill: a real stack on a scratch directory, clients that write and ask, faults by a seed, and after each
 * round a comparison of everything with what an independent oracle says.
 *
 * <p>Read in this order: {@link dev.tidemark.deploy.drill.DrillPlan}, {@link dev.tidemark.deploy.drill.Drill} (the
 * rounds), {@link dev.tidemark.deploy.drill.Inspection} (what is compared),
 * {@link dev.tidemark.deploy.drill.DrillReport} (what comes out).
 *
 * <p>Clients: {@link dev.tidemark.deploy.drill.DrillTables} (tables and rows),
 * {@link dev.tidemark.deploy.drill.WriteClient}, {@link dev.tidemark.deploy.drill.WriteClient.AnswerCheck},
 * {@link dev.tidemark.deploy.drill.Workload.SchemaChanger}, {@link dev.tidemark.deploy.drill.Workload} (all of them,
 * and the gate that lets them pause). {@link dev.tidemark.deploy.drill.HistoryRecorder} puts every request and its
 * outcome into
 * {@link dev.tidemark.deploy.drill.ExpectedState} (what each row can be) and a log.
 *
 * <p>Faults: {@link dev.tidemark.deploy.drill.FaultKind} (what there is), {@link dev.tidemark.deploy.drill.Fault},
 * {@link dev.tidemark.deploy.drill.FaultEnvironment} (what they need), {@link dev.tidemark.deploy.drill.FaultInjector}
 * (carries them out), {@link dev.tidemark.deploy.drill.ProcessSupervisor} (the processes, and how they are brought
 * back),
 * {@link dev.tidemark.deploy.drill.FaultStats} (what was hit, and how often).
 *
 * <p>One thread owns the drill, its processes, its faults and its rounds; every client has its own. A service that does
 * not answer never ends a client. What is wrong with the product is a finding of
 * {@link dev.tidemark.deploy.drill.DrillFindings} and does not end a drill; only that it cannot be run at all is
 * thrown.
 */
@NullMarked
package dev.tidemark.deploy.drill;

import org.jspecify.annotations.NullMarked;
