package dev.tidemark.deploy.kubernetes;

import java.util.List;

import io.fabric8.kubernetes.api.model.SecretKeySelector;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.strimzi.api.kafka.model.kafka.Kafka;
import io.strimzi.api.kafka.model.user.KafkaUser;
import org.junit.jupiter.api.Test;

import dev.tidemark.deploy.e2e.kafka.KafkaRights;
import dev.tidemark.testkit.SourceTree;

import static org.assertj.core.api.Assertions.assertThat;

/** Each service has a user in Kafka, whose rights the security page lists. */
class KafkaUsersTest {
    private final List<KafkaUser> users = Manifests.all(KafkaUser.class);

    @Test
    void theSecurityPageHasEveryRightAndNoOther() {
        List<String> documented = SourceTree.lines(SourceTree.ofProject().root().resolve("docs/security.md")).stream()
                .filter(line -> line.startsWith("| `tidemark-"))
                .map(line -> line.substring(0, line.lastIndexOf('|', line.length() - 2) + 1))
                .toList();
        assertThat(documented).containsExactlyElementsOf(KafkaRights.lines());
    }

    @Test
    void eachServiceProvesItsNameWithTheSecretOfItsUser() {
        Kafka kafka = Manifests.all(Kafka.class).get(0);
        List<String> secrets = Manifests.all(StatefulSet.class).stream()
                .flatMap(set -> new Pod(set).container().getEnv().stream())
                .filter(variable -> variable.getName().endsWith("_KAFKA_SASL_JAAS_CONFIG"))
                .map(variable -> {
                    SecretKeySelector secret = variable.getValueFrom().getSecretKeyRef();
                    assertThat(secret.getKey()).isEqualTo("sasl.jaas.config");
                    return secret.getName();
                })
                .toList();
        assertThat(users)
                .allSatisfy(user -> {
                    assertThat(user.getSpec().getAuthentication().getType())
                            .isEqualTo(kafka.getSpec()
                                    .getKafka()
                                    .getListeners()
                                    .get(0)
                                    .getAuth()
                                    .getType());
                    assertThat(user.getMetadata().getLabels())
                            .containsEntry(
                                    "strimzi.io/cluster", kafka.getMetadata().getName());
                })
                .extracting(user -> user.getMetadata().getName())
                .containsExactlyElementsOf(secrets);
    }
}
