package dev.tidemark.deploy.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A question to an index.
 *
 * @param index its name, or {@code table.index}
 * @param parameters of the URL, in order: conditions ({@code year.gte}) and options ({@code limit}) alike
 */
public record QueryRequest(String index, List<Map.Entry<String, String>> parameters) {

    public QueryRequest {
        parameters = List.copyOf(parameters);
    }

    public static QueryRequest of(String index) {
        return new QueryRequest(index, List.of());
    }

    /** The same with one more parameter; without one where its value is null. */
    public QueryRequest with(String name, @Nullable Object value) {
        if (value == null) {
            return this;
        }
        List<Map.Entry<String, String>> more = new ArrayList<>(parameters);
        more.add(Map.entry(name, value.toString()));
        return new QueryRequest(index, more);
    }
}
