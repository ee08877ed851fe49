/**
 * The way of a committed change into the log.
 *
 * <p>Read in this order: {@link dev.tidemark.writer.outbox.Outbox} (what waits),
 * {@link dev.tidemark.writer.outbox.OutboxRelay} (who publishes it), {@link dev.tidemark.writer.outbox.AdaptiveLinger}
 * (when), {@link dev.tidemark.writer.outbox.EventPublisher} and {@link dev.tidemark.writer.outbox.ChangeTopics} (the
 * ports into the log), {@link dev.tidemark.writer.outbox.TopicRecord} (how a topic that lost records is detected),
 * {@link dev.tidemark.writer.outbox.LostWriteRecovery} (what follows when the fact tables lost something),
 * {@link dev.tidemark.writer.outbox.Backlog} (how much may wait).
 *
 * <p>The thread {@code relay} owns everything but {@code Backlog} and {@code RelayStatus}, which any thread may read,
 * and {@link dev.tidemark.writer.outbox.TopicInspector}, which has a separate thread. An error that may pass is a
 * {@link dev.tidemark.writer.outbox.PublishException} and leads to another try with another producer. An error of one
 * topic is a {@link dev.tidemark.writer.outbox.TopicRefusedException} or
 * {@link dev.tidemark.writer.outbox.TopicFailedException} and holds its table
 * ({@link dev.tidemark.writer.outbox.HeldTables}).
 */
@NullMarked
package dev.tidemark.writer.outbox;

import org.jspecify.annotations.NullMarked;
