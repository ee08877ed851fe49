package dev.tidemark.worker.generation;

import java.util.Optional;

import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.IndexOperation;

/**
 * Which operations are permitted for an index, by the lifecycle state of its current generation. A complete build
 * cannot be paused or cancelled any more: cancelling it must not be a way to drop an index by mistake.
 */
public final class OperationRule {
    private OperationRule() {}

    /** Why an operation is refused, as text for operators; empty when it is permitted. */
    public static Optional<String> refusal(IndexOperation.Kind kind, DesiredIndex plan, LifecycleState lifecycleState) {
        return switch (kind) {
            case PAUSE -> pause(plan, lifecycleState);
            case CANCEL -> cancel(plan, lifecycleState);
            case RESUME, ROLLBACK, RETIRE -> Optional.empty();
        };
    }

    private static Optional<String> pause(DesiredIndex plan, LifecycleState lifecycleState) {
        return switch (lifecycleState.state()) {
            case BUILDING, PAUSED -> Optional.empty();
            case UNKNOWN -> Optional.of(unknown(plan, lifecycleState.cause()));
            case DEGRADED, DROPPING, REBUILDING, VERIFYING, READY ->
                Optional.of("expected an index whose rows are being copied, which is what can be paused, but "
                        + describe(plan, lifecycleState));
        };
    }

    private static Optional<String> cancel(DesiredIndex plan, LifecycleState lifecycleState) {
        Optional<String> doubt = doubt(lifecycleState);
        if (doubt.isPresent()) {
            return Optional.of(unknown(plan, doubt.get()));
        } else if (!lifecycleState.serves()) {
            return Optional.empty();
        }
        return Optional.of("expected an index that is being built, but " + describe(plan, lifecycleState) + "; "
                + (plan.previous().isPresent()
                        ? "roll it back to return to the generation before"
                        : "drop it if it is not wanted"));
    }

    /** Why it is not known whether the index has answered; empty where that is known. */
    private static Optional<String> doubt(LifecycleState lifecycleState) {
        return switch (lifecycleState.state()) {
            // While a shard is built again, it is not known whether its index answered before.
            case UNKNOWN, REBUILDING -> Optional.of(lifecycleState.cause());
            // An index that answers may be so, and whether it answers, only all shards can say.
            case DEGRADED, VERIFYING -> lifecycleState.missing();
            case DROPPING, PAUSED, BUILDING, READY -> Optional.empty();
        };
    }

    private static String describe(DesiredIndex plan, LifecycleState lifecycleState) {
        return plan.current().definition().qualifiedName() + " is "
                + lifecycleState.state().label()
                + lifecycleState.since().map(since -> " since " + since).orElse("") + " (" + lifecycleState.cause()
                + ")";
    }

    private static String unknown(DesiredIndex plan, String why) {
        return "expected an index that is being built, but this worker does not know whether "
                + plan.current().definition().qualifiedName() + " is: " + why;
    }
}
