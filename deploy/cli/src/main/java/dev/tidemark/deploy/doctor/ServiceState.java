package dev.tidemark.deploy.doctor;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.change.ChangeTopic;
import dev.tidemark.deploy.client.NothingAnswersException;
import dev.tidemark.deploy.client.ServiceCalls;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.UnansweredException;
import dev.tidemark.deploy.text.Amounts;

/**
 * How a service answers.
 *
 * @param there whether anything listens at its address
 * @param other whether the other one of writer and worker listens there
 * @param problem why it is not ready; empty where it is
 * @param writer what a writer shows; empty where none listens
 */
record ServiceState(
        String service, URI url, boolean there, boolean other, Optional<String> problem, Optional<Shown> writer) {
    private static final Duration CLOCKS_DIFFER = Duration.ofSeconds(1);
    private static final String ONLY_WRITER = "/v1/clock";
    private static final String ONLY_WORKER = "/v1/workers";
    private static final String ADDRESS = "the address: --%s, writer.url or advertised.url.";

    /**
     * What a writer shows to a caller.
     *
     * @param refusal why it shows less than the caller needs; empty where it shows all
     * @param ahead by how much its clock is ahead of this machine's; 0 where it is not shown
     */
    record Shown(Optional<String> refusal, Duration ahead, List<String> tables) {
        /**
         * Asks for it.
         *
         * @param asWorker whether the caller is the worker, which needs more than others
         */
        static Shown of(ServiceCalls writer, boolean asWorker, Clock clock) throws InterruptedException {
            Duration ahead = Duration.ZERO;
            List<String> tables = new ArrayList<>();
            try {
                Instant before = clock.instant();
                Instant shown =
                        Instant.parse(writer.get(ONLY_WRITER).path("now").asText());
                Duration half = Duration.between(before, clock.instant()).dividedBy(2);
                ahead = Duration.between(before.plus(half), shown);
                writer.get("/v1/tables")
                        .path("tables")
                        .forEach(table -> tables.add(table.path("name").asText()));
                if (asWorker) {
                    writer.get("/v1/catalog");
                    for (String table : tables) {
                        // Without keys it needs the scope of the table, and returns no row.
                        String rows = "/v1/tables/" + table + "/rows:lookup";
                        writer.send("POST", rows, Map.of("Content-Type", "application/json"), "{\"keys\":[]}");
                    }
                }
                return new Shown(Optional.empty(), ahead, tables);
            } catch (ServiceException | DateTimeParseException e) {
                return new Shown(Optional.of(String.valueOf(e.getMessage())), ahead, tables);
            }
        }
    }

    /**
     * Asks a service.
     *
     * @throws UnansweredException when something listens there, and gives no whole answer
     */
    static ServiceState of(ServiceCalls calls, String service, URI url, boolean asWorker, Clock clock)
            throws UnansweredException, InterruptedException {
        Optional<String> problem = Optional.empty();
        try {
            calls.get("/health/ready");
        } catch (NothingAnswersException e) {
            return new ServiceState(service, url, false, false, Optional.of("nothing answers there"), Optional.empty());
        } catch (UnansweredException e) {
            throw e;
        } catch (ServiceException e) {
            problem = Optional.of(e.getMessage());
        }
        boolean writer = service.equals(ServiceSettings.WRITER);
        if (takes(calls, writer ? ONLY_WORKER : ONLY_WRITER)) {
            String why = "a " + (writer ? ServiceSettings.WORKER : ServiceSettings.WRITER) + " answers there";
            return new ServiceState(service, url, true, true, Optional.of(why), Optional.empty());
        }
        Optional<Shown> shown = writer ? Optional.of(Shown.of(calls, asWorker, clock)) : Optional.empty();
        return new ServiceState(service, url, true, false, problem, shown);
    }

    /** Whether a service has a call that the other kind lacks. */
    private static boolean takes(ServiceCalls calls, String path) throws InterruptedException {
        try {
            calls.get(path);
            return true;
        } catch (ServiceException e) {
            return false;
        }
    }

    boolean isReady() {
        return problem.isEmpty();
    }

    /**
     * Judges it.
     *
     * @param hasToRun whether it is a failure that it was not started
     * @param asWorker whether the worker's token was shown
     */
    void judge(boolean hasToRun, boolean asWorker, Findings findings) {
        String found = url + problem.map(why -> ": " + why).orElse(" is ready");
        String expected = "a " + service + " that is ready";
        if (problem.isEmpty()) {
            findings.ok(service, found);
        } else if (other) {
            findings.failed(service, found, expected, "Correct " + ADDRESS.formatted(service));
        } else if (there) {
            String advice = "Wait where it has just started; otherwise do what its reasons and its log say.";
            findings.failed(service, found, expected, advice);
        } else if (hasToRun) {
            findings.failed(service, found, expected, "Start it, or correct " + ADDRESS.formatted(service));
        } else {
            findings.skipped(service, found + ", because the " + service + " was not started");
        }
        writer.ifPresent(shown -> judgeShown(shown, asWorker, findings));
    }

    private static void judgeShown(Shown shown, boolean asWorker, Findings findings) {
        if (shown.refusal().isPresent() && asWorker) {
            findings.failed(
                    "worker token",
                    shown.refusal().get(),
                    "a token with the scopes facts:* and admin",
                    "Correct writer.token.file of the worker, or auth.tokens.file of the writer.");
        } else if (shown.refusal().isPresent()) {
            findings.skipped("clock", shown.refusal().get() + "; name a token with --token-file");
        } else {
            judgeClock(shown.ahead(), findings);
        }
    }

    private static void judgeClock(Duration ahead, Findings findings) {
        String side = ahead.isNegative() ? " behind" : " ahead of";
        String found = "the writer's clock is " + Amounts.duration(ahead.abs()) + side + " this machine's";
        if (ahead.abs().compareTo(CLOCKS_DIFFER) <= 0) {
            findings.ok("clock", found);
        } else {
            String expected = "at most " + Amounts.duration(CLOCKS_DIFFER);
            findings.warning("clock", found, expected, "Synchronize both machines, with chrony or systemd-timesyncd.");
        }
    }

    /** Judges whether the writer publishes to the Kafka that the worker reads. */
    void judgeTopics(Map<String, KafkaFacts.Topic> workersTopics, Findings findings) {
        List<String> unseen = writer.map(Shown::tables).orElse(List.of()).stream()
                .filter(table -> !(workersTopics.get(ChangeTopic.nameFor(table)) instanceof KafkaFacts.Present))
                .toList();
        if (!unseen.isEmpty()) {
            findings.failed(
                    "deployment",
                    "the worker sees no topic of " + String.join(", ", unseen) + ", which the writer at " + url
                            + " has",
                    "a writer and a worker of one deployment",
                    "Correct writer.url or kafka.bootstrap.servers of the worker.");
        }
    }
}
