package dev.tidemark.deploy.fuzz;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.CatalogException;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.UpsertReader;
import dev.tidemark.change.WireRecord;
import dev.tidemark.digest.Digest;
import dev.tidemark.digest.EntryDigest;
import dev.tidemark.facts.FactStreamHead;
import dev.tidemark.facts.FactStreamReader;
import dev.tidemark.facts.FactStreamWriter;
import dev.tidemark.facts.StreamedFact;
import dev.tidemark.facts.TornStreamException;
import dev.tidemark.fuzz.FuzzTarget;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowJson;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.worker.apply.DerivedRow;
import dev.tidemark.worker.apply.RowDeriver;
import dev.tidemark.writer.commit.CommitOutcome;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.CommitterLimits;
import dev.tidemark.writer.commit.DigestKey;
import dev.tidemark.writer.commit.FactDigests;
import dev.tidemark.writer.commit.Precondition;
import dev.tidemark.writer.commit.QueueFullException;
import dev.tidemark.writer.commit.RowRules;
import dev.tidemark.writer.commit.StoredRow;
import dev.tidemark.writer.commit.TableDigestBuilder;
import dev.tidemark.writer.commit.WriteCommand;
import dev.tidemark.writer.commit.WriteRequest;
import dev.tidemark.writer.commit.WritesRefusedException;
import dev.tidemark.writer.testkit.WriterStores;

/**
 * The way of a row: accepted, committed, stored, published, read and derived by a worker, patched, deleted. What is
 * accepted must come through all of it unchanged.
 */
final class RowJourney {
    static final String CATALOG = """
            tables:
              things:
                primaryKey: id
                partitions: 2
                indexes:
                  by_a: { key: [a], projection: [b, c.d] }
                  by_each: { key: [{field: list, each: true}, {field: a, order: desc}], projection: all }
                  by_deep: { key: [c.d], where: { b: { exists: true } }, projection: keys_only }
            """;

    private static final String TABLE = "things";
    private static final int MAX_ROW_BYTES = 1 << 20;

    private final ManualClock clock = new ManualClock();
    private final ChangeCodec codec = new ChangeCodec(TABLE);
    private final WriterStores stores;
    private final Definitions definitions;
    private final RowRules rules;
    private final RowDeriver deriver;
    private final Committer committer;
    private boolean derivedBefore;

    /** Over stores with that catalog and without rows. */
    RowJourney(WriterStores stores) throws CatalogException, InterruptedException {
        this.stores = stores;
        this.definitions = Definitions.first(CatalogReader.read("journey", CATALOG), Instant.EPOCH);
        this.rules =
                new RowRules(definitions.catalog().tables().get(0), definitions.generations(TABLE), MAX_ROW_BYTES, 0);
        this.deriver = new RowDeriver(definitions.generations(TABLE));
        TableDigestBuilder sums = new TableDigestBuilder();
        this.committer = new Committer(
                stores.facts(),
                new FactDigests(stores.facts(), () -> definitions, sums, Duration.ofMillis(1)),
                () -> Map.of(TABLE, rules),
                new CommitterLimits(10, 1L << 30, 100, Duration.ofNanos(1)),
                MemoryBudget.unlimited().part("queue", 1),
                table -> Optional.empty(),
                clock,
                List.of());
        // From here on the digests of all indexes are known.
        committer.doWork();
        sums.doWork();
        committer.doWork();
    }

    /** Sends a row on its way; false where it is not accepted. */
    boolean travel(byte[] body) throws Exception {
        ObjectNode sent;
        KeyBytes key;
        WriteCommand.Put accepted;
        derivedBefore = !derivedBefore;
        try {
            sent = RowJson.parseObject(body);
            key = rules.keyOf(sent);
            accepted = rules.accept(key, sent);
        } catch (BadInputException e) {
            FuzzTarget.require(!e.getMessage().isEmpty(), "a reason");
            return false;
        }
        commit(derivedBefore ? accepted : new WriteCommand.Put(key, accepted.row(), Precondition.NONE));
        requireWhole(key, sent);
        ObjectNode patch = RowJson.mapper().createObjectNode().put("patched", true);
        if (commit(new WriteCommand.Patch(key, patch, Precondition.NONE)).applied()) {
            requireWhole(key, sent.deepCopy().setAll(patch));
        }
        FuzzTarget.require(
                commit(new WriteCommand.Delete(key, Precondition.NONE)).applied(), "a row that can be deleted");
        FuzzTarget.require(
                stores.facts().digests().values().stream().allMatch(Digest.EMPTY::equals), "nothing left in a digest");
        stores.outbox().markPublished(stores.facts().lastCommit().version().sequence());
        stores.outbox().trim(stores.facts().lastCommit().version().sequence());
        return true;
    }

