package dev.tidemark.progress;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.CRC32C;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;

/**
 * What a client has written, so that a query can wait for it: the newest version per partition of one table. The token
 * of one row names that row, so that it is a receipt too.
 *
 * <p>As text, a token is URL-safe Base64 of a format byte, the table, the versions or the one row, and a checksum. The
 * checksum detects a damaged or made-up token. A token is not a secret and grants nothing; a carefully forged one can
 * only make its own query wait.
 *
 * @param table the table written to
 * @param versions by partition; empty when nothing was committed
 * @param row the row written, where it was one
 */
public record SessionToken(String table, Map<Integer, RowVersion> versions, Optional<WrittenRow> row) {
    /** Longest text that can be a token. */
    public static final int MAX_TEXT_LENGTH = 32_768;

    private static final byte MANY = 1;
    private static final byte ROW_WRITTEN = 2;
    private static final byte ROW_DELETED = 3;
    /** An epoch and a sequence share a long. */
    private static final int SEQUENCE_BITS = 50;

    private static final String DAMAGED = "expected a token as a write answered it, but this one is damaged or made up";

    /**
     * A row that was written.
     *
     * @param key its encoded primary key
     * @param deleted whether it was deleted
     */
    public record WrittenRow(KeyBytes key, boolean deleted) {}

    public SessionToken {
        versions = Map.copyOf(versions);
        if (row.isPresent() && versions.size() != 1) {
            throw new IllegalArgumentException("Expected one version of the row written, but got " + versions);
        }
    }

    public SessionToken(String table, Map<Integer, RowVersion> versions) {
        this(table, versions, Optional.empty());
    }

    public static SessionToken of(String table, int partition, RowVersion version) {
        return new SessionToken(table, Map.of(partition, version));
    }

    /** The token of one row. */
    public static SessionToken of(String table, int partition, RowVersion version, WrittenRow row) {
        return new SessionToken(table, Map.of(partition, version), Optional.of(row));
    }

    /** The opaque text that clients see. */
    public String encode() {
        byte[] name = table.getBytes(StandardCharsets.UTF_8);
        byte[] content = row.map(written -> ofRow(name, written)).orElseGet(() -> ofMany(name));
        byte[] raw = Arrays.copyOf(content, content.length + Integer.BYTES);
        ByteBuffer.wrap(raw).putInt(content.length, checksum(raw, content.length));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(raw);
    }

    private byte[] ofMany(byte[] name) {
        ByteBuffer out = ByteBuffer.allocate(2 + name.length + versions.size() * (Integer.BYTES + 2 * Long.BYTES));
        out.put(MANY).put((byte) name.length).put(name);
        new TreeMap<>(versions)
                .forEach((partition, version) ->
                        out.putInt(partition).putLong(version.epoch()).putLong(version.sequence()));
        return out.array();
    }

    private byte[] ofRow(byte[] name, WrittenRow written) {
        ByteBuffer out = ByteBuffer.allocate(
                2 + name.length + Short.BYTES + Long.BYTES + written.key().length());
        out.put(written.deleted() ? ROW_DELETED : ROW_WRITTEN)
                .put((byte) name.length)
                .put(name);
        versions.forEach((partition, version) ->
                out.putShort(partition.shortValue()).putLong(version.epoch() << SEQUENCE_BITS | version.sequence()));
        return out.put(written.key().array()).array();
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

    private static SessionToken read(byte[] raw) throws BadTokenException {
        ByteBuffer in = ByteBuffer.wrap(raw);
        int length = raw.length - Integer.BYTES;
        if (in.getInt(length) != checksum(raw, length)) {
            throw new IllegalArgumentException("checksum");
        }
        in.limit(length);
        byte format = in.get();
        byte[] name = new byte[in.get()];
        in.get(name);
        String table = new String(name, StandardCharsets.UTF_8);
        return switch (format) {
            case MANY -> new SessionToken(table, versions(in));
            case ROW_WRITTEN, ROW_DELETED -> row(table, in, format == ROW_DELETED);
            default ->
                throw new BadTokenException("expected a token of format " + MANY + " to " + ROW_DELETED
                        + ", but got format " + format + ", which a newer version of the writer may give out");
        };
    }

    private static Map<Integer, RowVersion> versions(ByteBuffer in) {
        Map<Integer, RowVersion> versions = new TreeMap<>();
        while (in.hasRemaining()) {
            versions.put(in.getInt(), new RowVersion(in.getLong(), in.getLong()));
        }
        return versions;
    }

    private static SessionToken row(String table, ByteBuffer in, boolean deleted) {
        int partition = in.getShort();
        long packed = in.getLong();
        RowVersion version = new RowVersion(packed >>> SEQUENCE_BITS, packed & (1L << SEQUENCE_BITS) - 1);
        byte[] key = new byte[in.remaining()];
        in.get(key);
        return of(table, partition, version, new WrittenRow(KeyBytes.wrap(key), deleted));
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
