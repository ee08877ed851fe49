package dev.tidemark.worker.verify;

/** An order and what has become of it. The verify thread moves the state on; everybody may read it. */
public final class VerifyJob {
    private final String id;
    private final VerifySpec order;
    private volatile JobState state = new JobState.Waiting();

    VerifyJob(String id, VerifySpec order) {
        this.id = id;
        this.order = order;
    }

    public String id() {
        return id;
    }

    public VerifySpec order() {
        return order;
    }

    public JobState state() {
        return state;
    }

    void is(JobState next) {
        state = next;
    }
}
