package dev.tidemark.settings;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.config.types.Password;

/**
 * The settings of the Kafka clients. They come from file, environment and command line only: nothing in a request ever
 * becomes one, because some of them name files, addresses and classes.
 */
public final class KafkaSettings {
    private static final Set<String> SECRETS = Set.of(
            SaslConfigs.SASL_JAAS_CONFIG,
            SslConfigs.SSL_KEY_PASSWORD_CONFIG,
            SslConfigs.SSL_KEYSTORE_PASSWORD_CONFIG,
            SslConfigs.SSL_KEYSTORE_KEY_CONFIG,
            SslConfigs.SSL_TRUSTSTORE_PASSWORD_CONFIG);

    private static final List<String> TRANSACTIONS = List.of(
            ProducerConfig.TRANSACTIONAL_ID_CONFIG,
            ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
            ProducerConfig.TRANSACTION_TWO_PHASE_COMMIT_ENABLE_CONFIG);

    private KafkaSettings() {}

    /**
     * What the user set below {@link SettingsReader#KAFKA_PREFIX}, without that prefix. What is secret is of a type
     * that does not print.
     *
     * @param bootstrap key of the one setting there that has a default
     * @throws BadSettingsException when a setting is one with which the services cannot publish
     */
    public static Map<String, Object> of(AbstractConfig values, String bootstrap) throws BadSettingsException {
        Map<String, Object> settings = new HashMap<>(values.originalsWithPrefix(SettingsReader.KAFKA_PREFIX));
        for (String name : TRANSACTIONS) {
            if (settings.containsKey(name)) {
                throw new BadSettingsException("expected no setting " + SettingsReader.KAFKA_PREFIX + name
                        + ": a producer with it takes records only within transactions of its user, so nothing would"
                        + " be published");
            }
        }
        settings.put(bootstrap.substring(SettingsReader.KAFKA_PREFIX.length()), values.getString(bootstrap));
        settings.replaceAll((key, value) -> SECRETS.contains(key) ? new Password(value.toString()) : value);
        return settings;
    }
}
