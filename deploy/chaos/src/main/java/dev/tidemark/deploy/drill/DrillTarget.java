package dev.tidemark.deploy.drill;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.target.ServiceCaller;
import dev.tidemark.deploy.target.ServiceCaller.Reply;
import dev.tidemark.row.RowJson;

/**
 * The public interface of the services, as the clients of a drill use it. Every call throws what
 * {@link ServiceCaller#call} throws.
 *
 * @param writer calls the writer
 * @param worker calls one worker after the other
 * @param copies call one worker of each replica group
 */
public record DrillTarget(ServiceCaller writer, ServiceCaller worker, List<ServiceCaller> copies) {
    /** How long one request may take. */
    public static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Calls that go to one service after the other. */
    static ServiceCaller inTurn(List<ServiceCaller> services) {
        AtomicInteger turn = new AtomicInteger();
        return (method, path, headers, body) -> services.get(Math.floorMod(turn.getAndIncrement(), services.size()))
                .call(method, path, headers, body);
    }

    /**
     * Writes one row.
     *
     * @param method PUT, PATCH or DELETE
     * @param key the parts of the primary key
     * @param body the row or merge patch; nothing for a delete
     */
    public Reply write(String method, String table, List<String> key, JsonNode body)
            throws IOException, InterruptedException {
        String type = method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
        byte[] bytes = method.equals("DELETE") ? new byte[0] : RowJson.write(body);
        return writer.call(method, ServiceCaller.rowOf(table, key), Map.of("Content-Type", type), bytes);
    }

    /** Sends one bulk request, a line each. */
    public Reply load(String table, List<? extends JsonNode> lines) throws IOException, InterruptedException {
        String body = lines.stream().map(line -> line + "\n").collect(Collectors.joining());
        Map<String, String> type = Map.of("Content-Type", "application/x-ndjson");
        return writer.call("POST", ServiceCaller.rowsOf(table), type, bytes(body));
    }

    /** Asks the worker for entries; the parameters not yet encoded. */
    public Reply query(String index, Map<String, String> parameters) throws IOException, InterruptedException {
        return worker.get(ServiceCaller.entriesOf(index, parameters));
    }

    /**
     * Brings a catalog in force.
     *
     * @param version that the change is made from
     */
    public Reply define(String catalog, String version) throws IOException, InterruptedException {
        Map<String, String> headers = Map.of("Content-Type", "application/yaml", "If-Match", "\"" + version + "\"");
        return writer.call("PUT", "/v1/catalog", headers, bytes(catalog));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
