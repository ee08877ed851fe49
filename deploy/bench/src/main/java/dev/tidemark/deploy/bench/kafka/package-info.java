/**
 * The bare loop: {@link dev.tidemark.deploy.bench.kafka.BareLoop} produces, and {@link
 * dev.tidemark.deploy.bench.kafka.BareConsumerMain}, in a separate process, consumes. They communicate through the
 * pipes between them, a line a message. {@link dev.tidemark.deploy.bench.kafka.PlainLoop} keeps an index in an {@code
 * EntryTable}. One thread each; an error fails the round.
 */
@NullMarked
package dev.tidemark.deploy.bench.kafka;

import org.jspecify.annotations.NullMarked;
