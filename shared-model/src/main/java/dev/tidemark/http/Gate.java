package dev.tidemark.http;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import io.javalin.http.Context;
import io.javalin.security.RouteRole;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.access.Attempts;
import dev.tidemark.access.Caller;
import dev.tidemark.access.Scope;
import dev.tidemark.access.Tokens;
import dev.tidemark.row.ProblemType;

/**
 * Asks for tokens before a call is handled. A right token always passes, also from an address that has shown many wrong
 * ones: else whoever shares an address could shut others out. What keeps tokens from being guessed is their length.
 */
final class Gate {
    private static final Logger LOGGER = LoggerFactory.getLogger(Gate.class);
    private static final String SCHEME = "bearer ";

    private final Supplier<Tokens> tokens;
    private final Attempts attempts;
    private final Function<String, List<String>> indexNames;

    /**
     * A gate.
     *
     * @param tokens those in force
     * @param indexNames every name by which a scope may mean the index that a request calls so
     */
    Gate(Supplier<Tokens> tokens, Function<String, List<String>> indexNames, Clock clock) {
        this.tokens = tokens;
        this.attempts = new Attempts(clock);
        this.indexNames = indexNames;
    }

    /** Lets the request go on, or ends it with 401, 403 or 429. */
    void check(Context context) {
        Access.remember(context, Caller.ANONYMOUS);
        Access.remember(context, caller(context));
        Need need = need(context);
        if (need == Need.NOTHING) {
            return;
        }
        if (need == Need.TOKEN) {
            if (Access.caller(context).equals(Caller.ANONYMOUS)) {
                throw Access.unauthorized("expected a token, as in Authorization: Bearer TOKEN, but got none");
            }
            return;
        }
        Access.require(context, scopes(need, context.pathParamMap()));
    }

    /**
     * Whether a request may be made so; where not, it has to be looked at more closely.
     *
     * @param authorization the header, where it was sent
     * @param name of the index or the table
     */
    boolean admits(@Nullable String authorization, Need need, String name) {
        if (authorization == null || !isToken(authorization)) {
            return false;
        }
        List<Scope> anyOf = scopes(need, Map.of("index", name, "table", name));
        return tokens.get()
                .find(token(authorization))
                .filter(caller -> caller.mayAny(anyOf))
                .isPresent();
    }

    private Caller caller(Context context) {
        String header = context.header("Authorization");
        if (header == null) {
            return Caller.ANONYMOUS;
        }
        Optional<Caller> caller = isToken(header) ? tokens.get().find(token(header)) : Optional.empty();
        return caller.orElseThrow(() -> refused(context));
    }

    private static boolean isToken(String header) {
        return header.toLowerCase(Locale.ROOT).startsWith(SCHEME);
    }

    private static String token(String header) {
        return header.substring(SCHEME.length()).strip();
    }

    private ProblemException refused(Context context) {
        Optional<Duration> wait = attempts.failed(context.ip());
        if (wait.isPresent()) {
            return new ProblemException(Problem.retryable(
                            429,
                            "Too many attempts",
                            "expected a token that is known, but this address has shown too many others",
                            wait.get())
                    .typed(ProblemType.TOO_MANY_ATTEMPTS));
        }
        // The path as it was sent: encoded, so that it cannot break the line.
        LOGGER.warn(
                "Refused {} {} from {}: its token is not known",
                context.method(),
                context.req().getRequestURI(),
                context.ip());
        return Access.unauthorized("expected a token that is known, as in Authorization: Bearer TOKEN");
    }

    private static Need need(Context context) {
        for (RouteRole role : context.routeRoles()) {
            if (role instanceof Need need) {
                return need;
            }
        }
        return Need.ADMIN;
    }

    private List<Scope> scopes(Need need, Map<String, String> names) {
        return switch (need) {
            case METRICS -> List.of(Scope.metrics(), Scope.admin());
            case READ_INDEX ->
                indexNames.apply(names.getOrDefault("index", "")).stream()
                        .map(Scope::read)
                        .toList();
            case READ_ROWS -> List.of(Scope.facts(names.getOrDefault("table", "")));
            case WRITE_ROWS -> List.of(Scope.write(names.getOrDefault("table", "")));
            case ADMIN, NOTHING, TOKEN -> List.of(Scope.admin());
        };
    }
}
