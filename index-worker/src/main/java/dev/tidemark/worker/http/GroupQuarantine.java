package dev.tidemark.worker.http;

import java.net.URI;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.http.ProblemException;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.worker.http.QuarantineJson.Cursor;
import dev.tidemark.worker.store.ShardId;

/**
 * The quarantined records of a whole replica group. All workers say at once how many each of their shards has. The
 * records are read shard after shard from the worker that has them, until the page is full, so that at most one part
 * of another worker is in memory beside it.
 *
 * @param layout the tables that have shards
 */
public record GroupQuarantine(QuarantineJson own, GroupParts group, Supplier<Definitions> layout) {
    /**
     * Where the records of a shard are.
     *
     * @param worker empty for this one
     */
    private record Held(Optional<URI> worker, long count) {}

    /**
     * Writes the answer of {@code GET /v1/quarantine}.
     *
     * @param limit maximum number of records to show, at least 1; the count in the answer covers all records
     * @param after the record after which the page begins; empty for the first page
     * @param answer receives the answer, whose memory is released once it returns
     * @throws ProblemException 503 when there is no memory left to read a record
     */
    void list(int limit, Optional<Cursor> after, Consumer<ObjectNode> answer) {
        try (QuarantinePage page = new QuarantinePage(own.pages(), limit)) {
            SortedMap<ShardId, Held> held = held();
            SortedSet<ShardId> missing = all(layout.get());
            missing.removeAll(held.keySet());
            missing.addAll(
                    fill(page, after.map(cursor -> held.tailMap(cursor.shard())).orElse(held), after));
            held.keySet().removeAll(missing);
            ObjectNode json = page.json()
                    .put("count", held.values().stream().mapToLong(Held::count).sum());
            ArrayNode unheard = json.putArray("missingPartitions");
            missing.forEach(shard -> WorkersJson.put(unheard.addObject(), shard));
            answer.accept(json);
        }
    }

    private SortedMap<ShardId, Held> held() {
        SortedMap<ShardId, Held> held = new TreeMap<>();
        own.counts().forEach((shard, count) -> held.put(shard, new Held(Optional.empty(), count)));
        group.answers(group.routes().groupMembers(), PeerRoutes.QUARANTINE)
                .forEach((worker, part) -> part.path("shards")
                        .forEach(shard -> held.putIfAbsent(
                                new ShardId(
                                        shard.path("table").asText(),
                                        shard.path("partition").asInt()),
                                new Held(
                                        Optional.of(worker), shard.path("count").asLong()))));
        return held;
    }

    private static SortedSet<ShardId> all(Definitions layout) {
        SortedSet<ShardId> all = new TreeSet<>();
        layout.tables().forEach(table -> all.addAll(ShardId.allOf(table.definition())));
        return all;
    }

    /** Fills a page from shards, and returns those whose records could not be read. */
    private Set<ShardId> fill(QuarantinePage page, SortedMap<ShardId, Held> from, Optional<Cursor> after) {
        Set<ShardId> unread = new HashSet<>();
        Set<URI> silent = new HashSet<>();
        for (Map.Entry<ShardId, Held> each : from.entrySet()) {
            ShardId shard = each.getKey();
            if (each.getValue().count() == 0 || page.isFull()) {
                continue;
            }
            Optional<Cursor> within = after.filter(cursor -> cursor.shard().equals(shard));
            Optional<URI> worker = each.getValue().worker();
            boolean heard = worker.isEmpty()
                    ? own.add(page, shard, within)
                    : !silent.contains(worker.get()) && add(page, shard, within, worker.get());
            if (!heard) {
                unread.add(shard);
                worker.ifPresent(silent::add);
            }
        }
        return unread;
    }

    /** Adds what another worker has of a shard, as much as there is room for; false where it does not say that. */
    private boolean add(QuarantinePage page, ShardId shard, Optional<Cursor> after, URI worker) {
        String path = PeerRoutes.QUARANTINED + "?shard=" + shard + "&limit=" + page.room()
                + after.map(cursor -> "&cursor=" + cursor.text()).orElse("");
        boolean[] hasRoom = {true};
        try (MemoryBudget.Reservation arriving = own.pages().none()) {
            Optional<JsonNode> part = group.peers()
                    .read(worker, path, bytes -> {
                        if (!arriving.tryGrow(bytes)) {
                            hasRoom[0] = false;
                            throw new IllegalStateException("the memory for answers is in use by other requests");
                        }
                    })
                    .join();
            if (!hasRoom[0]) {
                page.endWithoutMemory();
                return true;
            }
            part.ifPresent(json -> take(page, shard, json));
            return part.isPresent();
        }
    }

    private static void take(QuarantinePage page, ShardId shard, JsonNode part) {
        for (JsonNode record : part.path("records")) {
            if (!page.add(shard, record)) {
                return;
            }
        }
        if (part.has("next")) {
            page.end();
        }
    }
}
