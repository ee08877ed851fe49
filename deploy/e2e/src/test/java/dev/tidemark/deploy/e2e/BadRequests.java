package dev.tidemark.deploy.e2e;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import dev.tidemark.deploy.e2e.http.Facts;

/** Requests that no service should take, over the table of cities. */
final class BadRequests {
    static final Map<String, String> JSON = Map.of("Content-Type", "application/json");

    private static final String ROWS = Facts.rowsOf("cities");
    private static final String LYON = ROWS + "/fr,Lyon";
    private static final String ENTRIES = "/v1/indexes/cities.by_mayor/entries";
    private static final String BY_TWIN = "/v1/indexes/cities.by_twin/entries";

    private BadRequests() {}

    /**
     * A request and what its answer has to be.
     *
     * @param name what is wrong with it
     * @param says pattern of what the detail has to hold
     */
    record Bad(
            String name,
            String method,
            String path,
            String body,
            Map<String, String> headers,
            int status,
            String says) {
        Bad(String name, String method, String path, int status, String says) {
            this(name, method, path, "", Map.of(), status, says);
        }

        Bad with(String text) {
            return new Bad(name, method, path, text, JSON, status, says);
        }

        Bad and(String header, String value) {
            Map<String, String> more = new TreeMap<>(headers);
            more.put(header, value);
            return new Bad(name, method, path, body, more, status, says);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Bad> toTheWriter() {
        String row = "{\"country\":\"fr\",\"name\":\"Lyon\"}";
        return Stream.of(
                new Bad("bad JSON", "PUT", LYON, 400, "expected JSON").with("{bad"),
                new Bad("no JSON", "PUT", LYON, 400, "expected"),
                new Bad("two values", "PUT", LYON, 400, "expected").with(row + row),
                new Bad("repeated field", "PUT", LYON, 400, "name")
                        .with("{\"country\":\"fr\",\"name\":\"Lyon\",\"name\":\"Paris\"}"),
                new Bad("not an object", "PUT", LYON, 400, "expected a JSON object").with("[1]"),
                new Bad("10,000-deep JSON", "PUT", LYON, 400, "depth|deep|nest")
                        .with("{\"a\":" + "[".repeat(10_000) + "]".repeat(10_000) + "}"),
                new Bad("row without its primary key", "PUT", LYON, 400, "expected the primary key.*name")
                        .with("{\"country\":\"fr\"}"),
                new Bad("key of another type", "PUT", LYON, 400, "name.*expected")
                        .with("{\"country\":\"fr\",\"name\":{\"x\":1}}"),
                new Bad("key of another shape", "PUT", ROWS + "/fr", 400, "expected 2 values").with(row),
                new Bad("key with too many parts", "GET", ROWS + "/fr,Lyon,3", 400, "expected 2 values"),
                new Bad("another key in the body", "PUT", ROWS + "/fr,Paris", 400, "expected.*Paris.*Lyon").with(row),
                new Bad("unknown table", "PUT", "/v1/tables/towns/rows/x", 404, "towns.*cities").with(row),
                new Bad("unknown table of a scan", "GET", "/v1/tables/towns/rows", 404, "towns"),
                new Bad("unknown path", "GET", "/v2", 404, "/v2"),
                new Bad("unknown method", "POST", LYON, 405, "").with(row),
                new Bad("row that is not there", "GET", ROWS + "/fr,Nowhere", 404, "Nowhere"),
                new Bad("delete of a row that is not there", "DELETE", ROWS + "/fr,Nowhere", 404, "Nowhere"),
                new Bad("patch of a row that is not there", "PATCH", ROWS + "/fr,Nowhere", 404, "Nowhere").with("{}"),
                new Bad("patch that moves the key", "PATCH", LYON, 400, "expected.*Lyon").with("{\"name\":\"Paris\"}"),
                new Bad("patch that is not an object", "PATCH", LYON, 400, "expected a JSON object").with("7"),
                new Bad("wrong content type", "PUT", LYON, 415, "application/json")
                        .with(row)
                        .and("Content-Type", "text/csv"),
                new Bad("bulk load of the wrong type", "POST", ROWS, 415, "application/x-ndjson").with(row),
                new Bad("bad flag", "POST", ROWS + "?atomic=maybe", 400, "true or false")
                        .with(row)
                        .and("Content-Type", "application/x-ndjson"),
                new Bad("limit of zero", "GET", ROWS + "?limit=0", 400, "limit"),
                new Bad("limit beyond all bounds", "GET", ROWS + "?limit=99999999999", 400, "limit"),
                new Bad("forged cursor", "GET", ROWS + "?cursor=AAAA", 400, "cursor"),
                new Bad("failing If-Match", "PUT", LYON, 412, "").with(row).and("If-Match", "\"0000000000000000001\""),
                new Bad("failing If-None-Match", "PUT", LYON, 412, "").with(row).and("If-None-Match", "*"),
                new Bad("If-Match on a delete", "DELETE", LYON, 412, "").and("If-Match", "\"1\""),
                new Bad("row that an index cannot hold", "PUT", LYON, 422, "by_mayor.*mayor")
                        .with("{\"country\":\"fr\",\"name\":\"Lyon\",\"mayor\":{\"a\":1}}"),
                new Bad("row with too many elements", "PUT", LYON, 422, "by_twin.*elements")
                        .with("{\"country\":\"fr\",\"name\":\"Lyon\",\"mayor\":1,\"twins\":[" + "7,".repeat(5_000)
                                + "7]}"),
                new Bad("row with too long a key", "PUT", LYON, 422, "by_mayor.*bytes")
                        .with("{\"country\":\"fr\",\"name\":\"Lyon\",\"mayor\":\"" + "x".repeat(9_000) + "\"}"),
                new Bad("lookup without keys", "POST", ROWS + ":lookup", 400, "keys").with("{}"),
                new Bad("lookup of a bad key", "POST", ROWS + ":lookup", 400, "expected").with("{\"keys\":[7]}"));
    }

    static Stream<Bad> toTheWorker() {
        return Stream.of(
                new Bad("unknown index", "GET", "/v1/indexes/by_nothing/entries", 404, "by_nothing"),
                new Bad("index name that two tables have", "GET", "/v1/indexes/by_town/entries", 400, "\\.by_town"),
                new Bad("unknown path", "GET", "/v1/indices", 404, "/v1/indices"),
                new Bad("unknown method", "DELETE", ENTRIES, 405, ""),
                new Bad("bad JSON sent to a query", "POST", ENTRIES, 405, "").with("{bad"),
                new Bad("unknown parameter", "GET", ENTRIES + "?colour=red", 400, "colour"),
                new Bad("unknown operator", "GET", ENTRIES + "?mayor.like=x", 400, "like"),
                new Bad("range on a later part", "GET", BY_TWIN + "?mayor.gte=1", 400, "twins"),
                new Bad("range on a part before an equality", "GET", BY_TWIN + "?twins.gte=1&mayor=2", 400, ""),
                new Bad("equality on a later part", "GET", BY_TWIN + "?mayor=2", 400, "twins"),
                new Bad("equality and range on one part", "GET", ENTRIES + "?mayor=a&mayor.gte=b", 400, "mayor"),
                new Bad("two equalities on one part", "GET", ENTRIES + "?mayor=a&mayor=b", 400, "mayor"),
                new Bad("prefix of a number", "GET", ENTRIES + "?mayor.prefix=7", 400, "prefix"),
                new Bad("forged cursor", "GET", ENTRIES + "?cursor=AAAA", 400, "cursor"),
                new Bad("cursor that is no Base64", "GET", ENTRIES + "?cursor=%00%FF", 400, ""),
                new Bad("forged token", "GET", ENTRIES + "?token=AAAA", 400, "token"),
                new Bad("endless token", "GET", ENTRIES + "?token=" + "A".repeat(40_000), 400, "token"),
                new Bad("limit of zero", "GET", ENTRIES + "?limit=0", 400, "limit"),
                new Bad("limit beyond all bounds", "GET", ENTRIES + "?limit=1000000", 400, "limit"),
                new Bad("limit that is no number", "GET", ENTRIES + "?limit=ten", 400, "limit"),
                new Bad("bad order", "GET", ENTRIES + "?order=up", 400, "asc"),
                new Bad("bad duration", "GET", ENTRIES + "?wait=soon", 400, "duration"),
                new Bad("bad staleness", "GET", ENTRIES + "?max_staleness=-1s", 400, "duration"),
                new Bad("bad fetch", "GET", ENTRIES + "?fetch=all", 400, "row"));
    }
}
