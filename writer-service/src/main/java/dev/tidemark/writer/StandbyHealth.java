package dev.tidemark.writer;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.tidemark.http.Health;
import dev.tidemark.writer.leader.TermAgent;

/** Whether a writer that is not the active one can do its work: pass requests on to the one that is. */
record StandbyHealth(TermAgent term, Supplier<Optional<String>> database, Supplier<List<String>> agentFailures)
        implements Health {
    @Override
    public List<Check> readiness() {
        return List.of(
                Check.of("facts", database.get().or(term::trouble)),
                Check.of("threads", agentFailures.get().stream().reduce((one, other) -> one + "; " + other)),
                standby());
    }

    private Check standby() {
        return term.active()
                .map(url -> Check.noted("standby", "passes requests on to the active writer at " + url))
                .orElseGet(() -> Check.unwell(
                        "standby",
                        term.isHeld()
                                ? "this writer is about to become the active one"
                                : "no writer is active; one takes over within seconds"));
    }
}
