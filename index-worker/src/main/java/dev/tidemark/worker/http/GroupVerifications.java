package dev.tidemark.worker.http;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.worker.group.WorkerIdentity;

import static dev.tidemark.worker.http.JsonValues.object;

/**
 * Remembers at which other workers of the replica group the parts of a verification run. In memory only: each part is
 * kept by the worker that carries it out. For any thread.
 */
public final class GroupVerifications {
    static final String HERE = "/v1/peer/verify";

    /** After this silence, a worker is given up. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final int REMEMBERED = 100;

    private final WorkerIdentity self;
    private final String replicaGroup;
    private final GroupParts group;
    private final Clock clock;
    private final Map<String, List<Part>> parts = new LinkedHashMap<>();

    /**
     * A part of an order.
     *
     * @param id the order at that worker; empty where the worker did not take it
     * @param heard when the worker answered last
     */
    private record Part(URI worker, Optional<String> id, AtomicReference<Instant> heard) {}

    public GroupVerifications(WorkerIdentity self, String replicaGroup, GroupParts group, Clock clock) {
        this.self = self;
        this.replicaGroup = replicaGroup;
        this.group = group;
        this.clock = clock;
    }

    /** Gives an order, which has an id here, to the other workers of the replica group too. */
    void submit(String id, ObjectNode order) {
        Map<URI, CompletableFuture<Optional<JsonNode>>> asked = new TreeMap<>();
        group.routes()
                .groupMembers()
                .forEach(worker -> asked.put(worker, group.peers().order(worker, HERE, order)));
        List<Part> taken = new ArrayList<>();
        asked.forEach((worker, answer) -> taken.add(new Part(
                worker, answer.join().map(job -> job.path("id").asText()), new AtomicReference<>(clock.instant()))));
        synchronized (parts) {
            parts.put(id, taken);
            if (parts.size() > REMEMBERED) {
                parts.remove(parts.keySet().iterator().next());
            }
        }
    }

    /** How many other workers an order was given to. */
    int others(String id) {
        return partsOf(id).size();
    }

    private List<Part> partsOf(String id) {
        synchronized (parts) {
            return parts.getOrDefault(id, List.of());
        }
    }

    /**
     * Writes the state of an order at all workers.
     *
     * @param json the order
     * @param own its state here
     */
    void describe(ObjectNode json, ObjectNode own) {
        List<Part> others = partsOf(json.path("id").asText());
        json.put("replicaGroup", replicaGroup);
        if (others.isEmpty()) {
            json.setAll(own);
            VerifyParts.alone(json);
            return;
        }
        Map<Part, CompletableFuture<Optional<JsonNode>>> asked = new LinkedHashMap<>();
        others.forEach(part -> asked.put(
                part,
                part.id()
                        .map(id -> group.peers().read(part.worker(), HERE + "/" + id))
                        .orElse(CompletableFuture.completedFuture(Optional.empty()))));
        List<JsonNode> all = new ArrayList<>(List.of(own));
        ArrayNode workers = json.putArray("workers");
        workers.addObject().put("url", self.url().toString()).set(VerifyParts.STATE, own.path(VerifyParts.STATE));
        asked.forEach((part, answer) -> {
            JsonNode said = said(part, answer.join());
            workers.addObject()
                    .put("url", part.worker().toString())
                    .set(VerifyParts.STATE, said.path(VerifyParts.STATE));
            all.add(said);
        });
        VerifyParts.together(json, all);
    }

    private JsonNode said(Part part, Optional<JsonNode> answer) {
        Instant now = clock.instant();
        if (answer.isPresent()) {
            part.heard().set(now);
            return answer.get();
        }
        boolean waiting = part.id().isPresent()
                && now.isBefore(Objects.requireNonNull(part.heard().get()).plus(PATIENCE));
        ObjectNode json = object().put(VerifyParts.STATE, waiting ? VerifyParts.RUNNING : VerifyParts.FAILED);
        json.put(
                VerifyParts.DETAIL,
                "worker " + part.worker() + (part.id().isPresent() ? " does not answer" : " did not take the order"));
        // It is not known which partitions it has, but it had some.
        json.putArray(VerifyParts.HELD).add("unknown");
        return json;
    }
}
