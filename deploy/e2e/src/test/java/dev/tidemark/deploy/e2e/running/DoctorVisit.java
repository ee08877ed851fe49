package dev.tidemark.deploy.e2e.running;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.cli.CommandContext;
import dev.tidemark.deploy.cli.DoctorMain;
import dev.tidemark.deploy.cli.Tidemark;
import dev.tidemark.deploy.http.HttpServices;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.text.Terminals;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;
import dev.tidemark.testkit.SecretFiles;

/** {@code tidemark doctor} at a running stack, with the settings of its services in files as a package has them. */
public final class DoctorVisit {
    private final Path directory;
    private final Map<Role, Map<String, String>> settings = new TreeMap<>();

    /** Settings as the stack gives them to its services. */
    public DoctorVisit(StackUnderTest stack, Path directory) {
        this.directory = directory;
        for (Role role : List.of(Role.WRITER, Role.WORKER)) {
            Map<String, String> own = new TreeMap<>();
            own.put("data.dir", stack.dataOf(role).toString());
            own.put("kafka.bootstrap.servers", stack.stack().bootstrapServers());
            settings.put(role, own);
        }
        with(Role.WRITER, "catalog.file", stack.stack().settings().catalog().toString());
        with(
                Role.WRITER,
                "http.port",
                Integer.toString(stack.stack().writerUrl().getPort()));
        with(Role.WORKER, "writer.url", stack.stack().writerUrl().toString());
        with(
                Role.WORKER,
                "http.port",
                Integer.toString(stack.stack().workerUrl().getPort()));
    }

    /** With another value of a setting. */
    public DoctorVisit with(Role role, String key, String value) {
        settings.getOrDefault(role, Map.of()).put(key, value);
        return this;
    }

    /**
     * What it printed.
     *
     * @param code it ended with
     */
    public record Report(int code, JsonNode json) {
        /** What it found by verdict, each with its advice. */
        public List<String> findings(String verdict) {
            List<String> found = new ArrayList<>();
            for (JsonNode one : json.path("findings")) {
                if (one.path("verdict").asText().equals(verdict)) {
                    found.add(one.path("check").asText() + ": "
                            + one.path("found").asText() + " > "
                            + one.path("advice").asText());
                }
            }
            return found;
        }
    }

    /** Runs it. */
    public Report report() throws BadJsonException {
        Terminals.Recorded screen = Terminals.Recorded.pipe();
        HttpServices services = new HttpServices();
        int code = Tidemark.commandLine(
                        new CommandContext(services, services, screen.terminal(), work -> {}),
                        List.of(),
                        List.of(new DoctorMain()))
                .execute(
                        "doctor",
                        "--json",
                        "--writer-config=" + file(Role.WRITER),
                        "--worker-config=" + file(Role.WORKER));
        return new Report(code, RowJson.parse(screen.out().getBytes(StandardCharsets.UTF_8)));
    }

    private Path file(Role role) {
        List<String> lines = new ArrayList<>();
        settings.getOrDefault(role, Map.of()).forEach((key, value) -> lines.add(key + "=" + value));
        return SecretFiles.write(directory.resolve(role.label() + ".properties"), String.join("\n", lines));
    }
}
