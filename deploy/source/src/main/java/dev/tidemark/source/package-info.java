/**
 * Follows a database and feeds the writer: {@link dev.tidemark.source.SourceMain} wires
 * {@link dev.tidemark.source.feed.Follower} to Debezium's engine, PostgreSQL and the writer.
 */
@NullMarked
package dev.tidemark.source;

import org.jspecify.annotations.NullMarked;
