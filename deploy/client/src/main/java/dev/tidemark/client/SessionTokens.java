package dev.tidemark.client;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * What a session has written, as one version by table and partition. A query takes one token, so the client joins
 * tokens itself. Programs without this client take a token as opaque. So does this client with a token of a format that
 * it does not know: it sends the last one as it is.
 *
 * <p>A token is URL-safe Base64 of a format byte, the table with the length before it, and a checksum (CRC-32C) at the
 * end. Between them, format 1 has a partition (4 bytes), an epoch and a sequence (8 each) for each partition; formats
 * 2 and 3, of one row, have a partition (2), epoch and sequence in 14 and 50 bits, and the key of the row.
 */
final class SessionTokens {
    private static final byte MANY = 1;
    private static final byte ROW_WRITTEN = 2;
    private static final byte ROW_DELETED = 3;
    private static final Set<Byte> FORMATS = Set.of(MANY, ROW_WRITTEN, ROW_DELETED);
    private static final int SEQUENCE_BITS = 50;
    private static final long LAST_SEQUENCE = 999_999_999_999_999L;
    private static final int VERSION_BYTES = Integer.BYTES + 2 * Long.BYTES;

    private final Map<String, Map<Integer, Version>> tables = new ConcurrentHashMap<>();

    /** Tokens of formats that are not known, by table; newer than the versions of that table. */
    private final Map<String, String> opaque = new ConcurrentHashMap<>();

    private record Version(long epoch, long sequence) {
        /**
         * What covers both. Between two epochs the fact tables went back in time, and the older write may be lost. No
         * index that is still in the older epoch can have the newer one, so the last version of the older epoch stands
         * for both: the service waits until it is in the newer epoch, and then refuses the token.
         */
        Version and(Version other) {
            return epoch == other.epoch
                    ? new Version(epoch, Math.max(sequence, other.sequence))
                    : new Version(Math.min(epoch, other.epoch), LAST_SEQUENCE);
        }
    }

    /** Joins the token of a write that was done to those before. */
    void add(String table, String token) {
        try {
            add(token);
        } catch (IllegalArgumentException e) {
            opaque.put(table, token);
        }
    }

    /**
     * Joins a token to those before.
     *
     * @throws IllegalArgumentException when the text is no token
     */
    void add(String token) {
        try {
            byte[] raw = Base64.getUrlDecoder().decode(token);
            ByteBuffer in = ByteBuffer.wrap(raw, 0, raw.length - Integer.BYTES);
            byte format = in.get();
            byte[] name = new byte[in.get()];
            in.get(name);
            String table = new String(name, StandardCharsets.UTF_8);
            if (!FORMATS.contains(format)) {
                opaque.put(table, token);
            } else {
                tables.merge(table, versions(format, in), SessionTokens::joined);
                opaque.remove(table);
            }
        } catch (BufferUnderflowException | IndexOutOfBoundsException | NegativeArraySizeException e) {
            throw new IllegalArgumentException("expected a token as a write answered it, but got " + token, e);
        }
    }

    private static Map<Integer, Version> versions(byte format, ByteBuffer in) {
        Map<Integer, Version> versions = new TreeMap<>();
        if (format == MANY) {
            while (in.hasRemaining()) {
                versions.put(in.getInt(), new Version(in.getLong(), in.getLong()));
            }
        } else {
            int partition = in.getShort();
            long packed = in.getLong();
            versions.put(partition, new Version(packed >>> SEQUENCE_BITS, packed & ((1L << SEQUENCE_BITS) - 1)));
        }
        return versions;
    }

    private static Map<Integer, Version> joined(Map<Integer, Version> some, Map<Integer, Version> others) {
        Map<Integer, Version> all = new TreeMap<>(some);
        others.forEach((partition, version) -> all.merge(partition, version, Version::and));
        return all;
    }

    /** The token that covers all writes to a table, or the last one of an unknown format; empty where there is none. */
    Optional<String> of(String table) {
        return Optional.ofNullable(opaque.get(table))
                .or(() -> Optional.ofNullable(tables.get(table)).map(versions -> encoded(table, versions)));
    }

    /** One token for each table. */
    List<String> all() {
        return Stream.of(tables, opaque)
                .flatMap(some -> some.keySet().stream())
                .distinct()
                .flatMap(table -> of(table).stream())
                .toList();
    }

    private static String encoded(String table, Map<Integer, Version> versions) {
        byte[] name = table.getBytes(StandardCharsets.UTF_8);
        int length = 2 + name.length + versions.size() * VERSION_BYTES;
        ByteBuffer out = ByteBuffer.allocate(length + Integer.BYTES);
        out.put(MANY).put((byte) name.length).put(name);
        versions.forEach((partition, version) ->
                out.putInt(partition).putLong(version.epoch()).putLong(version.sequence()));
        CRC32C checksum = new CRC32C();
        checksum.update(out.array(), 0, length);
        out.putInt((int) checksum.getValue());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(out.array());
    }
}
