package dev.tidemark.deploy.client;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What a client shows to the services, and whom it trusts to be them.
 *
 * @param token file that holds the token
 * @param ca file of the certificates that sign theirs, PEM; empty for those that Java trusts
 * @param certificate file of the client's certificate, PEM; present together with {@code key} or not at all
 * @param key file of the key, PKCS #8 in PEM
 */
public record ClientIdentity(Optional<Path> token, Optional<Path> ca, Optional<Path> certificate, Optional<Path> key) {
    /** Shows nothing. */
    public static final ClientIdentity NONE =
            new ClientIdentity(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
}
