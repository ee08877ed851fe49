package dev.tidemark.testkit;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Secrets that would be noticed if they came out, and the settings of a service that has them all: a token of its
 * callers, a token of its own, the password of a key, and the password of Kafka.
 */
public final class Canaries {
    /** Of a caller who may do everything. */
    public static final String TOKEN = "canary-token-of-callers-51c2";

    private static final String OWN_TOKEN = "canary-token-of-its-own-77ab";
    private static final String SASL_PASSWORD = "canary-sasl-password-90e3";
    private static final String STORE_PASSWORD = "canary-store-password-3d4f";
    private static final List<String> ALL =
            List.of(TOKEN, OWN_TOKEN, SASL_PASSWORD, STORE_PASSWORD, TestCertificates.PASSWORD);

    private Canaries() {}

    /** Settings with every secret, their files below the directory. */
    public static Map<String, String> settings(Path directory) {
        return Map.of(
                "auth.tokens.file",
                SecretFiles.write(
                                directory.resolve("tokens"),
                                "{'tokens':[{'name':'all','token':'" + TOKEN + "','scopes':['*']}]}")
                        .toString(),
                "tls.certificate",
                TestCertificates.put("server.pem", directory).toString(),
                "tls.key",
                TestCertificates.put("server-encrypted.key", directory).toString(),
                "tls.key.password",
                TestCertificates.PASSWORD,
                "kafka.security.protocol",
                "SASL_PLAINTEXT",
                "kafka.sasl.mechanism",
                "PLAIN",
                "kafka.sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"u\" password=\""
                        + SASL_PASSWORD + "\";",
                "kafka.ssl.keystore.password",
                STORE_PASSWORD);
    }

    /** A file with the token that a service shows to another. */
    public static Path ownToken(Path directory) {
        return SecretFiles.write(directory.resolve("own-token"), OWN_TOKEN);
    }

    /** The lines among those given that hold a secret. */
    public static List<String> found(List<String> lines) {
        return lines.stream()
                .filter(line -> ALL.stream().anyMatch(line::contains))
                .toList();
    }

    /** What every thread of this process is doing, as a thread dump shows it. */
    public static List<String> threadDump() {
        return Thread.getAllStackTraces().entrySet().stream()
                .map(entry -> entry.getKey() + " "
                        + Arrays.stream(entry.getValue())
                                .map(StackTraceElement::toString)
                                .collect(Collectors.joining(" ")))
                .toList();
    }
}
