package dev.tidemark.worker.copy;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

import dev.tidemark.worker.store.ShardId;

/** A way to workers of the same process that can break. */
final class LoopbackHolders implements CopyHolders {
    /** Short, so that each file takes several answers. */
    static final int PIECE = 40_000;

    final Map<URI, HeldCopies> workers = new HashMap<>();
    final List<String> asked = new ArrayList<>();
    UnaryOperator<CopyList> lists = UnaryOperator.identity();
    Fault fault = (bytes, worker) -> bytes;
    long bytes;

    /** What becomes of an answer. */
    interface Fault {
        byte[] arrive(byte[] bytes, URI worker) throws IOException, CopyRefusedException;
    }

    @Override
    public CopyList list(URI worker, ShardId shard, BooleanSupplier goOn) throws IOException, CopyRefusedException {
        asked.add("list " + worker);
        HeldCopies holder = holder(worker);
        HeldCopies.Offer offer = holder.begin(shard);
        List<CopiedFile> files = new ArrayList<>();
        for (String name : offer.files().keySet()) {
            files.add(holder.summed(offer.head().copy(), name));
        }
        return lists.apply(new CopyList(offer.head(), files));
    }

    @Override
    public byte[] read(URI worker, CopyHead copy, CopiedFile file, long from, BooleanSupplier goOn)
            throws IOException, CopyRefusedException {
        asked.add("read " + worker + " " + file.name() + " " + from);
        ByteBuffer read;
        try {
            read = holder(worker).read(copy.copy(), file.name(), from, PIECE);
        } catch (CopyRefusedException e) {
            if (e.retryAfter().isPresent()) {
                throw e;
            }
            throw new IOException(e);
        }
        byte[] sent = new byte[read.remaining()];
        read.get(sent);
        byte[] piece = fault.arrive(sent, worker);
        bytes += piece.length;
        return piece;
    }

    @Override
    public void release(URI worker, CopyHead copy) {
        HeldCopies holder = workers.get(worker);
        if (holder != null) {
            holder.release(copy.copy());
        }
    }

    private HeldCopies holder(URI worker) throws IOException {
        HeldCopies holder = workers.get(worker);
        if (holder == null) {
            throw new IOException("connection refused");
        }
        return holder;
    }
}
