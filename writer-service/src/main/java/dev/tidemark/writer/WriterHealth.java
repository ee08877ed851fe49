package dev.tidemark.writer;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.tidemark.http.Health;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.writer.catalog.PublishingState;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.FactsDamage;
import dev.tidemark.writer.outbox.Backlog;
import dev.tidemark.writer.outbox.RelayState;
import dev.tidemark.writer.outbox.RelayStatus;

/**
 * Whether the writer takes writes. An unavailable log causes a warning only: writes wait for it in the outbox. The same
 * holds for conditions that keep definitions from being changed.
 */
record WriterHealth(
        AgentRunner committerThread,
        AgentRunner relayThread,
        Committer committer,
        RelayStatus relay,
        Backlog backlog,
        FactsDamage damage,
        Supplier<Optional<String>> database,
        Supplier<Optional<String>> leader,
        PublishingState definitions,
        Supplier<List<String>> agentFailures)
        implements Health {
    @Override
    public List<Check> readiness() {
        return List.of(
                Check.of("store", committer.trouble()),
                Check.of("committer", committerThread.failure().map(failure -> "stopped by " + failure)),
                Check.of("relay", relayThread.failure().map(failure -> "stopped by " + failure)),
                Check.of("threads", agentFailures.get().stream().reduce((one, other) -> one + "; " + other)),
                Check.of("facts", damage.refusal()),
                Check.of("database", database.get()),
                Check.of("leader", leader.get()),
                topics(relay),
                Check.of("outbox", backlog.overflow()),
                definitions
                        .trouble()
                        .map(why -> Check.noted("definitions", why))
                        .orElseGet(() -> Check.well("definitions")));
    }

    private static Check topics(RelayStatus relay) {
        RelayState state = relay.state();
        Optional<String> refusal = relay.refusal();
        if (refusal.isPresent()) {
            return Check.unwell("topics", refusal.get());
        }
        return switch (state.phase()) {
            case RUNNING -> tables(relay);
            case PREPARING -> Check.noted("topics", "looking at the topics");
            case UNDOING ->
                Check.noted("topics", "looking whether topics hold what the fact tables have lost, and undoing it");
            case WAITING -> Check.noted("topics", "the log cannot be written, trying again: " + state.detail());
            case REFUSED -> Check.unwell("topics", state.detail());
        };
    }

    private static Check tables(RelayStatus relay) {
        return relay.held().entrySet().stream()
                .map(held -> "table " + held.getKey() + ": " + held.getValue().reason())
                .reduce((one, other) -> one + "; " + other)
                .map(why -> Check.noted("topics", why))
                .orElseGet(() -> Check.well("topics"));
    }
}
