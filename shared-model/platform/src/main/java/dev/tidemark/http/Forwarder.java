package dev.tidemark.http;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

import dev.tidemark.row.ProblemType;

/**
 * Passes requests on to another process of the same service, and its answers back: at most one hop, a piece at a time,
 * on threads that never wait. Closing it gives up what is under way.
 */
public final class Forwarder implements AutoCloseable {
    /** The header of a request that was passed on. */
    public static final String HOP = "Tidemark-Hop";

    /** Longest time in which no byte moves. Each service cuts off clients that are slow in less. */
    private static final Duration SILENCE = Duration.ofSeconds(35);

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final ServiceCaller caller;
    private final Supplier<Optional<URI>> target;
    private final ProblemType refusal;
    private final Duration silence;

    /**
     * A forwarder.
     *
     * @param service whom to trust and what to show; a token of this process would replace that of the client
     * @param target where requests go now; empty while there is none
     * @param refusal the kind of the answer to a request that was certainly not carried out
     */
    public Forwarder(ServiceClient service, Supplier<Optional<URI>> target, ProblemType refusal) {
        this(service, target, refusal, SILENCE);
    }

    Forwarder(ServiceClient service, Supplier<Optional<URI>> target, ProblemType refusal, Duration silence) {
        this.caller = new ServiceCaller(service);
        this.target = target;
        this.refusal = refusal;
        this.silence = silence;
    }

    /** A request to the process that it is passed on to. */
    org.eclipse.jetty.client.Request to(URI address) {
        try {
            return caller.to(address);
        } catch (IllegalStateException e) {
            throw new ProblemException(notDone("this process has just become the active one"));
        }
    }

    Duration silence() {
        return silence;
    }

    /** Where a request goes; a problem where it goes nowhere. */
    URI target(boolean isHop) {
        if (isHop) {
            throw new ProblemException(notDone("the request was passed on to this process, which is not the active one"
                    + " either; the active one is about to change"));
        }
        return target.get()
                .orElseThrow(() -> new ProblemException(
                        notDone("no process of this service is active at the moment; one takes over within seconds")));
    }

    /** What a request is answered that was certainly not carried out. */
    Problem notDone(String detail) {
        return Problem.retryable(503, "No active process", detail, RETRY_AFTER).typed(refusal);
    }

    /** What a request is answered that changes nothing. */
    static Problem unread(String detail) {
        return Problem.retryable(503, "No answer", detail, RETRY_AFTER);
    }

    /** What a request is answered that may have been carried out. */
    static Problem unknown(String detail) {
        return Problem.retryable(503, "Outcome unknown", detail, RETRY_AFTER).typed(ProblemType.OUTCOME_UNKNOWN);
    }

    @Override
    public void close() {
        caller.close();
    }
}
