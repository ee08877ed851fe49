package dev.tidemark.writer.testkit;

import dev.tidemark.writer.outbox.Leadership;

/** A writer that is alone, and always was. */
public record LoneWriter() implements Leadership {
    @Override
    public boolean isHeld() {
        return true;
    }

    @Override
    public long leastEpoch() {
        return 0;
    }
}
