package dev.tidemark.http;

import java.util.List;

import io.javalin.http.Context;

import dev.tidemark.access.Caller;
import dev.tidemark.access.Scope;
import dev.tidemark.row.ProblemType;

/** Who makes a request, and whether they may. */
public final class Access {
    private static final String CALLER = "dev.tidemark.caller";

    private Access() {}

    /** Who makes it; {@link Caller#TRUSTED} where nobody is asked for a token. */
    public static Caller caller(Context context) {
        Caller known = context.attribute(CALLER);
        return known == null ? Caller.TRUSTED : known;
    }

    /**
     * Goes on when the caller has one of the scopes.
     *
     * @param anyOf the first is named where none is there
     * @throws ProblemException 403 when the caller has none of them, 401 when there was no token
     */
    public static void require(Context context, List<Scope> anyOf) {
        Caller caller = caller(context);
        if (caller.mayAny(anyOf)) {
            return;
        }
        if (caller.equals(Caller.ANONYMOUS)) {
            throw unauthorized("expected a token, as in Authorization: Bearer TOKEN, but got none");
        }
        throw new ProblemException(
                Problem.of(403, "Forbidden", "the token " + caller.name() + " lacks the scope " + anyOf.get(0))
                        .typed(ProblemType.FORBIDDEN));
    }

    static ProblemException unauthorized(String detail) {
        return new ProblemException(Problem.of(401, "Unauthorized", detail).typed(ProblemType.UNAUTHORIZED));
    }

    static void remember(Context context, Caller caller) {
        context.attribute(CALLER, caller);
    }
}
