package dev.tidemark.worker.copy;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.runtime.PrivateFiles;
import dev.tidemark.worker.store.ShardClosedException;
import dev.tidemark.worker.store.ShardContents;
import dev.tidemark.worker.store.ShardFiles;
import dev.tidemark.worker.store.ShardId;

/**
 * Copies of this worker's shards while other workers take them. A copy is of links to files, so it costs disk only as
 * long as its shard has gone on to other files. A copy that is not asked for is removed soon. For any thread.
 */
public final class HeldCopies implements Runnable {
    /** Most bytes of one answer, which are in memory until they are sent. */
    public static final int MOST_BYTES = 1 << 20;

    static final int MOST_COPIES = 4;
    static final Duration MAX_IDLE = Duration.ofMinutes(1);

    private static final Logger LOGGER = LoggerFactory.getLogger(HeldCopies.class);
    private static final Duration WHILE_CLOSING = Duration.ofSeconds(1);
    private static final Duration WHILE_SLOWED = Duration.ofSeconds(1);
    private static final Duration WHILE_FULL = Duration.ofSeconds(5);

    private final Path root;
    private final ShardFiles shards;
    private final ByteRate rate;
    private final Clock clock;
    private final Semaphore room = new Semaphore(MOST_COPIES);
    private final Map<String, Held> held = new ConcurrentHashMap<>();

    private record Held(Path directory, SortedMap<String, Long> files, Instant lastAsked) {
        Held askedAt(Instant now) {
            return new Held(directory, files, now);
        }
    }

    /**
     * No copies. What an earlier run of the process had is removed.
     *
     * @param root a directory for copies alone, on the file system of the shards
     */
    public HeldCopies(Path root, ShardFiles shards, ByteRate rate, Clock clock) {
        this.root = root;
        this.shards = shards;
        this.rate = rate;
        this.clock = clock;
        remove(root);
    }

    /** What a copy is, and the names of its files. */
    public record Offer(CopyHead head, SortedMap<String, Long> files) {}

    /**
     * Makes a copy.
     *
     * @throws CopyRefusedException when this worker does not have the shard as a whole, or makes no more copies now
     */
    public Offer begin(ShardId shard) throws CopyRefusedException {
        if (rate.isNone()) {
            throw refused("this worker gives no copies", Optional.empty());
        }
        run();
        if (!room.tryAcquire()) {
            throw refused("this worker has " + MOST_COPIES + " copies under way", Optional.of(WHILE_FULL));
        }
        String name = UUID.randomUUID().toString();
        Path directory = root.resolve(name);
        Optional<Offer> offer = Optional.empty();
        try {
            offer = Optional.of(made(shard, name, directory));
            return offer.get();
        } catch (ShardClosedException e) {
            throw refused("shard " + shard + " is just being opened or closed", Optional.of(WHILE_CLOSING));
        } catch (IOException e) {
            throw new UncheckedIOException("Expected to copy shard " + shard + ", but " + e, e);
        } finally {
            if (offer.isEmpty()) {
                remove(directory);
                room.release();
            }
        }
    }

    private Offer made(ShardId shard, String name, Path directory) throws IOException, CopyRefusedException {
        PrivateFiles.createDirectories(root);
        if (!shards.copy(shard, directory)) {
            throw refused("this worker has nothing of shard " + shard, Optional.empty());
        }
        SortedMap<String, Long> files = shards.files(directory);
        ShardContents contents = shards.contents(directory);
        if (!contents.checkpoint().progress().isWhole()) {
            throw refused("this worker never had all of shard " + shard, Optional.empty());
        }
        held.put(name, new Held(directory, files, clock.instant()));
        LOGGER.info("Made a copy of shard {} for another worker, named {}", shard, name);
        return new Offer(CopyHead.of(name, shards.format(), contents), files);
    }

    /** Reads a whole file for its checksum, which keeps a thread as long as the disk takes. */
    public CopiedFile summed(String copy, String file) throws CopyRefusedException, IOException {
        Held asked = asked(copy);
        CopiedFile summed = new CopiedFile(file, bytes(asked, file), CopiedFile.sumOf(asked.directory.resolve(file)));
        asked(copy);
        return summed;
    }

    /**
     * Bytes of a file, as many as are wanted or fewer.
     *
     * @throws CopyRefusedException when there is no such file, or as much was sent as may be for now
     */
    public ByteBuffer read(String copy, String file, long from, long wanted) throws CopyRefusedException, IOException {
        Held asked = asked(copy);
        long most = Math.min(Math.min(wanted, MOST_BYTES), bytes(asked, file) - from);
        if (from < 0 || most <= 0) {
            throw refused(
                    "expected a range within " + file + ", but got " + wanted + " from " + from, Optional.empty());
        }
        long granted = rate.take(most);
        if (granted == 0) {
            throw refused("this worker has sent as much of copies as it may for now", Optional.of(WHILE_SLOWED));
        }
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(granted));
        try (FileChannel channel = FileChannel.open(asked.directory.resolve(file), StandardOpenOption.READ)) {
            while (bytes.hasRemaining()) {
                if (channel.read(bytes, from + bytes.position()) < 0) {
                    throw new EOFException("expected " + file + " to stay as long as it was");
                }
            }
        }
        return bytes.flip();
    }

    /** How long a file is. */
    public long length(String copy, String file) throws CopyRefusedException {
        return bytes(asked(copy), file);
    }

    /** A copy is not needed any more. */
    public void release(String copy) {
        Held released = held.remove(copy);
        if (released != null) {
            remove(released.directory);
            room.release();
        }
    }

    /** Removes the copies that were not asked for lately. */
    @Override
    public void run() {
        Instant oldest = clock.instant().minus(MAX_IDLE);
        held.forEach((name, copy) -> {
            if (copy.lastAsked.isBefore(oldest)) {
                LOGGER.info("Removed copy {}, which no worker asked for lately", name);
                release(name);
            }
        });
    }

    private Held asked(String copy) throws CopyRefusedException {
        Held known = held.computeIfPresent(copy, (name, before) -> before.askedAt(clock.instant()));
        if (known == null) {
            throw refused("this worker has no copy " + copy + ", or not any more", Optional.empty());
        }
        return known;
    }

    /** A file is one of those that were listed, so a name is never a way out of the directory. */
    private static long bytes(Held copy, String file) throws CopyRefusedException {
        Long bytes = copy.files.get(file);
        if (bytes == null) {
            throw refused("the copy has no file " + file, Optional.empty());
        }
        return bytes;
    }

    private static CopyRefusedException refused(String why, Optional<Duration> retryAfter) {
        return new CopyRefusedException(why, retryAfter);
    }

    private static void remove(Path directory) {
        try {
            PrivateFiles.removeDirectory(directory);
        } catch (IOException e) {
            LOGGER.warn("The copy at {} cannot be removed; the next start tries again", directory, e);
        }
    }
}
