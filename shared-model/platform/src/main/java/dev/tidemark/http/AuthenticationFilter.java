package dev.tidemark.http;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.access.Caller;
import dev.tidemark.access.FailedAttempts;
import dev.tidemark.access.Scope;
import dev.tidemark.access.Tokens;
import dev.tidemark.row.ProblemType;

/**
 * Requires a token before a call is handled. A valid token always passes, also from an address that has sent many wrong
 * ones. Otherwise one client could shut out all others at its address. The length of the tokens keeps them from being
 * guessed.
 */
final class AuthenticationFilter {
    private static final Logger LOGGER = LoggerFactory.getLogger(AuthenticationFilter.class);
    private static final String SCHEME = "bearer ";

    private final Supplier<Tokens> tokens;
    private final FailedAttempts attempts;
    private final Function<String, List<String>> indexNames;

    /**
     * A gate.
     *
     * @param tokens those in force
     * @param indexNames every name by which a scope may mean the index that a request calls so
     */
    AuthenticationFilter(Supplier<Tokens> tokens, Function<String, List<String>> indexNames, Clock clock) {
        this.tokens = tokens;
        this.attempts = new FailedAttempts(clock);
        this.indexNames = indexNames;
    }

    /** Lets the request go on, or ends it with 401, 403 or 429. */
    void check(Call call, Permission need) {
        call.caller(Caller.ANONYMOUS, () -> true);
        call.caller(caller(call), () -> admits(call, need));
        if (need == Permission.NOTHING) {
            return;
        }
        if (need.takesAnyToken()) {
            if (call.caller().equals(Caller.ANONYMOUS)) {
                throw Access.unauthorized("expected a token, as in Authorization: Bearer TOKEN, but got none");
            }
            return;
        }
        Access.require(call, scopes(need, call.pathParams()));
    }

    /** Whether the token of a call that was let in is still good for it. */
    private boolean admits(Call call, Permission need) {
        if (need == Permission.NOTHING) {
            return true;
        }
        Optional<Caller> caller = call.authorization().flatMap(this::known);
        return caller.isPresent() && (need.takesAnyToken() || caller.get().mayAny(scopes(need, call.pathParams())));
    }

    private Caller caller(Call call) {
        Optional<String> header = call.authorization();
        return header.isEmpty() ? Caller.ANONYMOUS : known(header.get()).orElseThrow(() -> refused(call));
    }

    private Optional<Caller> known(String header) {
        return isToken(header) ? tokens.get().find(token(header)) : Optional.empty();
    }

    private static boolean isToken(String header) {
        return header.toLowerCase(Locale.ROOT).startsWith(SCHEME);
    }

    private static String token(String header) {
        return header.substring(SCHEME.length()).strip();
    }

    private ProblemException refused(Call call) {
        Optional<Duration> wait = attempts.failed(call.ip());
        if (wait.isPresent()) {
            return new ProblemException(Problem.retryable(
                            429,
                            "Too many attempts",
                            "expected a token that is known, but this address has shown too many others",
                            wait.get())
                    .typed(ProblemType.TOO_MANY_ATTEMPTS));
        }
        // The path as it was sent: encoded, so that it cannot break the line.
        LOGGER.warn("Refused {} {} from {}: its token is not known", call.method(), call.path(), call.ip());
        return Access.unauthorized("expected a token that is known, as in Authorization: Bearer TOKEN");
    }

    private List<Scope> scopes(Permission need, Map<String, String> names) {
        return switch (need) {
            case METRICS -> List.of(Scope.metrics(), Scope.admin());
            case PEER -> List.of(Scope.peer());
            case READ_INDEX ->
                indexNames.apply(names.getOrDefault("index", "")).stream()
                        .map(Scope::read)
                        .toList();
            case READ_ROWS -> List.of(Scope.facts(names.getOrDefault("table", "")));
            case WRITE_ROWS -> List.of(Scope.write(names.getOrDefault("table", "")));
            case ADMIN, NOTHING, TOKEN, WRITE_SOURCE -> List.of(Scope.admin());
        };
    }
}
