package dev.tidemark.http;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;

/** What a direct call is asked. */
public final class DirectRequest {
    private final List<String> names;
    private final Map<String, List<String>> parameters;
    private final @Nullable String type;
    private final byte[] body;
    private final Executor later;

    /** A request with a body that it takes over. */
    DirectRequest(
            List<String> names,
            Map<String, List<String>> parameters,
            @Nullable String type,
            byte[] body,
            Executor later) {
        this.names = names;
        this.parameters = parameters;
        this.type = type;
        this.body = body;
        this.later = later;
    }

    /** The segments of the path that the call does not fix. */
    public List<String> names() {
        return names;
    }

    /** The parameters, decoded, each with all its values. */
    public Map<String, List<String>> parameters() {
        return parameters;
    }

    /** The content type as it was sent; null for none. */
    public @Nullable String type() {
        return type;
    }

    /** All of the body. */
    public byte[] body() {
        return body;
    }

    /** Runs what is to be done once something has happened that the answer waits for. */
    public Executor later() {
        return later;
    }
}
