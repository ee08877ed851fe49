package dev.tidemark.worker.http;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.key.Order;
import dev.tidemark.progress.IndexHealth;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.query.BadQueryException;
import dev.tidemark.worker.query.Freshness;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.query.IndexQuery;
import dev.tidemark.worker.query.NoMemoryException;
import dev.tidemark.worker.query.PageMemory;
import dev.tidemark.worker.query.QueryLimits;
import dev.tidemark.worker.query.QueryResult;
import dev.tidemark.worker.query.ReadConsistency;

import static dev.tidemark.worker.http.JsonValues.object;

/**
 * Parts of questions between workers, as JSON, and their answers, as bytes. All workers of a deployment must have the
 * same form of answers; another one is refused.
 */
final class PeerCodec {
    static final byte FORM = 2;

    /** What an entry has beside its content. */
    private static final int ENTRY_BYTES = 32;

    private static final int HEAD_BYTES = 4_096;

    private PeerCodec() {}

    /** A part of a question. */
    static ObjectNode question(IndexQuery part) {
        ObjectNode json = object().put("index", part.index().definition().qualifiedName())
                .put("generation", part.index().generation().id());
        part.partitions().forEach(json.putArray("partitions")::add);
        KeyBytes end = part.range().toExclusive();
        json.put("from", text(part.range().fromInclusive())).put("to", end == null ? null : text(end));
        json.put("order", part.order().name().toLowerCase(Locale.ROOT)).put("limit", part.limit());
        json.put("after", part.after().map(PeerCodec::text).orElse(null));
        ReadConsistency demand = part.demand();
        versions(json.putObject("versions"), demand.versions());
        versions(json.putObject("seen"), demand.seen());
        json.put("maxStaleness", demand.maxStaleness().map(Duration::toString).orElse(null));
        return json.put("wait", demand.patience().toString());
    }

    /**
     * The part of a question to an index.
     *
     * @throws BadQueryException when it cannot be read, or is beyond the limits
     */
    static IndexQuery question(JsonNode json, IndexNames.Found index, QueryLimits limits) throws BadQueryException {
        SortedSet<Integer> partitions = new TreeSet<>();
        json.path("partitions").forEach(partition -> partitions.add(partition.asInt(-1)));
        int limit = json.path("limit").asInt();
        if (!index.partitions().containsAll(partitions) || partitions.isEmpty() || limit < 1 || limit > limits.page()) {
            throw new BadQueryException(
                    "expected some of the " + index.home().partitions() + " partitions and a limit from 1 to "
                            + limits.page() + ", but got " + partitions + " and " + limit);
        }
        try {
            Duration wait = Duration.parse(json.path("wait").asText());
            ReadConsistency demand = new ReadConsistency(
                    versions(json.path("versions")),
                    versions(json.path("seen")),
                    string(json.path("maxStaleness")).map(Duration::parse),
                    wait.compareTo(limits.longestWait()) > 0 ? limits.longestWait() : wait);
            KeyRange range = new KeyRange(
                    key(json.path("from")).orElse(KeyBytes.EMPTY),
                    key(json.path("to")).orElse(null));
            return new IndexQuery(
                    index,
                    partitions,
                    range,
                    json.path("order").asText().equals("desc") ? Order.DESC : Order.ASC,
                    key(json.path("after")),
                    limit,
                    false,
                    false,
                    demand);
        } catch (DateTimeException | IllegalArgumentException e) {
            throw new BadQueryException("expected a part of a question as workers send it, but " + e.getMessage());
        }
    }

    /** About how many bytes an answer takes. */
    static long bytes(QueryResult answer) {
        return HEAD_BYTES
                + answer.contentBytes()
                + (long) ENTRY_BYTES * answer.entries().size();
    }

