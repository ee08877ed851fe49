/**
 * The fact tables, the outbox and what goes with them in a PostgreSQL database, so that one transaction can change all
 * of them together.
 *
 * <p>Read in this order: {@link dev.tidemark.writer.postgres.PostgresFactDatabase} (opens and checks the database),
 * {@link dev.tidemark.writer.postgres.CommitSession} (who may commit, and the outcome of a commit whose connection was
 * lost), {@link dev.tidemark.writer.postgres.CommitStatement} (one commit as one statement),
 * {@link dev.tidemark.writer.postgres.PostgresFactStore}, {@link dev.tidemark.writer.postgres.PostgresOutbox}.
 *
 * <p>The committer, the relay and what else must not wait for readers have separate connections. Readers share a
 * pool. Failures are {@link dev.tidemark.writer.commit.FactsUnavailableException}s, or
 * {@link dev.tidemark.writer.commit.FactsUnreadableException}s where PostgreSQL reports damage.
 */
@NullMarked
package dev.tidemark.writer.postgres;

import org.jspecify.annotations.NullMarked;
