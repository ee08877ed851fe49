package dev.tidemark.deploy.e2e;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.deploy.drill.TopicTamper;
import dev.tidemark.deploy.drill.kafka.KafkaTamper;
import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.kafka.BrokerTopics;
import dev.tidemark.deploy.e2e.running.AppliedCatalog;
import dev.tidemark.deploy.e2e.running.DoctorVisit;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.StackSettings;

import static org.assertj.core.api.Assertions.assertThat;

/** What is wrong with one topic concerns its table alone, and is mended as soon as it can be. */
@Execution(ExecutionMode.CONCURRENT)
class BadTopicIT {
    private static final String HARMED = TwoTables.HARMED;
    private static final String TOPIC = "tidemark.changes." + HARMED;
    private static final Path CATALOG = StackUnderTest.resource("/e2e/pair.yaml");
    private static final Duration A_WHILE = Duration.ofSeconds(5);

    /** The writer looks once a second whether a topic is there that it waits for. */
    private static final Duration SEVERAL_LOOKS = Duration.ofSeconds(3);

    @TempDir
    private Path directory = Path.of("");

    @Test
    @TakesTurns(turn = 0, of = 2)
    void otherTablesGoOnWhileATopicCannotBeUsedIsDeletedAndIsNotNeededAnyMore() throws Exception {
        Path file = Files.copy(CATALOG, directory.resolve("catalog.yaml"));
        try (StackUnderTest stack = StackUnderTest.start(
                        "bad-topic", settings -> hasty(settings).withCatalog(file));
                BrokerTopics topics = new BrokerTopics(stack.stack().bootstrapServers())) {
            TopicTamper tamper = new KafkaTamper(stack.stack().bootstrapServers());
            TwoTables tables = new TwoTables(stack);
            tables.until("both tables take writes", Answer::ok);
            DoctorVisit doctor = new DoctorVisit(stack, directory);
            DoctorVisit.Report healthy = doctor.report();
            assertThat(healthy.findings("failed")).isEmpty();
            assertThat(healthy.code()).isZero();
            refusedWhileItForgets(stack, tamper, tables, doctor);
            madeAgainWhenItIsDeleted(stack, topics, tamper, tables);
            staysDeletedWhenItIsNotNeeded(stack, topics, tamper, tables);
        }
    }

    @Test
    @TakesTurns(turn = 1, of = 2)
    void aTopicThatIsDeletedWhereTheBrokerMakesTopicsByItselfIsAsTheWriterMakesIt() throws Exception {
        try (StackUnderTest stack = StackUnderTest.start(
                        "auto-topic",
                        settings -> hasty(settings)
                                .withCatalog(CATALOG)
                                .with(Role.BROKER, "auto.create.topics.enable", "true")
                                .with(Role.BROKER, "num.partitions", "1"));
                BrokerTopics topics = new BrokerTopics(stack.stack().bootstrapServers())) {
            TopicTamper tamper = new KafkaTamper(stack.stack().bootstrapServers());
            TwoTables tables = new TwoTables(stack);
            tables.until("both tables take writes", Answer::ok);
            madeAgainWhenItIsDeleted(stack, topics, tamper, tables);
        }
    }

    /**
     * A deleted topic is made again once what was on its way there is given up, for which tests do not wait as long as
     * usual.
     */
    private static StackSettings hasty(StackSettings settings) {
        return settings.with(Role.WRITER, "kafka.delivery.timeout.ms", "8000");
    }

    private static void refusedWhileItForgets(
            StackUnderTest stack, TopicTamper tamper, TwoTables tables, DoctorVisit doctor) throws Exception {
        Map<String, String> before = tamper.configure(stack.table(HARMED), Map.of("cleanup.policy", "delete"));

        tables.until("writes are refused", answer -> !answer.ok());

        Answer refusal = tables.during("writes are refused for a while", A_WHILE);
        assertThat(refusal.status()).as("%s", refusal).isEqualTo(503);
        assertThat(refusal.header("Retry-After")).matches("[1-9]\\d*");
        assertThat(refusal.json().path("detail").asText()).contains(TOPIC, "cleanup.policy is delete");
        Answer ready = stack.facts().http().get("/health/ready");
        assertThat(ready.status()).as("%s", ready).isEqualTo(200);
        assertThat(ready.body()).contains("table " + HARMED + ": ", TOPIC);
        tables.requireEqual(TwoTables.WELL);
        DoctorVisit.Report report = doctor.report();
        assertThat(report.code()).isEqualTo(1);
        assertThat(report.findings("failed"))
                .singleElement()
                .asString()
                .contains("topics: " + TOPIC + " has cleanup.policy=delete", "--add-config cleanup.policy=compact");

        tamper.configure(stack.table(HARMED), before);
        tables.until("writes are taken again", Answer::ok);
        requireBothEqual(tables);
    }

    private static void madeAgainWhenItIsDeleted(
            StackUnderTest stack, BrokerTopics topics, TopicTamper tamper, TwoTables tables) throws Exception {
        BrokerTopics.Found before = topics.find(HARMED).orElseThrow();
        tamper.delete(stack.table(HARMED));

        tables.until(
                "the topic is made again",
                answer -> topics.find(HARMED)
                        .filter(found -> !found.id().equals(before.id()) && found.equals(like(before, found)))
                        .isPresent());

        requireBothEqual(tables);
        tables.until("writes are taken", Answer::ok);
        assertThat(topics.find(HARMED))
                .hasValueSatisfying(found ->
                        assertThat(found).isEqualTo(like(before, found)).isNotEqualTo(before));
    }

    private static BrokerTopics.Found like(BrokerTopics.Found before, BrokerTopics.Found found) {
        return new BrokerTopics.Found(found.id(), before.partitions(), before.cleanupPolicy());
    }

    private void staysDeletedWhenItIsNotNeeded(
            StackUnderTest stack, BrokerTopics topics, TopicTamper tamper, TwoTables tables) throws Exception {
        String whole = Files.readString(CATALOG);
        String bare = "  " + HARMED + ": { primaryKey: personId, partitions: 3 }\n";
        apply(stack, whole.replaceAll("(?m)^ +" + HARMED + ": .*\\R", bare));
        assertThat(apply(stack, whole.replaceAll("(?m)^ +" + HARMED + ": .*\\R", "")))
                .contains("Table " + HARMED + " leaves");
        tamper.delete(stack.table(HARMED));

        Answer unknown = tables.during("the topic stays deleted", SEVERAL_LOOKS);
        assertThat(unknown.status()).as("%s", unknown).isEqualTo(404);
        assertThat(topics.find(HARMED)).isEqualTo(Optional.empty());
        stack.kill(Role.WRITER);
        stack.startAgain(Role.WRITER);
        tables.requireEqual(TwoTables.WELL);
        tables.during("it does after a start of the writer", SEVERAL_LOOKS);
        assertThat(topics.find(HARMED)).isEqualTo(Optional.empty());
        tables.requireEqual(TwoTables.WELL);
    }

    private String apply(StackUnderTest stack, String catalog) throws Exception {
        Path file = Files.writeString(directory.resolve("catalog.yaml"), catalog);
        return AppliedCatalog.apply(stack, file, directory.resolve("output"));
    }

    private static void requireBothEqual(TwoTables tables) throws Exception {
        tables.requireEqual(TwoTables.WELL);
        tables.requireEqual(HARMED);
    }
}