    /** An answer. */
    static byte[] answer(QueryResult answer) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(Math.toIntExact(bytes(answer)));
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORM);
            write(out, answer.freshness());
            out.writeInt(answer.through().size());
            for (Map.Entry<Integer, RowVersion> each : answer.through().entrySet()) {
                out.writeInt(each.getKey());
                write(out, each.getValue());
            }
            out.writeBoolean(answer.next().isPresent());
            out.writeUTF(answer.next().orElse(""));
            out.writeInt(answer.entries().size());
            for (QueryResult.Entry entry : answer.entries()) {
                write(out, entry.whole());
                out.writeInt(entry.shard());
                write(out, entry.version());
                write(out, entry.carried());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /**
     * The answer in some bytes.
     *
     * @param part what was asked
     * @param room the memory that it holds, with that of the bytes
     * @throws IOException when they are none
     * @throws NoMemoryException when there is no memory left for its entries
     */
    static QueryResult answer(byte[] bytes, IndexQuery part, PageMemory room) throws IOException, NoMemoryException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            if (in.readByte() != FORM) {
                throw new IOException("expected an answer of form " + FORM + "; are all workers of one version?");
            }
            Freshness freshness = freshness(in);
            SortedMap<Integer, RowVersion> through = new TreeMap<>();
            for (int left = in.readInt(); left > 0; left--) {
                through.put(in.readInt(), version(in));
            }
            boolean more = in.readBoolean();
            String next = in.readUTF();
            return new QueryResult(
                    entries(in, part, room),
                    Optional.of(next).filter(cursor -> more),
                    Optional.empty(),
                    through,
                    freshness,
                    room);
        } catch (MalformedKeyException | IllegalArgumentException | DateTimeException | ArithmeticException e) {
            throw new IOException("expected an answer of another worker, but " + e.getMessage(), e);
        }
    }

    private static List<QueryResult.Entry> entries(DataInputStream in, IndexQuery part, PageMemory room)
            throws IOException, NoMemoryException, MalformedKeyException {
        int count = in.readInt();
        if (count > part.limit()) {
            throw new IOException("expected at most " + part.limit() + " entries, but got " + count);
        }
        List<QueryResult.Entry> entries = new ArrayList<>();
        for (int left = count; left > 0; left--) {
            KeyBytes key = key(in);
            // What it carries has taken its memory with the bytes of the answer.
            if (!room.takeEntry(key.length(), 0)) {
                throw new NoMemoryException();
            }
            entries.add(QueryResult.Entry.of(part.index(), key, in.readInt(), version(in), key(in)));
        }
        return entries;
    }

    private static void write(DataOutputStream out, Freshness freshness) throws IOException {
        write(out, freshness.completeUpTo().map(time -> Duration.between(Instant.EPOCH, time)));
        write(out, freshness.staleness());
        out.writeUTF(freshness.state().name());
        out.writeLong(freshness.refused());
        out.writeLong(freshness.quarantined().count());
        out.writeInt(freshness.quarantined().rows().size());
        for (Freshness.Quarantined.Row row : freshness.quarantined().rows()) {
            write(out, row.key());
            out.writeInt(row.partition());
            write(out, KeyBytes.wrap(row.reason().getBytes(StandardCharsets.UTF_8)));
        }
    }

    private static Freshness freshness(DataInputStream in) throws IOException {
        Optional<Instant> completeUpTo = duration(in).map(Instant.EPOCH::plus);
        Optional<Duration> staleness = duration(in);
        IndexHealth state = IndexHealth.valueOf(in.readUTF());
        long refused = in.readLong();
        long count = in.readLong();
        List<Freshness.Quarantined.Row> rows = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            KeyBytes key = key(in);
            int partition = in.readInt();
            String reason = new String(key(in).array(), StandardCharsets.UTF_8);
            rows.add(new Freshness.Quarantined.Row(key, partition, reason));
        }
        return new Freshness(
                completeUpTo, staleness, state, List.of(), new Freshness.Quarantined(count, rows), refused);
    }

    private static void write(DataOutputStream out, Optional<Duration> time) throws IOException {
        out.writeBoolean(time.isPresent());
        out.writeLong(time.map(Duration::getSeconds).orElse(0L));
        out.writeInt(time.map(Duration::getNano).orElse(0));
    }

    private static Optional<Duration> duration(DataInputStream in) throws IOException {
        boolean known = in.readBoolean();
        Duration time = Duration.ofSeconds(in.readLong(), in.readInt());
        return Optional.of(time).filter(any -> known);
    }

    private static void write(DataOutputStream out, RowVersion version) throws IOException {
        out.writeShort((short) version.epoch());
        out.writeLong(version.sequence());
    }

    private static RowVersion version(DataInputStream in) throws IOException {
        return new RowVersion(in.readShort(), in.readLong());
    }

    private static void write(DataOutputStream out, KeyBytes key) throws IOException {
        out.writeInt(key.length());
        out.write(key.array());
    }

    private static KeyBytes key(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new IOException("expected a length of at most " + in.available() + " bytes, but got " + length);
        }
        return KeyBytes.wrap(in.readNBytes(length));
    }

    private static void versions(ObjectNode json, Map<Integer, RowVersion> versions) {
        new TreeMap<>(versions).forEach((partition, version) -> json.put(partition.toString(), version.toString()));
    }

    private static Map<Integer, RowVersion> versions(JsonNode json) {
        Map<Integer, RowVersion> versions = new TreeMap<>();
        json.properties()
                .forEach(each -> versions.put(
                        Integer.valueOf(each.getKey()),
                        RowVersion.parse(each.getValue().asText())));
        return versions;
    }

    private static String text(KeyBytes key) {
        return Base64.getEncoder().encodeToString(key.array());
    }

    private static Optional<KeyBytes> key(JsonNode json) {
        return string(json).map(text -> KeyBytes.wrap(Base64.getDecoder().decode(text)));
    }

    private static Optional<String> string(JsonNode json) {
        return Optional.ofNullable(json.textValue());
    }
}
