package dev.tidemark.source.http;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

import dev.tidemark.http.Health;
import dev.tidemark.http.HttpServer;
import dev.tidemark.http.HttpSettings;
import dev.tidemark.http.PortInUseException;
import dev.tidemark.http.Security;
import dev.tidemark.http.SecuritySettings;
import dev.tidemark.runtime.CloseableStack;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.source.feed.SourceStatus;

/** Where metrics and health of a source are read. */
public final class StatusServer {
    private static final int PORT = 8084;
    private static final Duration DRAIN = Duration.ofSeconds(1);

    private StatusServer() {}

    /** Defines its settings. */
    public static ConfigDef define(ConfigDef definition) {
        HttpSettings.define(definition, PORT, "Most requests handled at once.");
        SecuritySettings.define(definition);
        return definition;
    }

    /**
     * Starts listening.
     *
     * @param parts of the process, whose threads have to run
     * @param metrics gives the Prometheus text
     * @throws BadSettingsException when it may not listen there
     * @throws PortInUseException when the port is taken
     */
    public static HttpServer start(
            AbstractConfig values, SourceStatus status, CloseableStack parts, Supplier<String> metrics, Clock clock)
            throws BadSettingsException, PortInUseException {
        HttpSettings http = HttpSettings.of(values, DRAIN);
        Security security = Security.open(http.host(), SecuritySettings.of(values), index -> List.of(), clock);
        return HttpServer.start(http, security, () -> readiness(status, parts), metrics);
    }

    private static List<Health.Check> readiness(SourceStatus status, CloseableStack parts) {
        List<String> failures = parts.failures();
        return List.of(
                switch (status.stage()) {
                    case WAITING -> Health.Check.unwell("source", "it does not run: " + status.complaint());
                    case SNAPSHOT -> Health.Check.noted("source", "all rows are read");
                    case FOLLOWING -> Health.Check.well("source");
                },
                failures.isEmpty()
                        ? Health.Check.well("threads")
                        : Health.Check.unwell("threads", String.join("; ", failures)));
    }
}
