/**
 * The outside prober: writes its own rows through the public interface of the writer, queries the index for them, and
 * compares every reported staleness with what it sees.
 *
 * <p>Read in this order: {@link dev.tidemark.deploy.probe.StalenessJudge} (what counts as a lie, and why an accusation
 * is always right), {@link dev.tidemark.deploy.probe.CanaryLedger} (what was written and what was seen),
 * {@link dev.tidemark.deploy.probe.Coverage} (which worker was asked for what, and when),
 * {@link dev.tidemark.deploy.probe.Verdicts.WatermarkJudge} (what the writer's clock shows beside the prober's),
 * {@link dev.tidemark.deploy.probe.Probe} (the requests and the threads),
 * {@link dev.tidemark.deploy.probe.ProbeReport} (what comes out).
 *
 * <p>Judge and ledger have neither clock nor thread. Each thread makes one kind of request and reports the answer to
 * the judge, which has the one lock. The judge records a service that does not answer, and the thread asks it again; it
 * never ends the prober.
 */
@NullMarked
package dev.tidemark.deploy.probe;

import org.jspecify.annotations.NullMarked;
