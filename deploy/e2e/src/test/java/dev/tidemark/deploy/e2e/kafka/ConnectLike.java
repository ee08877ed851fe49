package dev.tidemark.deploy.e2e.kafka;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;

import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A connector of Debezium, which writes topics as Kafka Connect does with exactly.once.source.support: each
 * of its batches is one transaction.
 */
public final class ConnectLike implements AutoCloseable {
    private static final String PREFIX = "shop";

    private final String topic;
    private final KafkaProducer<String, String> producer;
    private final DebeziumEngine<ChangeEvent<String, String>> engine;
    private final Thread thread;
    private boolean held;

    /**
     * Starts it.
     *
     * @param connector its settings, by Debezium's names
     * @param topics how many partitions each of its topics gets
     */
    public ConnectLike(String broker, Map<String, String> connector, Map<String, Integer> topics)
            throws InterruptedException {
        create(broker, topics);
        this.topic = topics.keySet().iterator().next();
        this.producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker, "transactional.id", PREFIX),
                new StringSerializer(),
                new StringSerializer());
        producer.initTransactions();
        Properties settings = new Properties();
        settings.putAll(connector);
        settings.putAll(Map.of(
                "name",
                PREFIX,
                "topic.prefix",
                PREFIX,
                "poll.interval.ms",
                "20",
                "offset.storage",
                "org.apache.kafka.connect.storage.MemoryOffsetBackingStore"));
        this.engine = DebeziumEngine.create(Json.class)
                .using(settings)
                .notifying(this::publish)
                .build();
        this.thread = new Thread(engine, "connect-like");
        thread.start();
    }

    private static void create(String broker, Map<String, Integer> topics) throws InterruptedException {
        List<NewTopic> wanted = topics.entrySet().stream()
                .map(topic -> new NewTopic(topic.getKey(), Optional.of(topic.getValue()), Optional.empty())
                        .configs(Map.of("cleanup.policy", "compact")))
                .toList();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker))) {
            admin.createTopics(wanted).all().get();
        } catch (ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    private synchronized void publish(
            List<ChangeEvent<String, String>> events,
            DebeziumEngine.RecordCommitter<ChangeEvent<String, String>> committer)
            throws InterruptedException {
        while (held) {
            wait();
        }
        producer.beginTransaction();
        for (ChangeEvent<String, String> event : events) {
            var unused = producer.send(new ProducerRecord<>(event.destination(), event.key(), event.value()));
            committer.markProcessed(event);
        }
        producer.commitTransaction();
        committer.markBatchFinished();
    }

    /** Publishes nothing but heartbeats until it is released. */
    public synchronized void hold() {
        held = true;
        producer.beginTransaction();
        var unused = producer.send(new ProducerRecord<>(
                topic, "{\"serverName\":\"shop\"}", "{\"ts_ms\":" + System.currentTimeMillis() + "}"));
        producer.commitTransaction();
    }

    public synchronized void release() {
        held = false;
        notifyAll();
    }

    @Override
    public void close() throws IOException {
        release();
        engine.close();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        producer.close();
    }
}
