package dev.tidemark.worker.http;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.http.AdvertisedUrl;
import dev.tidemark.progress.IndexHealth;
import dev.tidemark.progress.Progress;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.group.Owner;
import dev.tidemark.worker.group.ShardRoutes;
import dev.tidemark.worker.group.WorkerIdentity;
import dev.tidemark.worker.lag.ApplyRate;
import dev.tidemark.worker.lag.HealthRule;
import dev.tidemark.worker.lag.LagMeter;
import dev.tidemark.worker.lag.ShardLag;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardView;
import dev.tidemark.worker.store.StoredBytes;

import static dev.tidemark.worker.http.JsonValues.object;
import static dev.tidemark.worker.http.JsonValues.text;

/**
 * Which worker has which shards. Each worker speaks for itself; a worker that does not answer is shown with what it
 * noted last.
 *
 * @param layout the tables that have shards
 */
public record WorkersJson(
        WorkerIdentity self,
        String replicaGroup,
        ShardRoutes routes,
        PeerClient peers,
        LagMeter lag,
        Supplier<Definitions> layout) {
    private static final String SHARDS = "shards";
    private static final String PARTITION = "partition";
    private static final String TABLE = "table";
    private static final String GROUP = "replicaGroup";
    private static final String INDEX = "index";
    private static final String GENERATION = "generation";
    private static final String LAYOUT = "layout";

    /** This worker with its shards. */
    ObjectNode own() {
        ObjectNode json = worker(self, replicaGroup);
        ArrayNode shards = json.putArray(SHARDS);
        for (OpenShard shard : lag.shards().assigned()) {
            ShardLag known = lag.of(shard);
            ObjectNode one = add(shards, shard.id(), HealthRule.of(List.of(known)));
            add(one, known.completeUpTo(), known.freshness());
            one.put(
                    "rows",
                    shard.status().map(status -> status.checkpoint().liveRows()).orElse(null));
            one.put("bytes", bytes(shard).orElse(null));
            Optional<ApplyRate.Rates> rates = lag.rates(shard);
            one.put("changesPerSecond", rates.map(ApplyRate.Rates::applied).orElse(null));
            one.put("queriesPerSecond", rates.map(ApplyRate.Rates::queries).orElse(null));
            lag.shards()
                    .copying(shard.id())
                    .ifPresent(copy -> one.put("state", "copying")
                            .put("copyFrom", copy.from().toString())
                            .put("copiedBytes", copy.copiedBytes())
                            .put("copyBytes", copy.copyBytes()));
        }
        return json;
    }

    /** All workers, and the partitions that none of a replica group has. */
    ObjectNode all() {
        Map<WorkerIdentity, List<Owner>> noted = routes.all().stream().collect(Collectors.groupingBy(Owner::worker));
        Map<WorkerIdentity, CompletableFuture<PeerClient.Reply>> asked = new LinkedHashMap<>();
        noted.keySet().stream()
                .filter(worker -> !worker.equals(self))
                .forEach(worker -> asked.put(worker, peers.reply(worker.url(), PeerRoutes.SHARDS)));
        Map<URI, JsonNode> answered = new TreeMap<>(Map.of(self.url(), own()));
        Map<URI, JsonNode> workers = new TreeMap<>();
        List<String> problems = new ArrayList<>(addresses());
        asked.forEach((worker, answer) -> {
            PeerClient.Reply reply = answer.join();
            reply.said()
                    .ifPresentOrElse(
                            shards -> answered.put(worker.url(), shards),
                            () -> workers.put(worker.url(), silent(worker, noted.getOrDefault(worker, List.of()))));
            if (!reply.trouble().isEmpty()) {
                problems.add("worker " + worker.url() + " " + reply.trouble());
            }
        });
        workers.putAll(answered);
        ObjectNode json = object();
        json.putArray("workers").addAll(workers.values());
        json.set("unowned", unowned(answered.values()));
        json.set("skew", ShardSkew.of(workers.values()));
        problems.stream().sorted().distinct().forEach(json.putArray("problems")::add);
        return json;
    }

    /** What is wrong with the addresses that workers advertise. */
    private List<String> addresses() {
        Map<URI, Set<String>> instances = new TreeMap<>();
        routes.all().stream()
                .filter(Owner::live)
                .map(Owner::worker)
                .forEach(worker -> instances
                        .computeIfAbsent(worker.url(), unseen -> new TreeSet<>())
                        .add(worker.instance()));
        instances.computeIfAbsent(self.url(), unseen -> new TreeSet<>()).add(self.instance());
        List<String> problems = new ArrayList<>();
        instances.forEach((url, all) -> {
            if (all.size() > 1) {
                problems.add("workers with the instances " + String.join(", ", all) + " all advertise " + url
                        + ": set advertised.url of each to its own address");
            }
            if (instances.size() > 1 && AdvertisedUrl.isWildcard(url)) {
                problems.add("a worker advertises " + url + ", which other workers cannot reach: set advertised.url");
            }
        });
        return problems;
    }

    private ObjectNode silent(WorkerIdentity worker, List<Owner> noted) {
        ObjectNode json = worker(
                worker, noted.stream().map(Owner::replicaGroup).findFirst().orElse(""));
        ArrayNode shards = json.putArray(SHARDS);
        for (Owner owner : noted) {
            Progress progress = owner.note().progress();
            add(add(shards, owner.shard(), IndexHealth.UNKNOWN), progress.watermark(), lag.freshness(progress));
        }
        return json;
    }

    /** Partitions that no worker says it has, for each replica group with members. */
    private ArrayNode unowned(Iterable<JsonNode> workers) {
        Set<String> owned = new HashSet<>();
        for (JsonNode worker : workers) {
            for (JsonNode shard : worker.path(SHARDS)) {
                owned.add(worker.path(GROUP).asText() + " " + table(shard) + " "
                        + shard.path(PARTITION).asInt());
            }
        }
        ArrayNode unowned = RowJson.mapper().createArrayNode();
        for (String group : routes.groups()) {
            for (TableDefinition table : layout.get().catalog().tables()) {
                ShardId.allOf(table).stream()
                        .filter(shard -> !owned.contains(group + " " + shard.table() + " " + shard.partition()))
                        .forEach(shard -> put(unowned.addObject(), shard).put(GROUP, group));
            }
        }
        return unowned;
    }

    private static ObjectNode worker(WorkerIdentity worker, String group) {
        ObjectNode json =
                object().put("url", worker.url().toString()).put(GROUP, group).put("instance", worker.instance());
        return worker.rack().isEmpty() ? json : json.put("rack", worker.rack());
    }

    /** About how many bytes all indexes of a shard have on disk and in memory; empty while it is not open. */
    private static Optional<Long> bytes(OpenShard shard) {
        Optional<OpenShard.ShardSnapshot> reading = shard.readIfOpen();
        if (reading.isEmpty()) {
            return Optional.empty();
        }
        try (ShardView view = reading.get().view()) {
            StoredBytes bytes = StoredBytes.NONE;
            for (long generation :
                    reading.get().status().checkpoint().generations().keySet()) {
                bytes = bytes.plus(view.approximateBytes(generation));
            }
            return Optional.of(bytes.files() + bytes.memory());
        }
    }

    private static ObjectNode add(ArrayNode shards, ShardId shard, IndexHealth state) {
        ObjectNode json = shards.addObject().putNull(TABLE).putNull(INDEX);
        return put(json, shard).put("state", state.label());
    }

    /** Up to when a shard is complete, and how old that is by the writer's clock, which readers cannot see. */
    private static void add(ObjectNode shard, Optional<Instant> watermark, Optional<Duration> staleness) {
        shard.put("watermark", text(watermark))
                .put("stalenessMs", staleness.map(QueryResultJson::millis).orElse(null));
    }

    /**
     * Names a shard: that of a table, with a member more that of a layout, with two that of a generation of a global
     * index.
     */
    static ObjectNode put(ObjectNode json, ShardId shard) {
        json.put(TABLE, DerivedTable.base(shard.table())).put(PARTITION, shard.partition());
        Optional<DerivedTable> derived = DerivedTable.of(shard.table());
        derived.filter(DerivedTable::isLayout).ifPresent(home -> json.put(LAYOUT, home.number()));
        derived.filter(home -> !home.isLayout())
                .ifPresent(home -> json.put(INDEX, home.index()).put(GENERATION, home.number()));
        return json;
    }

    /** The table that has a shard which {@link #put} has named. */
    static String table(JsonNode shard) {
        String table = shard.path(TABLE).asText();
        String index = shard.path(INDEX).asText("");
        JsonNode number = shard.path(index.isEmpty() ? LAYOUT : GENERATION);
        return number.isMissingNode() ? table : new DerivedTable(table, index, number.asLong()).name();
    }
}
