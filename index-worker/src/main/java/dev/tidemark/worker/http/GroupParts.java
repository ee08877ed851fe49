package dev.tidemark.worker.http;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.DoubleBinaryOperator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.worker.group.ShardRoutes;

/** What the workers of the replica group say of their shards. */
public record GroupParts(ShardRoutes routes, PeerClient peers) {
    /** Whether this worker is the only one of its replica group. */
    boolean isAlone() {
        return routes.groupMembers().isEmpty();
    }

    /** What each worker that answers says at a path, this one first. */
    List<JsonNode> read(ObjectNode own, String path) {
        List<JsonNode> parts = new ArrayList<>(List.of(own.deepCopy()));
        parts.addAll(read(routes.groupMembers(), path));
        return parts;
    }

    /** What each of some workers that answers says at a path. */
    List<JsonNode> read(Collection<URI> workers, String path) {
        return List.copyOf(answers(workers, path).values());
    }

    /** The same, by worker. */
    Map<URI, JsonNode> answers(Collection<URI> workers, String path) {
        Map<URI, CompletableFuture<Optional<JsonNode>>> asked = new LinkedHashMap<>();
        workers.forEach(worker -> asked.put(worker, peers.read(worker, path)));
        Map<URI, JsonNode> answers = new LinkedHashMap<>();
        asked.forEach((worker, answer) -> answer.join().ifPresent(said -> answers.put(worker, said)));
        return answers;
    }

    /** A figure of all parts; null where there is none, or one is not known. */
    static void put(ObjectNode json, String name, List<JsonNode> parts, DoubleBinaryOperator together) {
        boolean known = !parts.isEmpty()
                && parts.stream().allMatch(part -> part.path(name).isNumber());
        boolean exact = known && parts.stream().allMatch(part -> part.path(name).isIntegralNumber());
        double value = known
                ? parts.stream()
                        .mapToDouble(part -> part.path(name).asDouble())
                        .reduce(together)
                        .orElse(0)
                : 0;
        if (exact) {
            json.put(name, (long) value);
        } else {
            json.put(name, known ? (Double) value : null);
        }
    }

    static long sum(List<JsonNode> parts, String name) {
        return parts.stream().mapToLong(part -> part.path(name).asLong()).sum();
    }

    /** What each part has in a list about the same thing. */
    static List<JsonNode> same(List<JsonNode> parts, String list, String name, JsonNode one) {
        List<JsonNode> found = new ArrayList<>();
        for (JsonNode part : parts) {
            for (JsonNode each : part.path(list)) {
                if (each.path(name).equals(one.path(name))) {
                    found.add(each);
                }
            }
        }
        return found;
    }
}
