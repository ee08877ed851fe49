package dev.tidemark.facts;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;

/** Writes one stream. A stream without {@link #end} is torn, which is what a writer that fails midway wants to say. */
public final class FactStreamWriter {
    private final DataOutputStream out;
    private long count;

    /** Begins a stream. What is written should be buffered by the given stream. */
    public FactStreamWriter(OutputStream out, FactStreamHead head) throws IOException {
        this.out = new DataOutputStream(out);
        this.out.writeInt(FactFrames.MAGIC);
        version(head.version());
        this.out.writeLong(ChronoUnit.MICROS.between(Instant.EPOCH, head.time()));
    }

    /** Adds a whole row. Keys must ascend. */
    public void row(KeyBytes key, RowVersion version, RowDocument row) throws IOException {
        frame(FactFrames.ROW, key, version);
        byte[] json = row.bytes();
        out.writeInt(json.length);
        out.write(json);
    }

    /** Adds a row by its version alone, without its fields. Keys must ascend. */
    public void version(KeyBytes key, RowVersion version) throws IOException {
        frame(FactFrames.VERSION, key, version);
    }

    /** Says that the stream is whole, and sends what is buffered. */
    public void end() throws IOException {
        out.writeByte(FactFrames.END);
        out.writeLong(count);
        out.flush();
    }

    private void frame(byte kind, KeyBytes key, RowVersion version) throws IOException {
        count++;
        out.writeByte(kind);
        out.writeInt(key.length());
        out.write(key.array());
        version(version);
    }

    private void version(RowVersion version) throws IOException {
        out.writeLong(version.epoch());
        out.writeLong(version.sequence());
    }
}
