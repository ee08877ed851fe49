/**
 * The requests of the clients of a drill and the answers to them.
 *
 * <p>Read in this order: {@link dev.tidemark.deploy.drill.history.RowKey},
 * {@link dev.tidemark.deploy.drill.history.ExpectedState} (what each row can be),
 * {@link dev.tidemark.deploy.drill.history.HistoryLog} (the same as lines of JSON, for people),
 * {@link dev.tidemark.deploy.drill.history.HistoryRecorder} (puts every request and its outcome into both),
 * {@link dev.tidemark.deploy.drill.history.DrillFindings} (what is wrong, and how much was looked at).
 *
 * <p>Any thread may call anything.
 */
@NullMarked
package dev.tidemark.deploy.drill.history;

import org.jspecify.annotations.NullMarked;
