package dev.tidemark.writer.recovery;

import java.io.IOException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.runtime.Agent;

/** Syncs the high-water mark on this agent's thread, so that no commit waits for the sync. */
public final class HighWaterMarkAgent implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(HighWaterMarkAgent.class);

    private final CommitHighWaterMark highWaterMark;

    public HighWaterMarkAgent(CommitHighWaterMark highWaterMark) {
        this.highWaterMark = highWaterMark;
    }

    @Override
    public String roleName() {
        return "high-water-mark";
    }

    /** Always 0, so that the thread rests. */
    @Override
    public int doWork() {
        try {
            highWaterMark.sync();
        } catch (IOException e) {
            LOGGER.warn("The newest commit that was written down beside the fact tables cannot be synced", e);
        }
        return 0;
    }
}
