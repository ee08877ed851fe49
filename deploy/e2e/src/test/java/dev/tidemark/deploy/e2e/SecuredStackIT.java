package dev.tidemark.deploy.e2e;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

import com.fasterxml.jackson.databind.JsonNode;
import org.apache.kafka.common.acl.AclBinding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.catalog.DefinitionsTopic;
import dev.tidemark.change.ChangeTopic;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.e2e.kafka.KafkaRights;
import dev.tidemark.deploy.e2e.kafka.LeastPrivileges;
import dev.tidemark.deploy.e2e.running.DoctorVisit;
import dev.tidemark.deploy.e2e.running.SecuredStack;
import dev.tidemark.deploy.http.HttpServices;
import dev.tidemark.deploy.stack.Role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * Tokens at both services, and a broker with an authorizer that lets them do what the manifests of its users say and no
 * more. Without any one of these rights something is missing, which a message names or an answer shows.
 */
@Execution(ExecutionMode.CONCURRENT)
class SecuredStackIT {
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final String TOPIC = ChangeTopic.nameFor("people");

    @TempDir
    private Path directory = Path.of("");

    private static final Provocation NOTHING = stack -> {};

    /** How many rights are taken away, as the seed chooses; all with {@code -Drights.taken=99}. */
    private static final int TAKEN = Integer.getInteger("rights.taken", 3);

    private int towns;

    private interface Provocation {
        void run(SecuredStack stack) throws Exception;
    }

    private interface Symptom {
        /** Fails while nothing is seen. */
        void check(SecuredStack stack) throws Exception;
    }

    /**
     * What happens without a right.
     *
     * @param provocation has the service do what it may not, where it does not do so on its own
     */
    private record Loss(Provocation provocation, Symptom symptom) {
        static Loss logged(Role role, Provocation provocation, String message) {
            return new Loss(provocation, stack -> assertThat(stack.news(role)).contains(message));
        }
    }

    @Test
    void worksWithTheRightsOfTheManifestsAlone() throws Exception {
        try (SecuredStack stack = SecuredStack.start(directory)) {
            assertThatThrownBy(() -> stack.write(new HttpServices(), "Redmond")).hasMessageContaining("401");
            assertRowsArrive(stack);
            stack.redefine();
            stack.restartWorker(true);
            assertRowsArrive(stack);
            assertThat(LeastPrivileges.cannotWrite("tidemark-worker-a", stack.servers(), TOPIC))
                    .isTrue();
            assertThat(groups(stack)).containsExactlyInAnyOrder("a", "b");
            for (Role role : List.of(Role.WRITER, Role.WORKER)) {
                assertThat(stack.news(role)).doesNotContain("uthorization", "Not authorized");
            }
            assertTheDoctorSeesRights(stack);
            assertEachRightIsNeeded(stack);
        }
    }

    private void assertTheDoctorSeesRights(SecuredStack stack) throws Exception {
        DoctorVisit doctor = new DoctorVisit(stack.stack(), directory);
        LeastPrivileges.client("tidemark-worker-a")
                .forEach((key, value) -> doctor.with(Role.WORKER, "kafka." + key, value));
        LeastPrivileges.client("tidemark-writer")
                .forEach((key, value) -> doctor.with(Role.WRITER, "kafka." + key, value));
        for (Role role : List.of(Role.WRITER, Role.WORKER)) {
            doctor.with(role, "kafka.bootstrap.servers", stack.servers());
        }
        doctor.with(
                Role.WORKER, "writer.token.file", directory.resolve("worker").toString());
        DoctorVisit.Report report = doctor.report();
        assertThat(report.findings("ok"))
                .contains("writer topic rights: all that the writer needs > ")
                .contains("worker topic rights: all that the worker needs > ");
        assertThat(report.findings("failed")).isEmpty();

        LeastPrivileges.client("tidemark-worker-a")
                .forEach((key, value) -> doctor.with(Role.WRITER, "kafka." + key, value));
        assertThat(doctor.report().findings("failed"))
                .anySatisfy(
                        found -> assertThat(found)
                                .contains(
                                        "writer topic rights: no AlterConfigs, Create, Delete, Write on tidemark.changes.people"));
        LeastPrivileges.client("stranger").forEach((key, value) -> doctor.with(Role.WRITER, "kafka." + key, value));
        assertThat(doctor.report().json().toString())
                .contains("Authentication failed", "a user that the broker knows")
                .doesNotContain("of-stranger", "of-tidemark");
    }

