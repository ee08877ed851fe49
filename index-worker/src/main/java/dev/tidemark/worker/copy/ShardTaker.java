package dev.tidemark.worker.copy;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.worker.shard.CopyProgress;
import dev.tidemark.worker.shard.PartitionInfoSource.PartitionInfo;
import dev.tidemark.worker.shard.RebuildPolicy;
import dev.tidemark.worker.shard.ShardSupply;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardContents;
import dev.tidemark.worker.store.ShardFiles;
import dev.tidemark.worker.store.ShardId;

/**
 * Takes shards from other workers, file by file. A break costs the bytes of one answer. What is not right in every
 * byte, or would not be trusted if it were found on disk, is not used. For any thread, one for each shard.
 *
 * @param files where shards are kept
 * @param workers gives the workers that may have a shard, the best first
 * @param policy the judgement of a shard found on disk
 * @param leastRecords how many records a copy must spare to be worth it
 * @param rest does nothing for a while
 * @param meter receives how far each copy is
 */
public record ShardTaker(
        ShardFiles files,
        CopyHolders holders,
        Function<ShardId, List<URI>> workers,
        RebuildPolicy policy,
        long leastRecords,
        Clock clock,
        Rest rest,
        CopyMeter meter)
        implements ShardSupply {
    private static final Logger LOGGER = LoggerFactory.getLogger(ShardTaker.class);
    private static final Duration AFTER_BREAK = Duration.ofSeconds(1);
    private static final int MOST_BREAKS = 5;
    private static final int MOST_LISTS = 3;

    /** How long to ask a worker that has others to serve first. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** Disk space that others need. */
    private static final long SPARE_BYTES = 256L << 20;

    /** Does nothing for a while. */
    public interface Rest {
        void rest(Duration time) throws InterruptedException;
    }

    @Override
    public boolean isWorth(long records) {
        return records > leastRecords;
    }

    @Override
    public Optional<CopyProgress> progress(ShardId shard) {
        return meter.progress(shard);
    }

    @Override
    public long takenBytes(String table) {
        return meter.takenBytes(table);
    }

    @Override
    public void fetch(Need need, BooleanSupplier isWanted) {
        boolean taken = false;
        try {
            ArrivingFiles arriving = new ArrivingFiles(files.arriving(need.shard()));
            for (URI worker : workers.apply(need.shard())) {
                if (!taken && isWanted.getAsBoolean()) {
                    taken = new Taking(need, worker, arriving, isWanted).isDone();
                }
            }
            if (!taken) {
                LOGGER.info("Shard {} reads its topic, because no worker gave a copy of it", need.shard());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOGGER.warn("Shard {} reads its topic, because no copy of it could be taken", need.shard(), e);
        } finally {
            meter.end(need.shard());
        }
        try {
            // A shard that is not wanted any more, as when the process ends, may be wanted again soon.
            files.notArriving(need.shard(), isWanted.getAsBoolean());
        } catch (RuntimeException e) {
            LOGGER.warn("What came of a copy of shard {} stays until leftovers are removed", need.shard(), e);
        }
    }

    /** One shard, from one worker. */
    private final class Taking {
        private final Need need;
        private final URI worker;
        private final ArrivingFiles arriving;
        private final BooleanSupplier isWanted;
        private Pace pace = new Pace(clock.instant(), 0);
        private boolean hasAnswered;

        Taking(Need need, URI worker, ArrivingFiles arriving, BooleanSupplier isWanted) {
            this.need = need;
            this.worker = worker;
            this.arriving = arriving;
            this.isWanted = isWanted;
        }

        /** Takes the shard. After a break it begins with another list, and goes on with what is the same in it. */
        boolean isDone() throws InterruptedException {
            Instant asked = clock.instant();
            for (int lists = 0; lists < MOST_LISTS && isWanted.getAsBoolean(); ) {
                try {
                    take();
                    return true;
                } catch (CopyRefusedException e) {
                    LOGGER.info("No copy of shard {} from {}: {}", need.shard(), worker, e.getMessage());
                    if (e.retryAfter().isEmpty()
                            || Duration.between(asked, clock.instant()).compareTo(PATIENCE) > 0) {
                        return false;
                    }
                    rest.rest(e.retryAfter().get());
                } catch (IllegalArgumentException e) {
                    LOGGER.warn("The copy of shard {} from {} is none", need.shard(), worker, e);
                    return false;
                } catch (IOException e) {
                    LOGGER.info("The copy of shard {} from {} broke off: {}", need.shard(), worker, e.toString());
                    if (!hasAnswered) {
                        // It may hang, and the topic does not.
                        return false;
                    }
                    lists++;
                    rest.rest(AFTER_BREAK);
                }
            }
            return false;
        }

        private void take() throws IOException, CopyRefusedException, InterruptedException {
            CopyList copy = holders.list(worker, need.shard(), isWanted);
            hasAnswered = true;
            try {
                CopyHead head = copy.head();
                require(
                        head.format() == files.format(),
                        "its format is " + head.format() + ", and this worker reads format " + files.format());
                requireFit(head);
                arriving.keepOnly(copy);
                require(
                        arriving.room() > copy.bytes() + SPARE_BYTES,
                        "there is no room for " + copy.bytes() + " bytes");
                pace = new Pace(clock.instant(), 0);
                meter.begin(need.shard(), worker, arriving.length(copy), copy.bytes());
                for (CopiedFile file : copy.files()) {
                    take(head, file);
                }
            } finally {
                holders.release(worker, copy.head());
            }
            arriving.name(copy);
            ShardContents contents = opened();
            require(contents.checkpoint().progress().isWhole(), "it never had all of the shard");
            requireFit(CopyHead.of(copy.head().copy(), copy.head().format(), contents));
            require(isWanted.getAsBoolean(), "it is not wanted any more");
            files.arrived(need.shard());
            LOGGER.info(
                    "Took shard {} up to offset {} from {}, {} bytes",
                    need.shard(),
                    contents.checkpoint().nextOffset(),
                    worker,
                    copy.bytes());
        }

        private ShardContents opened() throws CopyRefusedException {
            try {
                return files.contents(arriving.directory());
            } catch (RuntimeException e) {
                throw new CopyRefusedException("it cannot be opened: " + e.getMessage(), Optional.empty());
            }
        }

        private void take(CopyHead copy, CopiedFile file)
                throws IOException, CopyRefusedException, InterruptedException {
            boolean continued = arriving.length(file) > 0;
            complete(copy, file);
            boolean right = arriving.isRight(file);
            if (!right && continued) {
                // What was there from before may be what is wrong.
                meter.remove(need.shard(), arriving.length(file));
                arriving.remove(file);
                complete(copy, file);
                right = arriving.isRight(file);
            }
            require(right, "file " + file.name() + " does not have the checksum that was listed");
        }

        private void complete(CopyHead copy, CopiedFile file)
                throws IOException, CopyRefusedException, InterruptedException {
            for (long from = arriving.length(file); from < file.bytes(); from = arriving.length(file)) {
                byte[] piece = piece(copy, file, from);
                require(piece.length > 0 && piece.length <= file.bytes() - from, "it sent more than the file has");
                arriving.add(file, piece);
                pace = pace.plus(piece.length);
                meter.take(need.shard(), piece.length);
            }
        }

        /** The next bytes, however often the connection breaks; until it does so too often in a row. */
        private byte[] piece(CopyHead copy, CopiedFile file, long from)
                throws IOException, CopyRefusedException, InterruptedException {
            for (int breaks = 1; ; ) {
                require(isWanted.getAsBoolean(), "it is not wanted any more");
                require(!pace.isSlow(clock.instant()), "it comes too slowly");
                try {
                    return holders.read(
                            worker, copy, file, from, () -> isWanted.getAsBoolean() && !pace.isSlow(clock.instant()));
                } catch (IOException e) {
                    if (breaks++ == MOST_BREAKS) {
                        throw e;
                    }
                    rest.rest(AFTER_BREAK);
                } catch (CopyRefusedException e) {
                    rest.rest(e.retryAfter().orElseThrow(() -> e));
                }
            }
        }

        /** Judges a copy as a shard found on disk, except that it may be newer than what is known of the topic. */
        private void requireFit(CopyHead copy) throws CopyRefusedException {
            PartitionInfo topic = need.topic();
            require(
                    copy.nextOffset() >= topic.startOffset(),
                    "its topic lacks records from " + copy.nextOffset() + " on");
            require(isWorth(copy.nextOffset() - need.nextOffset()), "it is at offset " + copy.nextOffset() + " only");
            ShardCheckpoint until = new ShardCheckpoint(
                    Math.min(copy.nextOffset(), topic.endOffset()),
                    ShardCheckpoint.EMPTY.leaderEpoch(),
                    ShardCheckpoint.EMPTY.progress(),
                    copy.lastCaughtUp(),
                    ShardCheckpoint.EMPTY.generations(),
                    0,
                    0);
            Optional<String> reason = policy.reasonToRebuild(
                            copy.origin(), need.origin(), until, topic, clock.instant())
                    .map(RebuildPolicy.Rebuild::reason);
            require(reason.isEmpty(), reason.orElse(""));
        }
    }

    private static void require(boolean holds, String otherwise) throws CopyRefusedException {
        if (!holds) {
            throw new CopyRefusedException(otherwise, Optional.empty());
        }
    }

    /** How fast a copy comes. Beyond a bound the topic may well be faster. */
    private record Pace(Instant since, long bytes) {
        private static final Duration START = Duration.ofMinutes(1);
        private static final long LEAST_PER_SECOND = 1 << 20;

        Pace plus(long more) {
            return new Pace(since, bytes + more);
        }

        boolean isSlow(Instant now) {
            return Duration.between(since, now).compareTo(START.plusSeconds(bytes / LEAST_PER_SECOND)) > 0;
        }
    }
}
