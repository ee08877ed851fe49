package dev.tidemark.deploy.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.stack.ChildId;
import dev.tidemark.deploy.stack.ChildProcess;
import dev.tidemark.deploy.stack.LoopbackPort;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.target.ServiceCaller;
import dev.tidemark.runtime.BoundedWait;

/** A worker of another replica group that begins with nothing, beside one that has all shards. */
record JoiningWorker(BenchStack stack) {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Duration END_PATIENCE = Duration.ofSeconds(20);
    private static final Duration STEP = Duration.ofMillis(100);
    private static final String SHARDS = "/v1/peer/shards";
    private static final int SECOND = 2;

    /** The time from the start of the process until it has caught up with all shards. */
    Duration join() throws Exception {
        int port = LoopbackPort.anyFree(Set.of());
        Path directory = Files.createTempDirectory(stack.directory(), "joining-");
        ChildProcess process = new ChildProcess(stack.services()
                .child(Role.WORKER)
                .spec()
                .another(
                        new ChildId(Role.WORKER, SECOND),
                        directory,
                        List.of(
                                "http.port=" + port,
                                "advertised.url=http://127.0.0.1:" + port,
                                "data.dir=" + directory.resolve("data"),
                                "replica.group=b",
                                "copy.min.records=0")));
        int shards = steady(stack.worker(STEP.multipliedBy(SECOND * SECOND)));
        ServiceCaller joining = stack.bench().systems().callers().at(URI.create("http://127.0.0.1:" + port), PATIENCE);
        Instant started = stack.clock().instant();
        try {
            process.start();
            if (!BoundedWait.until(() -> steady(joining) == shards, PATIENCE, STEP)) {
                throw new BenchException("the joining worker has not caught up; see " + directory);
            }
            return Duration.between(started, stack.clock().instant());
        } finally {
            process.requestEnd();
            process.awaitEnd(END_PATIENCE);
            process.kill();
        }
    }

    /** How many shards of a worker have caught up. */
    private static int steady(ServiceCaller worker) {
        int steady = 0;
        try {
            for (JsonNode shard : worker.get(SHARDS).json().path("shards")) {
                steady += shard.path("state").asText().equals("steady") ? 1 : 0;
            }
        } catch (IOException e) {
            // It is starting.
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return steady;
    }
}
