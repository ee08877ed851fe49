/**
 * The bare loop: {@link dev.tidemark.deploy.bench.kafka.BareLoop} produces, and
 * {@link dev.tidemark.deploy.bench.kafka.BareConsumerMain}, in a process of its own, consumes. They talk through the pipes
 * between them, a line a message. One thread each; what fails, fails the round.
 */
@NullMarked
package dev.tidemark.deploy.bench.kafka;

import org.jspecify.annotations.NullMarked;
