package dev.tidemark.worker.life;

import java.util.Optional;

import dev.tidemark.catalog.IndexOrder;
import dev.tidemark.catalog.IndexPlan;
import dev.tidemark.worker.life.Life.State;

/**
 * Which orders make sense for an index, by where its current generation is in its life: what is complete cannot be paused or
 * given up any more, and giving it up must not be a way to drop an index by mistake.
 */
public final class OrderRule {
    private OrderRule() {}

    /** Why an order is refused, for people; empty when nothing speaks against it. */
    public static Optional<String> refusal(IndexOrder.Kind kind, IndexPlan plan, Life life) {
        return switch (kind) {
            case PAUSE -> pause(plan, life);
            case CANCEL -> cancel(plan, life);
            case RESUME, ROLLBACK, RETIRE -> Optional.empty();
        };
    }

    private static Optional<String> pause(IndexPlan plan, Life life) {
        return switch (life.state()) {
            case BUILDING, PAUSED -> Optional.empty();
            case UNKNOWN -> Optional.of(notTold(plan, life));
            case DEGRADED, DROPPING, REBUILDING, VERIFYING, READY ->
                Optional.of("expected an index whose rows are being copied, which is what can be paused, but "
                        + describe(plan, life));
        };
    }

    private static Optional<String> cancel(IndexPlan plan, Life life) {
        // While a shard is built again, it is not known whether its index answered before.
        if (life.state() == State.UNKNOWN || life.state() == State.REBUILDING) {
            return Optional.of(notTold(plan, life));
        } else if (!life.serves()) {
            return Optional.empty();
        }
        return Optional.of("expected an index that is being built, but " + describe(plan, life) + "; "
                + (plan.previous().isPresent()
                        ? "roll it back to return to the generation before"
                        : "drop it if it is not wanted"));
    }

    private static String describe(IndexPlan plan, Life life) {
        return plan.current().definition().qualifiedName() + " is "
                + life.state().label()
                + life.since().map(since -> " since " + since).orElse("") + " (" + life.cause() + ")";
    }

    private static String notTold(IndexPlan plan, Life life) {
        return "expected an index that is being built, but this worker cannot tell whether "
                + plan.current().definition().qualifiedName() + " is: " + life.cause();
    }
}
