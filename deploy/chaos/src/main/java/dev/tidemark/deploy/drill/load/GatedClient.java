package dev.tidemark.deploy.drill.load;

import dev.tidemark.runtime.Agent;

/** A client that does its next step where the gate lets it in. */
record GatedClient(String roleName, ClientGate gate, Step step) implements Agent {
    /** A step of a client. */
    interface Step {
        void run() throws InterruptedException;
    }

    @Override
    public int doWork() throws InterruptedException {
        if (gate.enter()) {
            try {
                step.run();
            } finally {
                gate.leave();
            }
        }
        return 0;
    }
}
