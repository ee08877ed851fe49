package dev.tidemark.settings;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

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

    private KafkaSettings() {}

    /**
     * What the user set below {@link SettingsReader#KAFKA_PREFIX}, without that prefix. What is secret is of a type that does
     * not print.
     *
     * @param bootstrap key of the one setting there that has a default
     */
    public static Map<String, Object> of(AbstractConfig values, String bootstrap) {
        Map<String, Object> settings = new HashMap<>(values.originalsWithPrefix(SettingsReader.KAFKA_PREFIX));
        settings.put(bootstrap.substring(SettingsReader.KAFKA_PREFIX.length()), values.getString(bootstrap));
        settings.replaceAll((key, value) -> SECRETS.contains(key) ? new Password(value.toString()) : value);
        return settings;
    }
}
