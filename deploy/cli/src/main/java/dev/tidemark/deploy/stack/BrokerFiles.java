package dev.tidemark.deploy.stack;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

/**
 * The files that a local broker reads. Written at each start, because ports may change; what the broker stores lies in
 * {@code data} beside them and stays.
 */
record BrokerFiles(Path directory) {
    // A single broker has no peers to wait for, so that timeouts are short. After kill -9 the broker waits for the
    // session of its former self before it serves. With a shorter one, a busy machine makes it be taken for dead: then
    // it gives up all its partitions and groups.
    private static final String SERVER = """
        process.roles=broker,controller
        node.id=1
        listeners=CLIENTS://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
        advertised.listeners=CLIENTS://127.0.0.1:%1$d
        listener.security.protocol.map=CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT
        inter.broker.listener.name=CLIENTS
        controller.listener.names=CONTROLLER
        controller.quorum.voters=1@127.0.0.1:%2$d
        auto.create.topics.enable=false
        offsets.topic.replication.factor=1
        offsets.topic.num.partitions=1
        transaction.state.log.replication.factor=1
        transaction.state.log.num.partitions=1
        transaction.state.log.min.isr=1
        share.coordinator.state.topic.replication.factor=1
        share.coordinator.state.topic.num.partitions=1
        share.coordinator.state.topic.min.isr=1
        log.cleaner.dedupe.buffer.size=16777216
        broker.session.timeout.ms=4000
        broker.heartbeat.interval.ms=200
        group.initial.rebalance.delay.ms=0
        group.min.session.timeout.ms=100
        group.consumer.session.timeout.ms=3000
        group.consumer.min.session.timeout.ms=1000
        group.consumer.heartbeat.interval.ms=500
        group.consumer.min.heartbeat.interval.ms=100
        """;
    private static final String LOGGING = """
        status = error
        appender.out.type = Console
        appender.out.name = out
        appender.out.layout.type = PatternLayout
        appender.out.layout.pattern = %d{ISO8601} %-5p %c{1} %m%n
        rootLogger.level = warn
        rootLogger.appenderRef.out.ref = out
        logger.start.name = kafka.server.KafkaRaftServer
        logger.start.level = info
        """;

    Path serverProperties() {
        return directory.resolve("server.properties");
    }

    Path logging() {
        return directory.resolve("log4j2.properties");
    }

    /** Writes both files; the extra settings take the place of others. */
    void write(int port, int controllerPort, Map<String, String> extra) throws IOException {
        Properties settings = new Properties();
        settings.load(new StringReader(SERVER.formatted(port, controllerPort)));
        settings.setProperty("log.dirs", directory.resolve("data").toString());
        settings.putAll(extra);
        Files.createDirectories(directory);
        // By bytes, as Kafka reads it.
        try (OutputStream out = Files.newOutputStream(serverProperties())) {
            settings.store(out, null);
        }
        Files.writeString(logging(), LOGGING);
    }
}
