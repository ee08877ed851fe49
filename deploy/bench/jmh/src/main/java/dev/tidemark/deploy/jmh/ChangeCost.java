package dev.tidemark.deploy.jmh;

import java.util.List;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.MalformedChangeException;
import dev.tidemark.change.UpsertReader;
import dev.tidemark.change.WireRecord;
import dev.tidemark.digest.Digest;
import dev.tidemark.digest.EntryDigest;
import dev.tidemark.index.DerivedEntries;
import dev.tidemark.index.EntryDeriver;
import dev.tidemark.index.UnindexableRowException;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyReader;
import dev.tidemark.key.KeyWriter;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.key.Order;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.PartialRow;
import dev.tidemark.row.RowFields;

/** Each for one change, or for the one entry of it. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class ChangeCost {
    private final RowFields fields = EntryDeriver.fields(List.of(SampleChange.DERIVER));
    private final ChangeCodec codec = new ChangeCodec("customers");
    private final UpsertReader reader = new UpsertReader(fields);
    private final WireRecord record = SampleChange.record();
    private final PartialRow row = read();
    private final KeyBytes entry = derive().keys().get(0);

    /** The key of an entry from its three values. */
    @Benchmark
    public KeyBytes writeKey() {
        return new KeyWriter()
                .append(SampleChange.TOWN, Order.ASC)
                .append(SampleChange.NAME, Order.ASC)
                .append(SampleChange.ID, Order.ASC)
                .toKey();
    }

    /** The three values from the key of an entry. */
    @Benchmark
    public List<FieldValue> readKey() throws MalformedKeyException {
        return KeyReader.readAll(entry);
    }

    /** A change from its record, checked as a worker checks it, and the fields of the index. */
    @Benchmark
    public ChangeMessage decodeChange() throws MalformedChangeException {
        return codec.decode(record, fields);
    }

    /** Only the fields of the index from a record, as a copier reads it. */
    @Benchmark
    public PartialRow readFields() {
        return read();
    }

    /** The entry of a row whose fields have been read. */
    @Benchmark
    public DerivedEntries derive() {
        try {
            return SampleChange.DERIVER.derive(SampleChange.KEY, row);
        } catch (UnindexableRowException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What an entry adds to the digest of its index. */
    @Benchmark
    public Digest digest() {
        return EntryDigest.ofEntry(entry, EntryDigest.fingerprint(SampleChange.ROW), SampleChange.VERSION);
    }

    private PartialRow read() {
        try {
            return reader.read(record).orElseThrow();
        } catch (MalformedChangeException e) {
            throw new IllegalStateException(e);
        }
    }
}
