package dev.tidemark.deploy.bench.kafka;

import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

import dev.tidemark.deploy.bench.Baseline;
import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.BenchStack;
import dev.tidemark.deploy.bench.BenchSystems;
import dev.tidemark.deploy.bench.CustomerRow;
import dev.tidemark.deploy.bench.Figure;
import dev.tidemark.deploy.bench.Latencies;
import dev.tidemark.deploy.bench.LineProcess;
import dev.tidemark.deploy.bench.Load;
import dev.tidemark.deploy.bench.VisibilityFigures;
import dev.tidemark.deploy.bench.VisibilityFigures.Measure;

/**
 * A producer, and a consumer in another process, with nothing between them but the broker.
 *
 * <p>A latency counts from when a record was due to be handed to the producer until the poll that brings it returns.
 */
public final class BareLoop implements BenchSystems.MeasuredSystem {
    private final String topic;
    private final KafkaProducer<byte[], byte[]> producer;
    private final LineProcess consumer;
    private final Latencies like;
    private final Clock clock;
    private long changes;

    private BareLoop(
            String topic, KafkaProducer<byte[], byte[]> producer, LineProcess consumer, Latencies like, Clock clock) {
        this.topic = topic;
        this.producer = producer;
        this.consumer = consumer;
        this.like = like;
        this.clock = clock;
    }

    /**
     * Makes the topic and starts both ends.
     *
     * @param stack with the broker; its directory gets a log of the consumer's errors
     * @param like the histogram whose bounds are to be used
     */
    public static BareLoop start(Baseline baseline, BenchStack stack, Latencies like) throws Exception {
        String brokers = stack.services().bootstrapServers();
        String topic = "bare-loop-" + baseline.lingerMillis();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers))) {
            admin.createTopics(List.of(new NewTopic(topic, Optional.of(BareConsumerMain.PARTITIONS), Optional.empty())))
                    .all()
                    .get();
            List<String> command = LineProcess.java(
                    stack.installation(),
                    List.of("-Xms64m", "-Xmx512m"),
                    BareConsumerMain.class.getName(),
                    brokers,
                    topic);
            LineProcess consumer = LineProcess.start(command, stack.directory().resolve(topic + ".log"));
            stack.atEnd(consumer::close);
            KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings(baseline, brokers));
            stack.atEnd(producer::close);
            return new BareLoop(topic, producer, consumer, like, stack.clock());
        } catch (ExecutionException | IOException e) {
            throw new BenchException("the bare loop could not be started: " + e.getMessage(), e);
        }
    }

    @Override
    public Map<Figure, Double> run(Load load) throws Exception {
        try {
            consumer.write(Integer.toString(load.changes()));
            String ready = consumer.line();
            if (!ready.equals("ready")) {
                throw new BenchException("expected the bare consumer to print ready, but got " + ready);
            }
            produce(load);
            String line = consumer.line();
            long[] micros = line.isEmpty()
                    ? new long[0]
                    : Arrays.stream(line.split(" ", -1))
                            .mapToLong(Long::parseLong)
                            .toArray();
            if (micros.length != load.changes()) {
                throw new BenchException("expected the bare consumer to get " + load.changes() + " records, but it got "
                        + micros.length);
            }
            return VisibilityFigures.quantiles(Measure.VISIBILITY, Latencies.count(micros, like));
        } catch (IOException e) {
            throw new BenchException("the bare consumer ended: " + e.getMessage(), e);
        }
    }

    private void produce(Load load) throws Exception {
        List<Future<RecordMetadata>> sent = new ArrayList<>(load.changes());
        load.send(clock, (burst, due) -> {
            for (int i = 0; i < load.burst(); i++) {
                sent.add(producer.send(BareConsumerMain.record(topic, CustomerRow.ofChange(changes++), due)));
            }
        });
        producer.flush();
        for (Future<RecordMetadata> each : sent) {
            try {
                each.get();
            } catch (ExecutionException e) {
                throw new BenchException("a record was not acknowledged: " + e.getCause(), e);
            }
        }
    }

    private static Map<String, Object> settings(Baseline baseline, String brokers) {
        return Map.ofEntries(
                Map.entry("bootstrap.servers", brokers),
                Map.entry("client.id", "bare-loop"),
                Map.entry("acks", "all"),
                Map.entry("enable.idempotence", true),
                Map.entry("compression.type", "lz4"),
                Map.entry("linger.ms", baseline.lingerMillis()),
                Map.entry("batch.size", 128 * 1024),
                Map.entry("key.serializer", ByteArraySerializer.class),
                Map.entry("value.serializer", ByteArraySerializer.class));
    }
}
