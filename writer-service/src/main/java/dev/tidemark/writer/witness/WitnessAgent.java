package dev.tidemark.writer.witness;

import java.io.IOException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.runtime.Agent;

/** Syncs the witness each time it is asked to work, so that no commit waits for that. */
public final class WitnessAgent implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(WitnessAgent.class);

    private final FactWitness witness;

    public WitnessAgent(FactWitness witness) {
        this.witness = witness;
    }

    @Override
    public String roleName() {
        return "witness";
    }

    /** Always 0, so that the thread rests. */
    @Override
    public int doWork() {
        try {
            witness.sync();
        } catch (IOException e) {
            LOGGER.warn("The newest commit that was written down beside the fact tables cannot be synced", e);
        }
        return 0;
    }
}
