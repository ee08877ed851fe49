package dev.tidemark.access;

import java.util.List;
import java.util.Set;

/**
 * Who asks.
 *
 * @param name of the token that was shown, for logs and messages
 * @param scopes what it allows
 */
public record Caller(String name, Set<Scope> scopes) {
    /** Who has shown no token. */
    public static final Caller ANONYMOUS = new Caller("anonymous", Set.of());

    /** The caller of a service that requires no tokens. */
    public static final Caller TRUSTED = new Caller("anybody", Set.of(new Scope(Scope.Kind.EVERYTHING, "")));

    public Caller {
        scopes = Set.copyOf(scopes);
    }

    /** Whether any of the given scopes is this caller's. */
    public boolean mayAny(List<Scope> wanted) {
        return wanted.stream().anyMatch(this::may);
    }

    /** Whether the scope, or one that covers it, is this caller's. */
    public boolean may(Scope wanted) {
        return scopes.stream().anyMatch(scope -> scope.covers(wanted));
    }
}
