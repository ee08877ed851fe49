package dev.tidemark.http;

import java.nio.file.Path;
import java.util.Optional;

import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.types.Password;

import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.tls.TlsFiles;

/**
 * Who may reach a service and what is asked of them; and what the service shows when it calls another.
 *
 * @param insecure whether the user wants to listen on any address without TLS and authentication
 * @param tokens file of the tokens that are asked for; empty to ask for none
 * @param server what clients see, and which certificates of theirs are asked for; no files for plain HTTP
 * @param client whom the service trusts when it calls another, and what it shows to it
 * @param ownToken file of the token that the service shows to the writer
 * @param peerToken file of the token that a worker shows to other workers
 */
public record SecuritySettings(
        boolean insecure,
        Optional<Path> tokens,
        TlsFiles server,
        TlsFiles client,
        Optional<Path> ownToken,
        Optional<Path> peerToken) {
    private static final TlsFiles NONE =
            new TlsFiles(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /** Plain HTTP without tokens. */
    public static final SecuritySettings OPEN =
            new SecuritySettings(false, Optional.empty(), NONE, NONE, Optional.empty(), Optional.empty());

    private static final String INSECURE = "http.insecure";
    private static final String TOKENS = "auth.tokens.file";
    private static final String CERTIFICATE = "tls.certificate";
    private static final String KEY = "tls.key";
    private static final String KEY_PASSWORD = "tls.key.password";
    private static final String CLIENT_CA = "tls.client.ca";
    private static final String CA = "tls.ca";
    private static final String OWN_TOKEN = "writer.token.file";
    private static final String PEER_TOKEN = "peer.token.file";

    /** Defines what each service has. */
    public static void define(ConfigDef definition) {
        definition.define(
                INSECURE,
                ConfigDef.Type.BOOLEAN,
                false,
                Importance.LOW,
                "true: listen on any address, even without TLS and authentication. Anyone who reaches the port may then read"
                        + " and change everything.");
        file(
                definition,
                TOKENS,
                "Tokens that callers must show, and what each allows, as JSON or YAML. For its owner alone (chmod 600)."
                        + " Read again when it changes. None: no token is required.");
        file(definition, CERTIFICATE, "Certificate of the service and those that signed it, PEM. None: plain HTTP.");
        file(definition, KEY, "Key of the certificate, PKCS #8 in PEM, for its owner alone (chmod 600).");
        definition.define(
                KEY_PASSWORD,
                ConfigDef.Type.PASSWORD,
                "",
                Importance.LOW,
                "Password of the key, where it is encrypted. Better in a file or the environment than on a command line.");
        file(
                definition,
                CLIENT_CA,
                "Clients must show a certificate that one of these signed, PEM. None: they need none.");
    }

    /** Defines what a service has that calls the writer. */
    public static void defineCaller(ConfigDef definition) {
        defineTrust(
                definition,
                "Certificates that sign the writer's and those of other workers, PEM. None: those that Java trusts. To who"
                        + " asks for one, tls.certificate is shown.");
        file(
                definition,
                OWN_TOKEN,
                "The token that is shown to the writer, alone in its file (chmod 600). It needs the scopes facts:* and"
                        + " admin there.");
        file(
                definition,
                PEER_TOKEN,
                "The token that is shown to other workers, alone in its file (chmod 600). It needs the scope peer there.");
    }

    /** Defines whom a service trusts that calls others. */
    public static void defineTrust(ConfigDef definition, String meaning) {
        file(definition, CA, meaning);
    }

    /**
     * The settings in the given values.
     *
     * @throws BadSettingsException when they contradict each other
     */
    public static SecuritySettings of(AbstractConfig values) throws BadSettingsException {
        Password password = values.getPassword(KEY_PASSWORD);
        Optional<String> opening = Optional.of(password.value()).filter(text -> !text.isEmpty());
        Optional<Path> certificate = path(values, CERTIFICATE);
        Optional<Path> key = path(values, KEY);
        Optional<Path> clients = path(values, CLIENT_CA);
        if (certificate.isPresent() != key.isPresent()) {
            throw new BadSettingsException(
                    "expected " + CERTIFICATE + " and " + KEY + " together, but got one of them");
        }
        if (clients.isPresent() && certificate.isEmpty()) {
            throw new BadSettingsException("expected " + CERTIFICATE + " beside " + CLIENT_CA
                    + ", because clients show certificates in TLS only");
        }
        return new SecuritySettings(
                values.getBoolean(INSECURE),
                path(values, TOKENS),
                new TlsFiles(certificate, key, opening, clients),
                new TlsFiles(certificate, key, opening, ifDefined(values, CA)),
                ifDefined(values, OWN_TOKEN),
                ifDefined(values, PEER_TOKEN));
    }

    /** Whether callers must show tokens or certificates, over TLS. */
    public boolean isClosed() {
        return server.certificate().isPresent()
                && (tokens.isPresent() || server.trusted().isPresent());
    }

    private static void file(ConfigDef definition, String key, String meaning) {
        definition.define(key, ConfigDef.Type.STRING, "", Importance.MEDIUM, meaning);
    }

    private static Optional<Path> ifDefined(AbstractConfig values, String key) {
        return values.values().containsKey(key) ? path(values, key) : Optional.empty();
    }

    private static Optional<Path> path(AbstractConfig values, String key) {
        return Optional.of(values.getString(key))
                .filter(text -> !text.isBlank())
                .map(Path::of);
    }
}
