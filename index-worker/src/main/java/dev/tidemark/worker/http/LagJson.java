package dev.tidemark.worker.http;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.DefinitionJson;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.progress.IndexHealth;
import dev.tidemark.worker.apply.Stage;
import dev.tidemark.worker.apply.StageLatencies;
import dev.tidemark.worker.lag.ApplyRate;
import dev.tidemark.worker.lag.CatchUpEstimate;
import dev.tidemark.worker.lag.FreshnessHistory;
import dev.tidemark.worker.lag.HealthRule;
import dev.tidemark.worker.lag.LagMeter;
import dev.tidemark.worker.lag.RecentDurations;
import dev.tidemark.worker.lag.ShardLag;
import dev.tidemark.worker.lag.Visibility;
import dev.tidemark.worker.query.Freshness;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.shard.OpenShard;

import static dev.tidemark.worker.http.JsonValues.number;
import static dev.tidemark.worker.http.JsonValues.object;
import static dev.tidemark.worker.http.JsonValues.seconds;
import static dev.tidemark.worker.http.JsonValues.text;

/** Writes lag, its history and indexes as JSON. An unknown value is null. */
public record LagJson(
        Supplier<Definitions> definitions,
        LagMeter meter,
        Visibility visibility,
        LifecycleJson lifecycle,
        FreshnessHistory kept,
        Clock clock) {
    /** Time since the watermark, in seconds. */
    static final String FRESHNESS = "freshnessSeconds";

    /** Whether one of the shards is late and known not to gain, so that no time can be given. */
    static final String GAINS_NOTHING = "gainsNothing";

    /** Of a part only: whether the shards of the worker are late, so that they have to catch up. */
    static final String LATE = "late";

    /** Of a part only: how many changes the times are about. */
    static final String RECENT = "recent";

    /** What an index or a shard takes as a tree and as text. */
    private static final long PART_BYTES = 4L << 10;

    /** What the history of an index takes. */
    private static final long HISTORY_BYTES = 64L << 10;

    /** Bytes that the history takes while it is built, about. */
    long historyBytes() {
        return definitions.get().catalog().indexes().size() * HISTORY_BYTES;
    }

    /** Bytes that another answer takes while it is built, about. */
    long answerBytes() {
        Definitions now = definitions.get();
        long parts = now.catalog().indexes().size();
        for (DesiredTable plan : now.layout().tables()) {
            parts += (long) plan.definition().partitions() * (1 + plan.indexes().size());
        }
        return parts * PART_BYTES;
    }

    /** Time since a moment, at least zero. */
    Duration since(Instant moment) {
        Duration since = Duration.between(moment, clock.instant());
        return since.isNegative() ? Duration.ZERO : since;
    }

    /**
     * The answer of {@code GET /v1/lag} of a worker that is alone.
     *
     * @param part whether another worker puts it together with its own
     */
    ObjectNode lag(boolean part) {
        ObjectNode json = object();
        ArrayNode tables = json.putArray("tables");
        ArrayNode indexes = json.putArray("indexes");
        Definitions now = definitions.get();
        Catalog catalog = now.catalog();
        // Other workers put partitions of global indexes together by the names of their tables.
        for (DesiredTable plan : (part ? now.layout() : now).tables()) {
            table(tables.addObject().put("table", plan.name()), plan.definition(), part);
        }
        for (DesiredTable plan : now.tables()) {
            plan.indexes().forEach(index -> indexes.add(index(catalog, plan.definition(), index, part)));
        }
        return json;
    }

    /**
     * The answer of {@code GET /v1/indexes} of a worker that is alone.
     *
     * @param part whether another worker puts it together with its own
     */
    ObjectNode indexes(boolean part) {
        ObjectNode json = object();
        ArrayNode indexes = json.putArray("indexes");
        Definitions now = definitions.get();
        for (DesiredTable plan : now.tables()) {
            for (DesiredIndex index : plan.indexes()) {
                indexes.add(described(now.catalog(), plan.definition(), index, part, part));
            }
        }
        return json;
    }

    /** The answer of {@code GET /v1/indexes/{index}} of a worker that is alone, or a part of it. */
    ObjectNode index(IndexNames.Found index, boolean part) {
        TableDefinition table = index.table();
        ObjectNode json = described(definitions.get().catalog(), table, index.plan(), part, true);
        lifecycle.addContent(json, table, index.plan().current());
        return json;
    }

    /** The answer of {@code GET /v1/history}: {@code [epoch seconds, seconds or null]} for each interval. */
    ObjectNode history() {
        ObjectNode json = object().put("intervalSeconds", FreshnessHistory.INTERVAL.toSeconds());
        json.put("now", clock.instant().toEpochMilli() / 1e3);
        ArrayNode indexes = json.putArray("indexes");
        Definitions present = definitions.get();
        for (DesiredTable plan : present.tables()) {
            for (DesiredIndex index : plan.indexes()) {
                IndexDefinition definition = index.current().definition();
                ObjectNode one =
                        indexes.addObject().put("index", present.catalog().publicName(definition));
                points(one.putArray("points"), definition.qualifiedName());
            }
        }
        return json;
    }

    private void points(ArrayNode list, String index) {
        for (FreshnessHistory.Point point : kept.of(index)) {
            Optional<Double> age = point.freshness().map(exact -> QueryResultJson.millis(exact) / 1e3);
            list.addArray().add(point.at().getEpochSecond()).add(age.orElse(null));
        }
    }

    private ObjectNode described(
            Catalog catalog, TableDefinition table, DesiredIndex plan, boolean part, boolean withShards) {
        IndexDefinition index = plan.current().definition();
        ObjectNode json = object().put("index", catalog.publicName(index)).put("table", table.name());
        json.setAll(DefinitionJson.of(index));
        TableDefinition home = plan.current().home(table);
        lifecycle.addTo(json, table, plan, meter.state(home));
        json.put("entries", entries(meter.of(home), plan.current()));
        addMissing(json, home);
        // Listed once: the freshness of a part must be that of all shards that the part names.
        List<OpenShard> held = List.copyOf(meter.shards().of(home));
        List<ShardLag> answering = part ? held.stream().map(meter::of).toList() : meter.ofAnswering(table, plan);
        json.set("freshness", QueryResultJson.of(Freshness.of(answering)));
        if (withShards) {
            lifecycle.addShards(json, held, table, plan, part);
        }
        return json;
    }

    private void table(ObjectNode json, TableDefinition table, boolean part) {
        ArrayNode partitions = json.putArray("partitions");
        meter.shards().of(table).forEach(shard -> partition(partitions.addObject(), shard));
        ArrayNode stages = json.putArray("stages");
        if (table.source().isPresent()) {
            stages.add(times(visibility.ofSource(table.name()), part).put("stage", StageLatencies.SOURCE));
        }
        for (Stage stage : Stage.values()) {
            stages.add(times(visibility.of(table.name(), stage), part).put("stage", stage.label()));
        }
        Optional<ApplyRate.Rates> rates = part ? meter.ratesHere(table) : meter.rates(table);
        json.put("arrivalPerSecond", rates.map(ApplyRate.Rates::arrival).orElse(null));
        json.put("appliedPerSecond", rates.map(ApplyRate.Rates::applied).orElse(null));
        catchUp(json, table, part);
        json.put("clockSkewSeconds", seconds(meter.clockSkew()));
        json.put("paused", meter.shards().pausedSince(table).isPresent());
    }

    private void catchUp(ObjectNode json, TableDefinition home, boolean part) {
        CatchUpEstimate catchUp = part ? meter.catchUpHere(home) : meter.catchUp(home);
        json.put("etaSeconds", seconds(catchUp.time()));
        json.put(GAINS_NOTHING, catchUp instanceof CatchUpEstimate.Never);
        if (part) {
            json.put(LATE, !(catchUp instanceof CatchUpEstimate.NotNeeded));
        }
    }

    private void partition(ObjectNode json, OpenShard shard) {
        ShardLag one = meter.of(shard);
        json.put("partition", shard.id().partition());
        json.put("recordsBehind", number(one.recordsBehind()));
        json.put("oldestUnappliedSeconds", seconds(one.oldestUnapplied()));
        json.put(FRESHNESS, seconds(one.freshness()));
        json.put("completeUpTo", text(one.completeUpTo()));
        json.put("state", HealthRule.of(List.of(one)).label());
        one.failure().ifPresent(reason -> json.put("failure", reason));
    }

    private ObjectNode index(Catalog catalog, TableDefinition table, DesiredIndex index, boolean part) {
        TableDefinition home = index.current().home(table);
        List<ShardLag> lags = meter.of(home);
        ObjectNode json =
                object().put("index", catalog.publicName(index.current().definition()));
        List<ShardLag> whole = meter.ofWhole(home);
        IndexHealth state = whole.isEmpty() ? IndexHealth.UNKNOWN : meter.stateHere(table, index);
        json.put("table", table.name()).put("state", state.label());
        addMissing(json, home);
        lifecycle.describe(json, table, index);
        json.put(FRESHNESS, seconds(LagMeter.freshness(meter.ofAnswering(table, index))));
        json.put("recordsBehind", number(LagMeter.recordsBehind(whole)));
        json.put("oldestUnappliedSeconds", seconds(LagMeter.oldestUnapplied(whole)));
        catchUp(json, home, part);
        json.put("entries", entries(lags, index.current()));
        json.put("quarantined", LagMeter.quarantined(lags));
        RecentDurations.Summary times = visibility.of(home.name());
        json.set("visibility", times(times, part).put("maxSeconds", seconds(recent(times, times.max()))));
        if (part) {
            lifecycle.addShards(json, meter.shards().of(home), table, index, true);
        }
        return json;
    }

    private void addMissing(ObjectNode json, TableDefinition table) {
        List<Integer> missing = meter.missing(table);
        json.put("partitions", table.partitions());
        missing.forEach(json.putArray("missingPartitions")::add);
    }

    private static ObjectNode times(RecentDurations.Summary times, boolean part) {
        ObjectNode json = object().put("count", times.count())
                .put("meanSeconds", seconds(recent(times, times.mean())))
                .put("p50Seconds", seconds(recent(times, times.p50())))
                .put("p99Seconds", seconds(recent(times, times.p99())));
        return part ? json.put(RECENT, times.recent()) : json;
    }

    /** A time of nothing is not a time of zero. */
    private static Optional<Duration> recent(RecentDurations.Summary times, Duration time) {
        return times.recent() == 0 ? Optional.empty() : Optional.of(time);
    }

    private static long entries(List<ShardLag> lags, Generation generation) {
        return lags.stream()
                .flatMap(shard -> shard.status().stream())
                .mapToLong(status -> status.checkpoint().entries(generation.id()))
                .sum();
    }
}
