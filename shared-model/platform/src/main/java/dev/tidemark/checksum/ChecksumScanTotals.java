package dev.tidemark.checksum;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** What has been looked through since the process began. Counted by the thread {@code checksum}, read by any. */
public final class ChecksumScanTotals {
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong damages = new AtomicLong();
    private volatile Instant lastPass = Instant.MIN;

    /** Bytes of the files that were looked through. */
    public long bytes() {
        return bytes.get();
    }

    /** Files found damaged; one that stays is counted in each pass. */
    public long damages() {
        return damages.get();
    }

    /** When a pass over all files last ended; {@link Instant#MIN} for never. */
    public Instant lastPass() {
        return lastPass;
    }

    void looked(long fileBytes) {
        bytes.addAndGet(fileBytes);
    }

    void damaged() {
        damages.incrementAndGet();
    }

    void passed(Instant now) {
        lastPass = now;
    }
}
