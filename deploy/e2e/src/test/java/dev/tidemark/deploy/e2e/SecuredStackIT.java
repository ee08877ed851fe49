package dev.tidemark.deploy.e2e;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.change.ChangeTopic;
import dev.tidemark.deploy.client.ClientIdentity;
import dev.tidemark.deploy.client.QueryRequest;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.e2e.kafka.LeastPrivileges;
import dev.tidemark.deploy.e2e.running.DoctorVisit;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.http.HttpServices;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.StackPorts;
import dev.tidemark.deploy.stack.StackSettings;
import dev.tidemark.testkit.SecretFiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * Tokens at both services, and a broker with an authorizer that lets them do what docs/security.md says and no more.
 */
@Execution(ExecutionMode.CONCURRENT)
class SecuredStackIT {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String WORKER = "worker-0123456789-0123";
    private static final String TOKENS = "{'tokens':["
            + "{'name':'root','token':'root-0123456789-012345','scopes':['*']},"
            + "{'name':'worker','token':'" + WORKER + "','scopes':['facts:*','admin']}]}";
    private static final String CATALOG = "tables: {people: {primaryKey: id, partitions: 1, indexes: {by_town:"
            + " {key: [town], projection: keys_only}}}}\n";

    @TempDir
    private Path directory = Path.of("");

    private Path tokens = Path.of("");

    @BeforeEach
    void writeFiles() {
        tokens = SecretFiles.write(directory.resolve("tokens"), TOKENS);
        SecretFiles.write(directory.resolve("worker"), WORKER);
        SecretFiles.write(directory.resolve("root"), "root-0123456789-012345");
        SecretFiles.write(directory.resolve("catalog.yaml"), CATALOG);
    }

    @Test
    void worksWithTheLeastPrivileges() throws Exception {
        int known = StackPorts.free().broker();
        try (StackUnderTest broker =
                StackUnderTest.start("secured-broker", EnumSet.of(Role.BROKER), settings -> broker(settings, known))) {
            LeastPrivileges.grant(broker.stack().bootstrapServers());
            String servers = "127.0.0.1:" + known;
            try (StackUnderTest stack = StackUnderTest.start(
                    "secured", EnumSet.of(Role.WRITER, Role.WORKER), settings -> services(settings, servers))) {
                requireRowsArrive(stack);
                assertThat(LeastPrivileges.cannotWrite("worker", servers, ChangeTopic.nameFor("people")))
                        .isTrue();
                requireTheDoctorSeesRights(stack, servers);
                assertThat(refusals(stack, Role.WRITER)).isEmpty();
                assertThat(refusals(stack, Role.WORKER)).isEmpty();
            }
        }
    }

    private void requireTheDoctorSeesRights(StackUnderTest stack, String servers) throws Exception {
        DoctorVisit doctor = new DoctorVisit(stack, directory);
        for (Role role : List.of(Role.WRITER, Role.WORKER)) {
            LeastPrivileges.client(role.label()).forEach((key, value) -> doctor.with(role, "kafka." + key, value));
            doctor.with(role, "kafka.bootstrap.servers", servers);
        }
        doctor.with(
                Role.WORKER, "writer.token.file", directory.resolve("worker").toString());
        DoctorVisit.Report report = doctor.report();
        assertThat(report.findings("ok"))
                .contains("writer topic rights: all that the writer needs > ")
                .contains("worker topic rights: all that the worker needs > ");
        assertThat(report.findings("failed")).isEmpty();

        LeastPrivileges.client("worker").forEach((key, value) -> doctor.with(Role.WRITER, "kafka." + key, value));
        assertThat(doctor.report().findings("failed"))
                .anySatisfy(found -> assertThat(found)
                        .contains("writer topic rights: no AlterConfigs, Write on tidemark.changes.people"));
        doctor.with(
                Role.WRITER,
                "kafka.sasl.jaas.config",
                LeastPrivileges.client("stranger").get("sasl.jaas.config"));
        assertThat(doctor.report().json().toString())
                .contains("Authentication failed", "a user that the broker knows")
                .doesNotContain("of-stranger", "of-worker");
    }

    private void requireRowsArrive(StackUnderTest stack) throws Exception {
        Services strangers = new HttpServices();
        Services ours = strangers.as(new ClientIdentity(
                Optional.of(directory.resolve("root")), Optional.empty(), Optional.empty(), Optional.empty()));
        QueryRequest query = QueryRequest.of("by_town").with("town", "Redmond").with("fetch", "row");
        assertThatThrownBy(() -> load(strangers, stack))
                .isInstanceOf(ServiceException.class)
                .hasMessageContaining("401");
        load(ours, stack);

        // The worker shows its own token to the writer for the rows.
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(ours.worker(stack.stack().workerUrl())
                                .query(query)
                                .path("entries"))
                        .singleElement()
                        .satisfies(entry -> assertThat(
                                        entry.path("row").path("name").asText())
                                .isEqualTo("Ada")));
        assertThatThrownBy(() -> strangers.worker(stack.stack().workerUrl()).query(query))
                .hasMessageContaining("401");
    }

    private static void load(Services services, StackUnderTest stack) throws Exception {
        byte[] row = "{\"id\":1,\"town\":\"Redmond\",\"name\":\"Ada\"}".getBytes(StandardCharsets.UTF_8);
        services.writer(stack.stack().writerUrl()).load("people", () -> new ByteArrayInputStream(row));
    }

    private static StackSettings broker(StackSettings settings, int known) {
        StackPorts ports = settings.ports();
        return with(settings, Role.BROKER, "", LeastPrivileges.broker(ports.broker(), ports.controller(), known));
    }

    private StackSettings services(StackSettings settings, String servers) {
        StackSettings changed = settings.withCatalog(directory.resolve("catalog.yaml"))
                .with(
                        Role.WORKER,
                        "writer.token.file",
                        directory.resolve("worker").toString());
        for (Role role : List.of(Role.WRITER, Role.WORKER)) {
            changed = with(changed, role, "kafka.", LeastPrivileges.client(role.label()))
                    .with(role, "kafka.bootstrap.servers", servers)
                    .with(role, "auth.tokens.file", tokens.toString());
        }
        return changed;
    }

    private static StackSettings with(StackSettings settings, Role role, String prefix, Map<String, String> more) {
        StackSettings changed = settings;
        for (Map.Entry<String, String> entry : more.entrySet()) {
            changed = changed.with(role, prefix + entry.getKey(), entry.getValue());
        }
        return changed;
    }

    /** What a service was not allowed to do, as its log says. */
    private static List<String> refusals(StackUnderTest stack, Role role) throws IOException {
        try (var lines = Files.lines(stack.child(role).spec().logFile())) {
            return lines.filter(line -> line.contains("Authorization") || line.contains("Not authorized"))
                    .toList();
        }
    }
}
