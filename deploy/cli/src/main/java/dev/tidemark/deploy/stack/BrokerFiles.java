package dev.tidemark.deploy.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The files that a local broker reads. Written at each start, because ports may change; what the broker stores lies in
 * {@code data} beside them and stays.
 */
final class BrokerFiles {
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

    private final Path directory;

    BrokerFiles(Path directory) {
        this.directory = directory;
    }

    Path serverProperties() {
        return directory.resolve("server.properties");
    }

    Path logging() {
        return directory.resolve("log4j2.properties");
    }

    /** Writes both files; the extra settings replace the usual ones. */
    void write(int port, int controllerPort, Map<String, String> extra) throws IOException {
        Map<String, String> settings = settings(port, controllerPort);
        settings.putAll(extra);
        Files.createDirectories(directory);
        Files.writeString(
                serverProperties(),
                settings.entrySet().stream()
                        .map(setting -> setting.getKey() + "=" + setting.getValue())
                        .collect(Collectors.joining("\n", "", "\n")));
        Files.writeString(logging(), LOGGING);
    }

    private Map<String, String> settings(int port, int controllerPort) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("process.roles", "broker,controller");
        settings.put("node.id", "1");
        settings.put("listeners", "CLIENTS://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort);
        settings.put("advertised.listeners", "CLIENTS://127.0.0.1:" + port);
        settings.put("listener.security.protocol.map", "CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT");
        settings.put("inter.broker.listener.name", "CLIENTS");
        settings.put("controller.listener.names", "CONTROLLER");
        settings.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
        settings.put("log.dirs", directory.resolve("data").toString());
        settings.put("auto.create.topics.enable", "false");
        for (String topic : new String[] {"offsets.topic", "transaction.state.log", "share.coordinator.state.topic"}) {
            settings.put(topic + ".replication.factor", "1");
            settings.put(topic + ".num.partitions", "1");
        }
        settings.put("transaction.state.log.min.isr", "1");
        settings.put("share.coordinator.state.topic.min.isr", "1");
        settings.put("log.cleaner.dedupe.buffer.size", "16777216");
        putTimeouts(settings);
        return settings;
    }

    /** Shortens the timeouts: a single broker has no peers to wait for. */
    private static void putTimeouts(Map<String, String> settings) {
        // After kill -9 the broker waits for the session of its former self before it serves. Shorter, and a busy
        // machine makes it be taken for dead: then it gives up all its partitions and groups.
        settings.put("broker.session.timeout.ms", "4000");
        settings.put("broker.heartbeat.interval.ms", "200");
        settings.put("group.initial.rebalance.delay.ms", "0");
        settings.put("group.min.session.timeout.ms", "100");
        settings.put("group.consumer.session.timeout.ms", "3000");
        settings.put("group.consumer.min.session.timeout.ms", "1000");
        settings.put("group.consumer.heartbeat.interval.ms", "500");
        settings.put("group.consumer.min.heartbeat.interval.ms", "100");
    }
}
