package dev.tidemark.progress;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

import dev.tidemark.row.RowVersion;

/**
 * What a client has written, so that a query can wait for it: per partition of one table, the newest version.
 *
 * <p>As text: URL-safe Base64 of a format byte, the table, the versions, and a checksum that tells a damaged or made-up
 * token from a real one. It is not a secret and grants nothing; a token made up with care can only make its own query
 * wait.
 *
 * @param table the table written to
 * @param versions by partition; empty when nothing was committed
 */
public record SessionToken(String table, Map<Integer, RowVersion> versions) {
    /** Longest text that can be a token. */
    public static final int MAX_TEXT_LENGTH = 32_768;

    private static final byte FORMAT = 1;
    private static final String DAMAGED = "expected a token as a write answered it, but this one is damaged or made up";

    public SessionToken {
        versions = Map.copyOf(versions);
    }

    public static SessionToken of(String table, int partition, RowVersion version) {
        return new SessionToken(table, Map.of(partition, version));
    }

    /** The token that asks for everything both ask for; both must be of one table. */
    public SessionToken with(SessionToken other) {
        if (!table.equals(other.table)) {
            throw new IllegalArgumentException(
                    "Expected tokens of one table, but got " + table + " and " + other.table);
        }
        Map<Integer, RowVersion> merged = new TreeMap<>(versions);
        other.versions.forEach(
                (partition, version) -> merged.merge(partition, version, (a, b) -> a.isAfter(b) ? a : b));
        return new SessionToken(table, merged);
    }

    /** The opaque text that clients see. */
    public String encode() {
        byte[] name = table.getBytes(StandardCharsets.UTF_8);
        int length = 2 + name.length + versions.size() * (Integer.BYTES + 2 * Long.BYTES);
        byte[] raw = new byte[length + Integer.BYTES];
        ByteBuffer out = ByteBuffer.wrap(raw);
        out.put(FORMAT).put((byte) name.length).put(name);
        new TreeMap<>(versions)
                .forEach((partition, version) ->
                        out.putInt(partition).putLong(version.epoch()).putLong(version.sequence()));
        out.putInt(checksum(raw, length));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(raw);
    }

    /**
     * Reads what {@link #encode()} wrote.
     *
     * @throws BadTokenException when no service can have given out this text
     */
    public static SessionToken decode(String text) throws BadTokenException {
        if (text.length() > MAX_TEXT_LENGTH) {
            throw new BadTokenException(
                    "expected a token of at most " + MAX_TEXT_LENGTH + " characters, but got " + text.length());
        }
        try {
            SessionToken token = read(Base64.getUrlDecoder().decode(text));
            // Base64 has several spellings of the same bytes, and the bytes may hold more than a token needs.
            if (token.encode().equals(text)) {
                return token;
            }
        } catch (RuntimeException e) {
            throw new BadTokenException(DAMAGED);
        }
        throw new BadTokenException(DAMAGED);
    }

    private static SessionToken read(byte[] raw) {
        ByteBuffer in = ByteBuffer.wrap(raw);
        int length = raw.length - Integer.BYTES;
        if (in.getInt(length) != checksum(raw, length) || in.get() != FORMAT) {
            throw new IllegalArgumentException("checksum");
        }
        byte[] name = new byte[in.get()];
        in.get(name);
        Map<Integer, RowVersion> versions = new TreeMap<>();
        while (in.position() < length) {
            versions.put(in.getInt(), new RowVersion(in.getLong(), in.getLong()));
        }
        return new SessionToken(new String(name, StandardCharsets.UTF_8), versions);
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
