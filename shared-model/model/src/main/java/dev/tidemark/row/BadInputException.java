package dev.tidemark.row;

import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Something a user sent that cannot be accepted. The message always says what was expected and what was found, and is
 * fit to be shown to the sender.
 */
public abstract class BadInputException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String explanation;
    private final @Nullable ProblemType limit;

    protected BadInputException(String explanation) {
        this(explanation, null);
    }

    /**
     * Something beyond a limit.
     *
     * @param limit names what is too much, for programs; null when it is another mistake
     */
    protected BadInputException(String explanation, @Nullable ProblemType limit) {
        super(explanation);
        this.explanation = explanation;
        this.limit = limit;
    }

    /** The limit that was exceeded; empty when the mistake is another one. */
    public Optional<ProblemType> limit() {
        return Optional.ofNullable(limit);
    }

    /** Each mistake by itself; one at least. */
    public List<String> problems() {
        return List.of(explanation);
    }

    @Override
    public String getMessage() {
        return explanation;
    }
}
