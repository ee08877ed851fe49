package dev.tidemark.http;

import java.util.List;

import dev.tidemark.access.Caller;
import dev.tidemark.access.Scope;
import dev.tidemark.row.ProblemType;

/** Whether the one who makes a request may. */
public final class Access {
    private Access() {}

    /**
     * Goes on when the caller has one of the scopes.
     *
     * @param anyOf the first is named where none is there
     * @throws ProblemException 403 when the caller has none of them, 401 when there was no token
     */
    public static void require(Call call, List<Scope> anyOf) {
        Caller caller = call.caller();
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

    /** The token of a request that is under way was removed, or lost a scope. */
    static ProblemException revoked() {
        return unauthorized("expected a token that may make this request until it ends, but it no longer may");
    }

    static ProblemException unauthorized(String detail) {
        return new ProblemException(Problem.of(401, "Unauthorized", detail).typed(ProblemType.UNAUTHORIZED));
    }
}
