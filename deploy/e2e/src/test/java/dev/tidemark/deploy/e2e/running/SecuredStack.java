package dev.tidemark.deploy.e2e.running;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.client.ClientIdentity;
import dev.tidemark.deploy.client.QueryRequest;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.client.WorkerApi;
import dev.tidemark.deploy.client.WriterApi;
import dev.tidemark.deploy.e2e.kafka.LeastPrivileges;
import dev.tidemark.deploy.http.HttpServices;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.StackPorts;
import dev.tidemark.deploy.stack.StackSettings;
import dev.tidemark.testkit.SecretFiles;
import dev.tidemark.testkit.UnusedPort;

/**
 * A writer and two workers, each of a replica group, with tokens, at a broker that asks who they are and lets them do
 * what the manifests of the users say. There is a table {@code people} with an index {@code by_town}. Owned by one
 * thread.
 */
public final class SecuredStack implements AutoCloseable {
    private static final String ROOT = "root-0123456789-012345";
    private static final String WORKER = "worker-0123456789-0123";
    private static final String TOKENS = "{'tokens':[{'name':'root','token':'" + ROOT + "','scopes':['*']},"
            + "{'name':'worker','token':'" + WORKER + "','scopes':['facts:*','admin','peer']}]}";
    private static final String CATALOG = "tables: {people: {primaryKey: id, partitions: 1, indexes: {by_town:"
            + " {key: [town%s], projection: keys_only}}}}\n";
    private static final Map<Role, String> USERS =
            Map.of(Role.WRITER, "tidemark-writer", Role.WORKER, "tidemark-worker-a");

    private final StackUnderTest broker;
    private final String servers;
    private final LeastPrivileges rights;
    private final StackUnderTest stack;
    private final AnotherWorker other;
    private final Services root;
    private final Map<Role, Integer> read = new EnumMap<>(Role.class);
    private int definitions;

    private SecuredStack(
            StackUnderTest broker,
            String servers,
            LeastPrivileges rights,
            StackUnderTest stack,
            AnotherWorker other,
            Services root) {
        this.broker = broker;
        this.servers = servers;
        this.rights = rights;
        this.stack = stack;
        this.other = other;
        this.root = root;
    }

    /**
     * Starts all; returns when they are ready.
     *
     * @param directory for tokens and catalog
     */
    public static SecuredStack start(Path directory) throws Exception {
        SecretFiles.write(directory.resolve("tokens"), TOKENS);
        SecretFiles.write(directory.resolve("worker"), WORKER);
        SecretFiles.write(directory.resolve("catalog.yaml"), CATALOG.formatted(""));
        Path token = SecretFiles.write(directory.resolve("root"), ROOT);
        Services root = new HttpServices()
                .as(new ClientIdentity(Optional.of(token), Optional.empty(), Optional.empty(), Optional.empty()));
        int known = StackPorts.free().broker();
        String servers = "127.0.0.1:" + known;
        StackUnderTest broker =
                StackUnderTest.start("secured-broker", EnumSet.of(Role.BROKER), settings -> broker(settings, known));
        LeastPrivileges rights = LeastPrivileges.grant(broker.stack().bootstrapServers());
        StackUnderTest stack =
                StackUnderTest.start("secured", USERS.keySet(), settings -> services(settings, servers, directory));
        AnotherWorker other = AnotherWorker.start(stack, "worker-b", UnusedPort.find(), List.of(), settingsOfGroupB());
        return new SecuredStack(broker, servers, rights, stack, other, root);
    }

    private static StackSettings broker(StackSettings settings, int known) {
        StackPorts ports = settings.ports();
        return with(settings, Role.BROKER, "", LeastPrivileges.broker(ports.broker(), ports.controller(), known));
    }

    private static StackSettings services(StackSettings settings, String servers, Path directory) {
        String token = directory.resolve("worker").toString();
        StackSettings changed = settings.withCatalog(directory.resolve("catalog.yaml"))
                .with(Role.WORKER, "writer.token.file", token)
                .with(Role.WORKER, "peer.token.file", token);
        for (Map.Entry<Role, String> user : USERS.entrySet()) {
            changed = with(changed, user.getKey(), "kafka.", LeastPrivileges.client(user.getValue()))
                    .with(user.getKey(), "kafka.bootstrap.servers", servers)
                    .with(
                            user.getKey(),
                            "auth.tokens.file",
                            directory.resolve("tokens").toString());
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

    private static List<String> settingsOfGroupB() {
        List<String> settings = new ArrayList<>(List.of("replica.group=b"));
        LeastPrivileges.client("tidemark-worker-b").forEach((key, value) -> settings.add("kafka." + key + "=" + value));
        return settings;
    }

    /** Where clients with a password begin. */
    public String servers() {
        return servers;
    }

    public LeastPrivileges rights() {
        return rights;
    }

    public StackUnderTest stack() {
        return stack;
    }

    public WriterApi writer() throws ServiceException {
        return root.writer(stack.stack().writerUrl());
    }

    /** How fresh indexes are, as the writer sees it. */
    public JsonNode lagByWriter() throws ServiceException, InterruptedException {
        return root.at("writer", stack.stack().writerUrl()).get("/v1/lag");
    }

    /** The worker of replica group a. */
    public WorkerApi worker() throws ServiceException {
        return root.worker(stack.stack().workerUrl());
    }

    /** Writes a row, as a client with that identity. */
    public void write(Services client, String town) throws ServiceException, InterruptedException {
        byte[] row = ("{\"id\":1,\"town\":\"" + town + "\",\"name\":\"Ada\"}").getBytes(StandardCharsets.UTF_8);
        client.writer(stack.stack().writerUrl()).load("people", () -> new ByteArrayInputStream(row));
    }

    /** The same with all rights. */
    public void write(String town) throws ServiceException, InterruptedException {
        write(root, town);
    }

    /** The entries with their rows, for which the worker shows its own token to the writer. */
    public JsonNode entries(String town) throws ServiceException, InterruptedException {
        return worker().query(QueryRequest.of("by_town").with("town", town).with("fetch", "row"))
                .path("entries");
    }

    /** Has the index built with another definition than before. */
    public void redefine() throws ServiceException, InterruptedException {
        definitions++;
        writer().put(
                        CATALOG.formatted(definitions % 2 == 0 ? "" : ", name"),
                        writer().inForce().version());
    }

    /** Kills the worker of group a, and starts it again with or without what it had. */
    public void restartWorker(boolean emptied) throws Exception {
        stack.kill(Role.WORKER);
        if (emptied) {
            StackUnderTest.deleteTree(stack.dataOf(Role.WORKER));
        }
        stack.startAgain(Role.WORKER);
    }

    /** What a service has logged since the last call of {@link #forgetNews()}. */
    public String news(Role role) throws IOException {
        return Files.readString(stack.child(role).spec().logFile()).substring(read.getOrDefault(role, 0));
    }

    public void forgetNews() throws IOException {
        for (Role role : USERS.keySet()) {
            read.merge(role, news(role).length(), Integer::sum);
        }
    }

    @Override
    public void close() {
        other.close();
        stack.close();
        rights.close();
        broker.close();
    }
}
