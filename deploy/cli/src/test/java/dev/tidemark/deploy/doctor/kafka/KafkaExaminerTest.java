package dev.tidemark.deploy.doctor.kafka;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.Test;

import dev.tidemark.deploy.doctor.KafkaFacts;
import dev.tidemark.deploy.doctor.KafkaFacts.Obstacle;
import dev.tidemark.deploy.doctor.KafkaLook;

import static org.assertj.core.api.Assertions.assertThat;

class KafkaExaminerTest {
    @Test
    void namesAPortWhereNothingListens() throws Exception {
        int port;
        try (ServerSocket free = open()) {
            port = free.getLocalPort();
        }

        assertThat(looked("127.0.0.1:" + port, Map.of()))
                .returns(Obstacle.CLOSED, KafkaFacts.Unreached::obstacle)
                .satisfies(found -> assertThat(found.detail()).contains("nothing listens at 127.0.0.1:" + port));
    }

    @Test
    void namesAHostThatDoesNotResolveAndTextThatIsNoServer() throws Exception {
        assertThat(looked("no-such-host.invalid:9092", Map.of()))
                .returns(Obstacle.NAME, KafkaFacts.Unreached::obstacle)
                .satisfies(found -> assertThat(found.detail()).contains("no-such-host.invalid"));
        assertThat(looked("kafka", Map.of()).obstacle()).isEqualTo(Obstacle.NAME);
    }

    @Test
    void aPortThatIsSilentIsNotClosed() throws Exception {
        try (ServerSocket silent = open()) {
            Map<String, Object> hasty = Map.of("request.timeout.ms", "500", "default.api.timeout.ms", "500");

            assertThat(looked("127.0.0.1:" + silent.getLocalPort(), hasty).obstacle())
                    .isEqualTo(Obstacle.SILENT);
        }
    }

    @Test
    void quotesNothingOfALineWithAPassword() throws Exception {
        try (ServerSocket silent = open()) {
            Map<String, Object> broken = Map.of(
                    "security.protocol",
                    "SASL_PLAINTEXT",
                    "sasl.mechanism",
                    "PLAIN",
                    "sasl.jaas.config",
                    new Password("Module required password=hunter2 secret"));

            assertThat(looked("127.0.0.1:" + silent.getLocalPort(), broken))
                    .returns(Obstacle.SETTINGS, KafkaFacts.Unreached::obstacle)
                    .returns("sasl.jaas.config cannot be read", KafkaFacts.Unreached::detail);
        }
    }

    private static ServerSocket open() throws Exception {
        return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    private static KafkaFacts.Unreached looked(String servers, Map<String, Object> more) throws Exception {
        Map<String, Object> settings = new HashMap<>(more);
        settings.put("bootstrap.servers", servers);
        KafkaLook.Question question = new KafkaLook.Question(settings, Map.of(), Optional.empty(), "group");
        return (KafkaFacts.Unreached) new KafkaExaminer().look(question);
    }
}
