package dev.tidemark.deploy.kafka;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.stack.StackListener;
import dev.tidemark.deploy.stack.StackPorts;
import dev.tidemark.deploy.stack.StackSettings;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.ServiceProcess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LocalBrokerIT {
    private static final String TOPIC = "letters";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    static Path directory = Path.of("");

    private final StackPorts ports = StackPorts.free();
    private LocalStack stack;

    /** The broker of the test before, where that runs. */
    @BeforeEach
    void broker() throws Exception {
        if (stack == null || !stack.isReady(Role.BROKER)) {
            stack = start();
        }
    }

    @AfterAll
    void end() {
        if (stack != null) {
            stack.close();
        }
    }

    @Test
    void keepsWhatWasAcknowledgedThroughKillAndThroughEnd() throws Exception {
        createTopic();
        produce("before the kill");

        stack.child(Role.BROKER).kill();
        assertThat(stack.child(Role.BROKER).awaitEnd(PATIENCE)).isTrue();
        stack.startAgain(Role.BROKER);
        produce("after the kill");
        stack.close();
        stack = start();
        produce("after the end");

        assertThat(consume(3)).containsExactly("before the kill", "after the kill", "after the end");
    }

    @Test
    void refusesToStartBesideAnotherInTheSameDirectory() {
        assertThatThrownBy(this::start).isInstanceOf(StackException.class).hasMessageContaining("another stack uses");
    }

    @Test
    void namesThePortThatIsInUse(@TempDir Path elsewhere) {
        StackSettings settings = StackSettings.of(elsewhere, elsewhere, ports);

        assertThatThrownBy(() -> start(settings))
                .hasMessage("port " + ports.broker() + " for the broker is in use; choose another with --broker-port");
    }

    @Test
    void showsTheEndOfTheLogWhenTheBrokerDoesNotComeUp(@TempDir Path elsewhere) {
        StackSettings settings = StackSettings.of(elsewhere, elsewhere, StackPorts.free())
                .with(Role.BROKER, "num.network.threads", "none");

        assertThatThrownBy(() -> start(settings))
                .hasMessageContaining("the broker ended with exit code 1 while it started")
                .hasMessageContaining("num.network.threads");
        assertThat(elsewhere.resolve("broker.pid")).doesNotExist();
    }

    @Test
    void endsWhenTheOneWhoStartedItIsGone() throws Exception {
        List<String> command = stack.child(Role.BROKER).spec().command();
        stack.close();
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put(ServiceProcess.END_WITH_PARENT, "stdin");
        Process orphan = builder.start();
        try {
            assertThat(BoundedWait.until(() -> stack.isReady(Role.BROKER), PATIENCE, Duration.ofMillis(50)))
                    .isTrue();
            orphan.getOutputStream().close();

            assertThat(orphan.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } finally {
            orphan.destroyForcibly();
        }
    }

    private LocalStack start() throws StackException, InterruptedException {
        return start(StackSettings.of(directory, directory, ports));
    }

    private static LocalStack start(StackSettings settings) throws StackException, InterruptedException {
        return LocalStack.start(
                Installation.locate(), settings, EnumSet.of(Role.BROKER), url -> false, StackListener.SILENT);
    }

    private void createTopic() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", stack.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1)))
                    .all()
                    .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private void produce(String text) throws Exception {
        Map<String, Object> settings = Map.of("bootstrap.servers", stack.bootstrapServers(), "acks", "all");
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(TOPIC, 0, "key", text)).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private List<String> consume(int count) {
        List<String> texts = new ArrayList<>();
        Map<String, Object> settings = Map.of("bootstrap.servers", stack.bootstrapServers());
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            TopicPartition partition = new TopicPartition(TOPIC, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            for (int i = 0; i < 100 && texts.size() < count; i++) {
                consumer.poll(Duration.ofMillis(300)).forEach(letter -> texts.add(letter.value()));
            }
        }
        return texts;
    }
}
