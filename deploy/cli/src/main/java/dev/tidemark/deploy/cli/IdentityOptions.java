package dev.tidemark.deploy.cli;

import java.nio.file.Path;
import java.util.Optional;

import picocli.CommandLine.Option;

import dev.tidemark.deploy.client.ClientIdentity;

/** What a client command shows to services that ask for it. */
public final class IdentityOptions {
    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            defaultValue = "${env:TIDEMARK_TOKEN_FILE:-}",
            description = "File with the token to show, for its owner alone (default: $TIDEMARK_TOKEN_FILE, or none).")
    private Path token = Path.of("");

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            defaultValue = "${env:TIDEMARK_CA:-}",
            description = "Certificates that sign the services', PEM (default: $TIDEMARK_CA, or those of Java).")
    private Path ca = Path.of("");

    @Option(
            names = "--certificate",
            paramLabel = "FILE",
            defaultValue = "${env:TIDEMARK_CERTIFICATE:-}",
            description = "Certificate to show, PEM, where one is asked for (default: $TIDEMARK_CERTIFICATE).")
    private Path certificate = Path.of("");

    @Option(
            names = "--key",
            paramLabel = "FILE",
            defaultValue = "${env:TIDEMARK_KEY:-}",
            description = "Key of that certificate, PKCS #8 in PEM (default: $TIDEMARK_KEY).")
    private Path key = Path.of("");

    /** The files that the options name. */
    public ClientIdentity identity() {
        return new ClientIdentity(given(token), given(ca), given(certificate), given(key));
    }

    private static Optional<Path> given(Path file) {
        return file.toString().isEmpty() ? Optional.empty() : Optional.of(file);
    }
}
