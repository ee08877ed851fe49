package dev.tidemark.deploy.doctor;

import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.deploy.client.ClientIdentity;
import dev.tidemark.deploy.client.NothingAnswersException;
import dev.tidemark.deploy.client.ServiceCalls;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.doctor.Finding.Verdict;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;
import dev.tidemark.testkit.TestCertificates;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class DoctorTest {
    private static final Instant NOW = Instant.parse("2026-11-26T10:00:00Z");
    private static final String WRITER = "http://127.0.0.1:8081";
    private static final String WORKER = "http://127.0.0.1:8082";
    private static final Machine MACHINE = new Machine(17, 64, Optional.empty(), 131_072, 8L << 30);
    private static final Set<String> ALL =
            Set.of("Create", "Delete", "Describe", "DescribeConfigs", "AlterConfigs", "Write", "Read");

    @TempDir
    private Path directory = Path.of("");

    /** What services answer, by URL and path; nothing listens at other URLs. */
    private final Map<String, String> answers = new HashMap<>();

    private final List<ClientIdentity> shown = new ArrayList<>();

    private final Map<Object, KafkaFacts> kafka = new HashMap<>();

    private final Services services = new Services() {
        @Override
        public Services as(ClientIdentity identity) {
            shown.add(identity);
            return this;
        }

        @Override
        public ServiceCalls at(String name, URI... urls) {
            return new Answering(urls[0].toString(), answers);
        }
    };

    private record Answering(String url, Map<String, String> answers) implements ServiceCalls {
        @Override
        public JsonNode send(String method, String path, Map<String, String> headers, String body)
                throws ServiceException {
            if (answers.keySet().stream().noneMatch(known -> known.startsWith(url))) {
                throw new NothingAnswersException("nothing answers at " + url);
            }
            String answer = answers.get(url + path);
            if (answer == null) {
                throw new ServiceException("the service answered 403");
            }
            try {
                return RowJson.parse(answer.getBytes(UTF_8));
            } catch (BadJsonException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public JsonNode stream(String path, Supplier<InputStream> ndjson) {
            throw new AssertionError("nothing is loaded");
        }
    }

    @Test
    void anInstallationThatRunsIsGood() throws Exception {
        run(NOW);

        assertThat(examined(Map.of()))
                .filteredOn(finding -> finding.verdict() != Verdict.OK)
                .isEmpty();
    }

    @Test
    void servicesThatWereNotStartedAreNoFailure() throws Exception {
        assertThat(examined(Map.of()))
                .filteredOn(finding -> finding.verdict() != Verdict.OK)
                .extracting(Finding::check, Finding::verdict)
                .containsExactly(tuple("writer", Verdict.SKIPPED), tuple("worker", Verdict.SKIPPED));
    }

    @Test
    void aServiceWhoseAddressWasGivenHasToAnswer() throws Exception {
        run(NOW);

        assertThat(examined(Map.of("writer", URI.create("http://127.0.0.1:1"))))
                .filteredOn(finding -> finding.verdict() == Verdict.FAILED)
                .singleElement()
                .returns("writer", Finding::check)
                .returns("http://127.0.0.1:1: nothing answers there", Finding::found);
    }

    @Test
    void aWriterAndAWorkerInEachOthersPlaceFail() throws Exception {
        run(NOW);
        answers.put(WORKER + "/v1/workers", "{}");

        assertThat(examined(Map.of("writer", URI.create(WORKER), "worker", URI.create(WRITER))))
                .filteredOn(finding -> finding.verdict() != Verdict.OK)
                .extracting(Finding::check, Finding::verdict, Finding::found)
                .containsExactly(
                        tuple("writer", Verdict.FAILED, WORKER + ": a worker answers there"),
                        tuple("worker", Verdict.FAILED, WRITER + ": a writer answers there"));
    }

    @Test
    void ofSeveralWritersOneHasToAnswer() throws Exception {
        run(NOW);
        Installed installed = new Installed(directory);
        installed.writer();
        installed.worker("writer.url=http://127.0.0.1:1," + WRITER);

        assertThat(examinedAsItIs(Map.of()))
                .filteredOn(finding -> finding.verdict() != Verdict.OK)
                .singleElement()
                .returns(Verdict.WARNING, Finding::verdict)
                .returns("http://127.0.0.1:1: nothing answers there", Finding::found);

        answers.keySet().removeIf(url -> url.startsWith(WRITER));
        answers.put(WRITER + "/health/live", "{}");
        assertThat(examinedAsItIs(Map.of()))
                .filteredOn(finding -> finding.verdict() == Verdict.FAILED)
                .extracting(Finding::check)
                .contains("writer");
    }

    @Test
    void aWriterWithPostgresNeedsLittleDisk() throws Exception {
        String bytes = "outbox.max.pending.bytes=" + (1L << 60);
        Map<String, Path> rows = Map.of("writer", new Installed(directory).writer(bytes));
        assertThat(service("writer disk", rows).verdict()).isEqualTo(Verdict.WARNING);

        Map<String, Path> none =
                Map.of("writer", new Installed(directory).writer(bytes, "facts.url=jdbc:postgresql://db/facts"));
        assertThat(service("writer disk", none).verdict()).isEqualTo(Verdict.OK);
    }

    @Test
    void aServiceThatIsNotReadyFailsWithItsReasons() throws Exception {
        run(NOW);
        answers.put(WORKER + "/health/live", answers.remove(WORKER + "/health/ready"));

        assertThat(failed())
                .returns("worker", Finding::check)
                .satisfies(finding -> assertThat(finding.found()).contains("answered 403"));
    }

    @Test
    void aClockThatIsWrongWarns() throws Exception {
        run(NOW.minus(Duration.ofMinutes(5)));

        assertThat(examined(Map.of()))
                .filteredOn(finding -> finding.verdict() == Verdict.WARNING)
                .singleElement()
                .returns("the writer's clock is 5.0 min behind this machine's", Finding::found);
    }

    @Test
    void aTokenOfTheWorkerThatTheWriterDoesNotTakeFails() throws Exception {
        run(NOW);
        answers.remove(WRITER + "/v1/catalog");

        assertThat(failed()).returns("worker token", Finding::check);
    }

    @Test
    void aTokenOfTheWorkerThatMayReadNoRowsFails() throws Exception {
        run(NOW);
        answers.remove(WRITER + "/v1/tables/people/rows:lookup");

        assertThat(failed())
                .returns("worker token", Finding::check)
                .returns("a token with the scopes facts:* and admin", Finding::expected);
    }

    @Test
    void aWriterWithTablesThatTheWorkerDoesNotSeeIsOfAnotherDeployment() throws Exception {
        run(NOW);
        answers.put(WRITER + "/v1/tables", "{\"tables\":[{\"name\":\"people\"},{\"name\":\"films\"}]}");
        answers.put(WRITER + "/v1/tables/films/rows:lookup", "{\"rows\":[]}");

        assertThat(failed())
                .returns("deployment", Finding::check)
                .satisfies(finding -> assertThat(finding.found()).contains("no topic of films"));
    }

    @Test
    void twoClustersAreOfTwoDeployments() throws Exception {
        run(NOW);
        kafka.put("127.0.0.1:9092", cluster("one"));
        kafka.put("127.0.0.1:9093", cluster("other"));
        Installed installed = new Installed(directory);
        installed.writer();
        installed.worker("kafka.bootstrap.servers=127.0.0.1:9093");

        assertThat(examinedAsItIs(Map.of()))
                .filteredOn(finding -> finding.verdict() == Verdict.FAILED)
                .singleElement()
                .returns("writer and worker use two Kafka clusters", Finding::found);
    }

    @Test
    void groupsThatDoNotFitWarn() throws Exception {
        Installed installed = new Installed(directory);
        installed.writer();
        installed.worker("group.id=other");

        assertThat(examinedAsItIs(Map.of()))
                .filteredOn(finding -> finding.verdict() == Verdict.WARNING)
                .singleElement()
                .satisfies(finding -> assertThat(finding.found()).contains("tidemark-index-worker", "other"));
    }

    @Test
    void whereOneFileIsNamedTheOtherServiceIsNotOfThisMachine() throws Exception {
        run(NOW);
        Map<String, Path> worker = Map.of("worker", new Installed(directory).worker());

        assertThat(Doctor.examine(tools(), new Doctor.Inquiry(worker, Map.of(), ClientIdentity.NONE, Map.of())))
                .allMatch(finding -> finding.verdict() == Verdict.OK)
                .extracting(Finding::check)
                .contains("writer", "worker kafka")
                .doesNotContain("writer settings", "writer kafka");
    }

    @Test
    void aServiceWithTlsIsCalledByTheNameInItsCertificateAndTrustedByIt() throws Exception {
        Path certificate = TestCertificates.put("server.pem", directory);
        String[] tls = {
            "http.host=0.0.0.0",
            "tls.certificate=" + certificate,
            "tls.key=" + TestCertificates.put("server.key", directory)
        };
        Map<String, Map<String, Path>> alone = Map.of(
                "writer", Map.of("writer", new Installed(directory).writer(tls)),
                "worker", Map.of("worker", new Installed(directory).worker(tls)));
        answers.put("https://127.0.0.1:8081/health/ready", "{}");
        answers.put("https://127.0.0.1:8082/health/ready", "{}");
        alone.forEach((name, configs) -> {
            assertThat(service(name, configs).verdict()).isEqualTo(Verdict.OK);
            assertThat(shown).anyMatch(identity -> identity.ca().equals(Optional.of(certificate)));
            shown.clear();
        });

        answers.clear();
        alone.forEach((name, configs) -> assertThat(service(name, configs))
                .returns(Verdict.SKIPPED, Finding::verdict)
                .satisfies(finding -> assertThat(finding.found()).contains("--" + name, "--ca")));
    }

    private Finding service(String name, Map<String, Path> configs) {
        try {
            return Doctor.examine(tools(), new Doctor.Inquiry(configs, Map.of(), ClientIdentity.NONE, Map.of()))
                    .stream()
                    .filter(finding -> finding.check().equals(name))
                    .findFirst()
                    .orElseThrow();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void run(Instant writersTime) {
        answers.put(WRITER + "/health/ready", "{}");
        answers.put(WRITER + "/v1/clock", "{\"now\":\"" + writersTime + "\"}");
        answers.put(WRITER + "/v1/tables", "{\"tables\":[{\"name\":\"people\"}]}");
        answers.put(WRITER + "/v1/catalog", "{}");
        answers.put(WRITER + "/v1/tables/people/rows:lookup", "{\"rows\":[]}");
        answers.put(WORKER + "/health/ready", "{}");
    }

    private Finding failed() throws Exception {
        List<Finding> failed = examined(Map.of()).stream()
                .filter(finding -> finding.verdict() == Verdict.FAILED)
                .toList();
        assertThat(failed).hasSize(1);
        return failed.get(0);
    }

    private List<Finding> examined(Map<String, URI> urls) throws Exception {
        Installed installed = new Installed(directory);
        installed.writer();
        installed.worker();
        return examinedAsItIs(urls);
    }

    private List<Finding> examinedAsItIs(Map<String, URI> urls) throws InterruptedException {
        Map<String, Path> configs = Map.of(
                "writer", directory.resolve("writer.properties"), "worker", directory.resolve("worker.properties"));
        return Doctor.examine(tools(), new Doctor.Inquiry(configs, urls, ClientIdentity.NONE, Map.of()));
    }

    private Doctor.Tools tools() {
        KafkaLook look = question ->
                kafka.getOrDefault(question.settings().getOrDefault("bootstrap.servers", ""), cluster("one"));
        return new Doctor.Tools(
                MACHINE,
                look,
                question -> new PostgresFacts.Unreached("not asked"),
                services,
                values -> {},
                Clock.fixed(NOW, ZoneOffset.UTC));
    }

    private static KafkaFacts.Cluster cluster(String id) {
        return new KafkaFacts.Cluster(
                id,
                3,
                Map.of(),
                Map.of(),
                Map.of("tidemark.changes.people", new KafkaFacts.Present(2, 3, 3, Map.of(), Optional.of(ALL))),
                new KafkaFacts.Group(KafkaFacts.Access.PRESENT, Optional.of(ALL)));
    }
}
