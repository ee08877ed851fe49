package dev.tidemark.writer.http;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.DefinitionJson;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.http.Call;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.RowRules;
import dev.tidemark.writer.lag.FreshnessWatch;
import dev.tidemark.writer.outbox.Backlog;

/**
 * Handles the calls that return tables, lag and time.
 *
 * @param process distinguishes this process from the one before it, whose clock may have been another
 */
record InfoHandlers(
        Tables tables,
        Supplier<Definitions> definitions,
        FreshnessWatch freshness,
        Backlog backlog,
        LongSupplier epoch,
        Supplier<Optional<Given>> given,
        String process,
        Clock clock) {
    private static final double NANOS_PER_SECOND = 1e9;

    /**
     * The last version that was given to a row.
     *
     * @param age for how long it is not known whether another writer gives versions
     */
    record Given(RowVersion version, Duration age) {}

    void tables(Call call) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        ArrayNode list = json.putArray("tables");
        Definitions now = definitions.get();
        for (RowRules rules : tables.all()) {
            ObjectNode table = DefinitionJson.of(rules.table());
            now.table(rules.table().name()).ifPresent(held -> table.put("partitions", held.partitions()));
            list.add(table);
        }
        json.put("epoch", epoch.getAsLong());
        call.result(RowJson.write(json));
    }

    /**
     * Returns the commit clock, rounded up, so that no commit is later than the returned time, and the last version.
     * The version is left out until topics were checked for higher ones.
     */
    void clock(Call call) {
        Instant now = clock.instant().plusNanos(999).truncatedTo(ChronoUnit.MICROS);
        ObjectNode json = RowJson.mapper().createObjectNode().put("now", now.toString());
        json.put("process", process);
        // The age is rounded up.
        given.get()
                .ifPresent(last -> json.put("version", last.version().toString())
                        .put("versionAgeSeconds", seconds(last.age().plusMillis(1))));
        call.result(RowJson.write(json));
    }

    void lag(Call call) {
        freshness.look();
        ObjectNode json = RowJson.mapper().createObjectNode();
        ArrayNode indexes = json.putArray("indexes");
        ArrayNode outbox = json.putArray("outbox");
        for (DesiredTable table : definitions.get().tables()) {
            table.indexes().forEach(index -> index(indexes.addObject(), table, index));
        }
        for (RowRules rules : tables.all()) {
            String table = rules.table().name();
            ObjectNode pending = outbox.addObject().put("table", table);
            pending.put("pendingRecords", backlog.records(table));
            pending.put("oldestAgeSeconds", oldestAge(table));
        }
        call.result(RowJson.write(json));
    }

    private void index(ObjectNode json, DesiredTable table, DesiredIndex index) {
        List<TableDefinition> answering = freshness.answering(table.definition(), index);
        Optional<String> upTo = freshness.completeUpTo(answering).map(String::valueOf);
        Optional<Double> age = freshness.freshness(answering).map(InfoHandlers::seconds);
        json.put("index", index.name()).put("table", table.name());
        json.put("completeUpTo", upTo.orElse(null)).put("freshnessSeconds", age.orElse(null));
    }

    private double oldestAge(String table) {
        return backlog.oldest(table)
                .map(time -> Duration.between(time, clock.instant()))
                .map(InfoHandlers::seconds)
                .orElse(0.0);
    }

    private static double seconds(Duration duration) {
        return Math.max(0, TimeUnit.NANOSECONDS.convert(duration)) / NANOS_PER_SECOND;
    }
}
