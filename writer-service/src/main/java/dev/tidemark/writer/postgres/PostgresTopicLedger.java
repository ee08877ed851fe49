package dev.tidemark.writer.postgres;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.outbox.TopicLedger;
import dev.tidemark.writer.outbox.TopicRecord;

/** What the writer remembers of its topics, in PostgreSQL. */
record PostgresTopicLedger(NamedValues values) implements TopicLedger {
    private static final String TOPIC = "topic.";
    private static final String UNSETTLED = "topics.unsettled";
    private static final String SESSION = "topics.session";
    private static final String EPOCH = "epoch";
    private static final String SEQUENCE = "sequence";

    @Override
    public Optional<TopicRecord> find(String table) {
        return values.get(TOPIC + table).map(Rows::json).map(json -> RowJson.as(TopicRecord.class, json));
    }

    @Override
    public void save(String table, TopicRecord topic, boolean durably) {
        values.put(TOPIC + table, new String(RowJson.write(topic), StandardCharsets.UTF_8), durably);
    }

    @Override
    public Set<String> tables() {
        return values.names(TOPIC).stream()
                .map(name -> name.substring(TOPIC.length()))
                .collect(Collectors.toSet());
    }

    @Override
    public void forget(String table) {
        values.remove(TOPIC + table);
    }

    @Override
    public long nextSession(long least) {
        return values.next(SESSION, least);
    }

    @Override
    public long lastSession() {
        return values.get(SESSION).map(Long::parseLong).orElse(0L);
    }

    @Override
    public Optional<RowVersion> unsettled() {
        return values.get(UNSETTLED)
                .map(Rows::json)
                .map(json -> new RowVersion(
                        json.path(EPOCH).asLong(), json.path(SEQUENCE).asLong()));
    }

    @Override
    public void unsettled(RowVersion since) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put(EPOCH, since.epoch()).put(SEQUENCE, since.sequence());
        values.put(UNSETTLED, json.toString(), true);
    }

    @Override
    public void settled() {
        values.remove(UNSETTLED);
    }
}
