package dev.tidemark.writer.postgres;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
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
    private static final String ENDS = "ends";
    private static final String LASTS = "lasts";
    private static final String CLEAN_FROM = "cleanFrom";
    private static final String LEFT_OUT_SINCE = "leftOutSince";
    private static final String EPOCH = "epoch";
    private static final String SEQUENCE = "sequence";

    @Override
    public Optional<TopicRecord> find(String table) {
        return values.get(TOPIC + table)
                .map(Rows::json)
                .map(json -> new TopicRecord(
                        json.path("id").asText(),
                        json.path("whole").asBoolean(),
                        numbers(json.path(ENDS)),
                        numbers(json.path(LASTS)),
                        json.path(CLEAN_FROM).asLong(),
                        json.path(LEFT_OUT_SINCE).asLong()));
    }

    @Override
    public void save(String table, TopicRecord topic, boolean durably) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("id", topic.id());
        json.put("whole", topic.whole());
        write(topic.ends(), json.putObject(ENDS));
        write(topic.lasts(), json.putObject(LASTS));
        json.put(CLEAN_FROM, topic.cleanFrom());
        json.put(LEFT_OUT_SINCE, topic.leftOutSince());
        values.put(TOPIC + table, json.toString(), durably);
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

    private static void write(Map<Integer, Long> byPartition, ObjectNode json) {
        new TreeMap<>(byPartition).forEach((partition, number) -> json.put(Integer.toString(partition), number));
    }

    private static Map<Integer, Long> numbers(JsonNode json) {
        Map<Integer, Long> byPartition = new TreeMap<>();
        json.properties()
                .forEach(entry -> byPartition.put(
                        Integer.valueOf(entry.getKey()), entry.getValue().asLong()));
        return byPartition;
    }
}