    private void assertEachRightIsNeeded(SecuredStack stack) throws Exception {
        Map<String, Loss> losses = losses();
        // Users of workers have the same rights, of which one is needed only where there are other groups.
        List<AclBinding> rights = KafkaRights.all().stream()
                .filter(right -> !right.entry().principal().endsWith("-b"))
                .toList();
        assertThat(rights).map(KafkaRights::text).containsExactlyInAnyOrderElementsOf(losses.keySet());
        List<AclBinding> taken = new ArrayList<>(rights);
        long seed = Long.getLong("rights.seed", System.nanoTime());
        Collections.shuffle(taken, new Random(seed));
        System.out.println("Rights: -Drights.seed=" + seed + " takes away the same");
        for (AclBinding right : taken.subList(0, Math.min(TAKEN, taken.size()))) {
            String name = KafkaRights.text(right);
            Loss loss = Objects.requireNonNull(losses.get(name));
            stack.forgetNews();
            stack.rights().forbid(right);
            try {
                loss.provocation().run(stack);
            } catch (ServiceException e) {
                assertThat(e).as(name).hasMessageContaining("503");
            }
            await(name).atMost(PATIENCE).untilAsserted(() -> loss.symptom().check(stack));
            stack.rights().allow(right);
            assertRowsArrive(stack);
        }
    }

    private static Map<String, Loss> losses() {
        String definitions = "topic " + DefinitionsTopic.NAME;
        return Map.of(
                "tidemark-writer may CREATE topic tidemark.*",
                Loss.logged(
                        Role.WRITER, SecuredStack::redefine, definitions + " cannot be written: Authorization failed"),
                "tidemark-writer may ALTER_CONFIGS topic tidemark.*",
                // Which topic the writer looks after first is open.
                Loss.logged(Role.WRITER, SecuredStack::redefine, "Topic authorization failed"),
                "tidemark-writer may WRITE topic tidemark.*",
                Loss.logged(Role.WRITER, NOTHING, TOPIC + " does not take records: Not authorized"),
                "tidemark-writer may READ topic tidemark.*",
                Loss.logged(Role.WRITER, SecuredStack::redefine, definitions + " cannot be read: Not authorized"),
                "tidemark-writer may DELETE topic tidemark.*",
                Loss.logged(
                        Role.WRITER,
                        stack -> stack.rights().replace(TOPIC),
                        "it is not the topic that this writer made: delete it"),
                // Kafka leaves groups out of its list, and refuses only questions for one that the writer knows still.
                "tidemark-writer may DESCRIBE group tidemark-index-worker.*",
                new Loss(NOTHING, stack -> {
                    if (!stack.news(Role.WRITER).contains("the workers' groups: FindCoordinator request")) {
                        assertThat(stack.lagByWriter().findValues("freshnessSeconds"))
                                .isNotEmpty()
                                .allMatch(JsonNode::isNull);
                    }
                }),
                "tidemark-worker-a may DESCRIBE_CONFIGS topic tidemark.*",
                Loss.logged(
                        Role.WORKER,
                        stack -> stack.restartWorker(false),
                        "How long topic " + TOPIC + " keeps marks of deletes"),
                "tidemark-worker-a may READ topic tidemark.*",
                Loss.logged(Role.WORKER, NOTHING, "give no answer about the topics of these tables: {people="),
                "tidemark-worker-a may READ group tidemark-index-worker.a",
                Loss.logged(Role.WORKER, NOTHING, "groupId=tidemark-index-worker.a] Offset commit failed"),
                // The same.
                "tidemark-worker-a may DESCRIBE group tidemark-index-worker.*",
                new Loss(NOTHING, stack -> assertThat(groups(stack)).containsExactly("a")));
    }

    private static List<String> groups(SecuredStack stack) throws Exception {
        return stack.worker().workers().path("workers").findValuesAsText("replicaGroup");
    }

    private void assertRowsArrive(SecuredStack stack) {
        towns++;
        String town = "town-" + towns;
        await().atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(ServiceException.class)
                .untilAsserted(() -> {
                    if (stack.entries(town).isEmpty()) {
                        stack.write(town);
                    }
                    assertThat(stack.entries(town))
                            .singleElement()
                            .satisfies(entry -> assertThat(
                                            entry.path("row").path("name").asText())
                                    .isEqualTo("Ada"));
                });
    }
}
