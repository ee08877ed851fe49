package dev.tidemark.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * The valid tokens. Only their digests are kept. Each lookup compares with all of them, byte by byte to the end, so
 * that its duration reveals nothing about any token.
 */
public final class Tokens {
    private final List<Entry> entries;

    /** One token: whose it is, and the SHA-256 of it. Not a record, whose text would show the digest. */
    static final class Entry {
        private final Caller caller;
        private final byte[] digest;

        Entry(Caller caller, byte[] digest) {
            this.caller = caller;
            this.digest = digest.clone();
        }

        boolean isSameToken(Entry other) {
            return MessageDigest.isEqual(digest, other.digest);
        }

        Caller caller() {
            return caller;
        }
    }

    Tokens(List<Entry> entries) {
        this.entries = List.copyOf(entries);
    }

    /** Returns the caller that a token belongs to; empty when it belongs to none. */
    public Optional<Caller> find(String token) {
        byte[] digest = digest(token);
        @Nullable Caller found = null;
        for (Entry entry : entries) {
            // No early end: a hit takes as long as a miss.
            found = MessageDigest.isEqual(digest, entry.digest) ? entry.caller : found;
        }
        return Optional.ofNullable(found);
    }

    static byte[] digest(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Expected every Java to have SHA-256", e);
        }
    }
}