    private CommitOutcome commit(WriteCommand command)
            throws QueueFullException, WritesRefusedException, InterruptedException, ExecutionException {
        CompletableFuture<List<CommitOutcome>> done =
                committer.submit(WriteRequest.of(TABLE, command, 1_000).checkedBy(rules), Duration.ZERO);
        committer.doWork();
        FuzzTarget.require(committer.trouble().isEmpty(), "no trouble, but got " + committer.trouble());
        return done.get().get(0);
    }

    private void requireWhole(KeyBytes key, JsonNode sent) throws Exception {
        StoredRow stored = Objects.requireNonNull(stores.facts().find(TABLE, key));
        byte[] bytes = stored.row().bytes();
        requireSame(stored.row().tree(), sent, "stored");
        requireSame(RowJson.parseObject(bytes), sent, "read by a client and sent again");
        byte[] around = ("{\"rows\":[{\"row\":" + new String(bytes, StandardCharsets.UTF_8) + "}]}")
                .getBytes(StandardCharsets.UTF_8);
        requireSame(RowJson.parseEnvelope(around).at("/rows/0/row"), sent, "answered to a worker");
        requireSame(streamed(key, stored).tree(), sent, "streamed");

        long sequence = stored.version().sequence();
        ChangeEvent event = stores.outbox()
                .readAfter(sequence - 1, 1, Long.MAX_VALUE)
                .get(0)
                .event();
        WireRecord record = codec.encode(event);
        Map<Long, DerivedRow> expected = deriver.derive(key, RowDocument.of((ObjectNode) sent));
        for (RowDocument read :
                List.of(upserted(codec.decode(record)), upserted(codec.decode(record, deriver.fields())))) {
            FuzzTarget.require(Arrays.equals(read.bytes(), bytes), "the published bytes");
            FuzzTarget.require(deriver.derive(key, read).equals(expected), "the same entries at a worker");
        }
        FuzzTarget.require(
                deriver.derive(
                                key,
                                new UpsertReader(deriver.fields()).read(record).orElseThrow())
                        .equals(expected),
                "the same entries in a build");
        requireDigests(key, stored, expected);
    }

    private static RowDocument upserted(ChangeMessage message) {
        return ((ChangeEvent.Upserted) message).row();
    }

    private static RowDocument streamed(KeyBytes key, StoredRow stored) throws IOException, TornStreamException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        FactStreamWriter writer = new FactStreamWriter(out, new FactStreamHead(stored.version(), stored.committedAt()));
        writer.row(key, stored.version(), stored.row());
        writer.end();
        try (FactStreamReader reader = new FactStreamReader(new ByteArrayInputStream(out.toByteArray()))) {
            StreamedFact fact = Objects.requireNonNull(reader.next());
            return fact.row().orElseThrow();
        }
    }

    /** The writer's digests are those of the entries that a worker derives, for the one row that there is. */
    private void requireDigests(KeyBytes key, StoredRow stored, Map<Long, DerivedRow> derived) {
        int partition = rules.table().partitionOf(key);
        Map<DigestKey, Digest> expected = new HashMap<>();
        derived.forEach((generation, given) -> {
            Digest sum = Digest.EMPTY;
            for (KeyBytes entry : given.keys()) {
                sum = sum.plus(EntryDigest.ofEntry(entry, EntryDigest.fingerprint(given.carried()), stored.version()));
            }
            expected.put(new DigestKey(generation, partition), sum);
            expected.put(new DigestKey(generation, 1 - partition), Digest.EMPTY);
        });
        FuzzTarget.require(stores.facts().digests().equals(expected), "the digests of the worker's entries");
    }

    private static void requireSame(JsonNode read, JsonNode sent, String how) {
        FuzzTarget.require(same(read, sent), "the row that was sent, " + how + ", but got " + read);
    }

    /** Equal as JSON: a number may be another kind of node, and a member at another place. */
    private static boolean same(JsonNode a, JsonNode b) {
        if (a.isNumber() && b.isNumber()) {
            return a.decimalValue().compareTo(b.decimalValue()) == 0;
        }
        if (a.getNodeType() != b.getNodeType() || a.size() != b.size()) {
            return false;
        }
        if (a.isObject()) {
            return a.properties().stream()
                    .allMatch(field -> b.has(field.getKey()) && same(field.getValue(), b.get(field.getKey())));
        }
        for (int i = 0; i < a.size(); i++) {
            if (!same(a.get(i), b.get(i))) {
                return false;
            }
        }
        return a.isArray() || a.equals(b);
    }
}
