package dev.tidemark.writer.outbox;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.writer.outbox.EventPublisher.Shard;

/**
 * The offsets at which the log appended messages that were published at once. Offsets that do not follow on those
 * before them show that the log has lost records, or that it has taken others in between. For one thread.
 */
public final class AppendedOffsets {
    private final Map<Shard, Part> parts = new HashMap<>();

    /**
     * Offsets of a partition that follow each other.
     *
     * @param first the first of them
     * @param end the one after the last
     */
    record OffsetRange(long first, long end) {}

    /** What was appended to one partition, in the order of the messages. */
    static final class Part {
        private final List<OffsetRange> ranges = new ArrayList<>(1);
        private ChangeMessage last;
        private int messages;

        private Part(ChangeMessage first) {
            this.last = first;
        }

        /** The offsets, as few ranges as possible. */
        List<OffsetRange> ranges() {
            return ranges;
        }

        /** The offset after the last message. */
        long end() {
            return ranges.get(ranges.size() - 1).end();
        }

        /** How many messages. */
        int messages() {
            return messages;
        }

        /** The last message. */
        ChangeMessage last() {
            return last;
        }

        /**
         * Whether these are changes of rows, which a topic must not lose. All messages that go out at once are of one
         * kind.
         */
        boolean hasChanges() {
            return last instanceof ChangeEvent && !(last instanceof ChangeEvent.Forgotten);
        }

        private void add(ChangeMessage message, long offset) {
            last = message;
            messages++;
            if (!ranges.isEmpty() && end() == offset) {
                int newest = ranges.size() - 1;
                ranges.set(newest, new OffsetRange(ranges.get(newest).first(), offset + 1));
            } else {
                ranges.add(new OffsetRange(offset, offset + 1));
            }
        }
    }

    /** The next message was appended at an offset. */
    public void add(Publication message, long offset) {
        parts.computeIfAbsent(message.shard(), shard -> new Part(message.message()))
                .add(message.message(), offset);
    }

    /** The offset after the last message to a partition, which must have been written to. */
    public long end(Shard shard) {
        return Objects.requireNonNull(parts.get(shard)).end();
    }

    void forEach(BiConsumer<Shard, Part> action) {
        parts.forEach(action);
    }
}
