package dev.tidemark.writer.http;

import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.http.Context;

import dev.tidemark.catalog.DefinitionJson;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.row.RowJson;
import dev.tidemark.writer.commit.RowRules;
import dev.tidemark.writer.lag.FreshnessWatch;
import dev.tidemark.writer.outbox.Backlog;

/** The calls that tell about tables, lag and time. */
final class AboutHandlers {
    private final Tables tables;
    private final FreshnessWatch freshness;
    private final Backlog backlog;
    private final LongSupplier epoch;
    private final Clock clock;

    /** Tells this process from the one before it, whose clock may have been another. */
    private final String process = UUID.randomUUID().toString();

    AboutHandlers(Tables tables, FreshnessWatch freshness, Backlog backlog, LongSupplier epoch, Clock clock) {
        this.tables = tables;
        this.freshness = freshness;
        this.backlog = backlog;
        this.epoch = epoch;
        this.clock = clock;
    }

    void tables(Context context) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        ArrayNode list = json.putArray("tables");
        for (RowRules rules : tables.all()) {
            list.add(DefinitionJson.of(rules.table()));
        }
        json.put("epoch", epoch.getAsLong());
        context.result(RowJson.write(json));
    }

    /** The commit clock, rounded up, so that nothing was committed later than it says. */
    void clock(Context context) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put(
                "now",
                clock.instant().plusNanos(999).truncatedTo(ChronoUnit.MICROS).toString());
        json.put("process", process);
        context.result(RowJson.write(json));
    }

    void lag(Context context) {
        freshness.look();
        ObjectNode json = RowJson.mapper().createObjectNode();
        ArrayNode indexes = json.putArray("indexes");
        ArrayNode outbox = json.putArray("outbox");
        for (RowRules rules : tables.all()) {
            TableDefinition table = rules.table();
            table.indexes().forEach(index -> index(indexes.addObject(), table, index));
            ObjectNode pending = outbox.addObject();
            pending.put("table", table.name());
            pending.put("pendingRecords", backlog.records(table.name()));
            pending.put("oldestAgeSeconds", oldestAge(table.name()));
        }
        context.result(RowJson.write(json));
    }

    private void index(ObjectNode json, TableDefinition table, IndexDefinition index) {
        json.put("index", index.name());
        json.put("table", table.name());
        Optional<Duration> age = freshness.freshness(table);
        json.put(
                "completeUpTo",
                freshness.completeUpTo(table).map(String::valueOf).orElse(null));
        json.put("freshnessSeconds", age.map(AboutHandlers::seconds).orElse(null));
    }

    private double oldestAge(String table) {
        return backlog.oldest(table)
                .map(time -> Duration.between(time, clock.instant()))
                .map(AboutHandlers::seconds)
                .orElse(0.0);
    }

    private static double seconds(Duration duration) {
        return Math.max(0, duration.toMillis()) / 1_000.0;
    }
}
