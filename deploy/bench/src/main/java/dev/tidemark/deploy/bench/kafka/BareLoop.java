package dev.tidemark.deploy.bench.kafka;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

import dev.tidemark.deploy.bench.Baseline;
import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.BenchJars;
import dev.tidemark.deploy.bench.CustomerRow;
import dev.tidemark.deploy.bench.Latencies;
import dev.tidemark.deploy.bench.Load;
import dev.tidemark.deploy.bench.MeasuredSystem;
import dev.tidemark.deploy.bench.OpenLoop;
import dev.tidemark.deploy.bench.Round;
import dev.tidemark.deploy.stack.Installation;

/**
 * A producer, and a consumer in another process, with nothing between them but the broker.
 *
 * <p>A latency counts from when a record was due to be handed to the producer until the poll that brings it returns.
 */
public final class BareLoop implements MeasuredSystem {
    private final String topic;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Process consumer;
    private final BufferedReader answers;
    private final BufferedWriter questions;
    private final Latencies like;
    private final Clock clock;
    private long changes;

    private BareLoop(
            String topic, KafkaProducer<byte[], byte[]> producer, Process consumer, Latencies like, Clock clock) {
        this.topic = topic;
        this.producer = producer;
        this.consumer = consumer;
        this.answers = consumer.inputReader();
        this.questions = consumer.outputWriter();
        this.like = like;
        this.clock = clock;
    }

    /**
     * Makes the topic and starts both ends.
     *
     * @param log what the consumer complains of
     * @param like the histogram whose bounds are to be used
     */
    public static BareLoop start(
            Baseline peer, Installation installation, String brokers, Path log, Latencies like, Clock clock)
            throws BenchException, InterruptedException {
        String topic = "bare-loop-" + peer.lingerMillis();
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, brokers))) {
            admin.createTopics(List.of(new NewTopic(topic, Optional.of(BareRecords.PARTITIONS), Optional.empty())))
                    .all()
                    .get();
            Process consumer = new ProcessBuilder(command(installation, brokers, topic))
                    .redirectError(log.toFile())
                    .start();
            return new BareLoop(topic, new KafkaProducer<>(settings(peer, brokers)), consumer, like, clock);
        } catch (ExecutionException | IOException e) {
            throw new BenchException("the bare loop could not be started: " + e.getMessage(), e);
        }
    }

    @Override
    public Round run(Load load) throws BenchException, InterruptedException {
        try {
            questions.write(load.changes() + "\n");
            questions.flush();
            expect("ready", answers.readLine());
            produce(load);
            String line = answers.readLine();
            long[] micros = line == null || line.isEmpty()
                    ? new long[0]
                    : Arrays.stream(line.split(" ", -1))
                            .mapToLong(Long::parseLong)
                            .toArray();
            if (micros.length != load.changes()) {
                throw new BenchException("expected the bare consumer to get " + load.changes() + " records, but it got "
                        + micros.length);
            }
            return Round.of(Round.Quantiles.of(Latencies.count(micros, like)));
        } catch (IOException e) {
            throw new BenchException("the bare consumer ended: " + e.getMessage(), e);
        }
    }

    /** Ends both. */
    @Override
    public void close() {
        producer.close();
        try {
            questions.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            consumer.destroy();
        }
    }

    private void produce(Load load) throws BenchException, InterruptedException {
        List<Future<RecordMetadata>> sent = new ArrayList<>(load.changes());
        new OpenLoop(clock).run(load, (burst, due) -> {
            for (int i = 0; i < load.burst(); i++) {
                sent.add(producer.send(BareRecords.of(topic, CustomerRow.ofChange(changes++), due)));
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

    private static void expect(String wanted, @Nullable String line) throws BenchException {
        if (!wanted.equals(line)) {
            throw new BenchException("expected the bare consumer to say " + wanted + ", but got " + line);
        }
    }

    private static Map<String, Object> settings(Baseline peer, String brokers) {
        return Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                brokers,
                ProducerConfig.CLIENT_ID_CONFIG,
                "bare-loop",
                ProducerConfig.ACKS_CONFIG,
                "all",
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                true,
                ProducerConfig.COMPRESSION_TYPE_CONFIG,
                "lz4",
                ProducerConfig.LINGER_MS_CONFIG,
                peer.lingerMillis(),
                ProducerConfig.BATCH_SIZE_CONFIG,
                128 * 1024,
                ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
                ByteArraySerializer.class,
                ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
                ByteArraySerializer.class);
    }

    private static List<String> command(Installation installation, String brokers, String topic) {
        return List.of(
                installation.java().toString(),
                "-Xshare:auto",
                "-Xms64m",
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-cp",
                BenchJars.classPath(installation),
                BareConsumerMain.class.getName(),
                brokers,
                topic);
    }
}
