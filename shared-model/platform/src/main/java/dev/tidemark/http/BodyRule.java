package dev.tidemark.http;

/** What a call takes as a body; looked at before any of it is read. Runs on a network thread, so it must not wait. */
@FunctionalInterface
public interface BodyRule {
    /** For calls that look at no body: a short one is read past. */
    BodyRule UNUSED = call -> 4_096;

    /**
     * The longest body, in bytes.
     *
     * @throws Exception which is answered with a problem, and then the body is not read
     */
    int mostBytes(Call call) throws Exception;

    /** A body of one of these types. */
    static BodyRule of(int mostBytes, String... types) {
        return call -> {
            Requests.requireType(call, types);
            return mostBytes;
        };
    }
}
