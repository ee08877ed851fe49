package dev.tidemark.http;

import java.time.Duration;

import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.memory.MemoryBudget.Part;
import dev.tidemark.row.ProblemType;

/**
 * The memory that requests and answers may hold, as parts of the budget of the process. What small answers need is set
 * aside at the start, so that health, problems and single rows are answered while everything else is used up.
 */
final class HttpMemory {
    /** Longer answers are not small. */
    static final int SMALL_BYTES = 16 * 1024;

    private static final double REQUESTS = 0.5;
    private static final double ANSWERS = 0.5;
    private static final double SMALL = 1 / 16.0;
    private static final long MOST_SET_ASIDE = 4L << 20;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final Part requests;
    private final Part answers;
    private final Part small;

    HttpMemory(MemoryBudget budget) {
        this.requests = budget.part("requests", REQUESTS);
        this.answers = budget.part("answers", ANSWERS);
        double share = Math.min(SMALL, (double) MOST_SET_ASIDE / budget.bytes());
        this.small = budget.part("small_answers", share, share);
    }

    /** For a request, of which nothing is held yet. */
    CallMemory forCall() {
        return new CallMemory(requests.none(), answers.none(), small.none());
    }

    static Problem noneLeft() {
        return Problem.retryable(
                        503,
                        "Out of memory for requests",
                        "the memory for requests and answers is used up by others; ask again, or for less",
                        RETRY_AFTER)
                .typed(ProblemType.NO_MEMORY);
    }

    /** What was requested may have changed something before there was no memory for its answer. */
    static Problem noneLeftForAnswer() {
        return noneLeft()
                .detailed(
                        "the request was carried out, and the memory for its answer is used up by others; look at what"
                                + " it changed before sending it again")
                .typed(ProblemType.OUTCOME_UNKNOWN);
    }
}
