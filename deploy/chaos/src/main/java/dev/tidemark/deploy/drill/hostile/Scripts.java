package dev.tidemark.deploy.drill.hostile;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The harm that clients try to do to each service. */
public final class Scripts {
    private static final int ANNOUNCED_BYTES = 900_000;
    private static final int DEEP = 100_000;

    /** A lookup takes 1,000 keys of about 1,000 bytes. */
    private static final int KEYS = 1_000;

    private static final int KEY_LENGTH = 990;

    /**
     * Number of digits of a number that parses with its exponent; written plainly, it is one digit too long to parse
     * again.
     */
    private static final int DIGITS = 399;

    private static final String NDJSON = "Content-Type: application/x-ndjson";
    private static final String CLOSE = "Connection: close";
    private static final String OVERRIDE = "X-HTTP-Method-Override: ";
    private static final String CROSS_SITE = "Sec-Fetch-Site: cross-site";
    private static final String EMPTY = "Content-Length: 0";

    private final String host;

    /**
     * Scripts for one service.
     *
     * @param authority host and port, as in its URL
     */
    public Scripts(String authority) {
        this(authority, "");
    }

    /**
     * Scripts for one service whose clients show something.
     *
     * @param headers that each request has too, each with its line break; empty for none
     */
    public Scripts(String authority, String headers) {
        this.host = "Host: " + authority + "\r\n" + headers;
    }

    /**
     * What is done to a writer.
     *
     * @param table with a text as its primary key
     * @param keyField the field of its primary key
     */
    public List<Script> forWriter(String table, String keyField) {
        String rows = "/v1/tables/" + table + "/rows";
        String row = rows + "/hostile";
        String lookup = rows + ":lookup";
        String key = "{\"" + keyField + "\":\"hostile\",\"n\":";
        return List.of(
                slowHeaders(),
                slowBody("slow body of a row", "PUT", row, "application/json"),
                slowBody("slow body of a load", "POST", rows, "application/x-ndjson"),
                slowBody("slow body of a lookup", "POST", lookup, "application/json"),
                slowBody("slow body on no path", "POST", "/nothing/there", "application/json"),
                slowChunks(rows),
                Script.slowReader("slow reader of a page", get(rows + "?limit=1000")),
                Script.slowReader("slow reader of a table", get("/v1/tables/" + table + "/facts")),
                Script.greedy("page after page", last(rows + "?limit=1000")),
                // As many keys as one lookup may ask for, each as long as a key may be.
                Script.greedy("large lookups, one after the other", json("POST", lookup, keys(KEYS), CLOSE)),
                Script.forbidden("lookup of too many keys", json("POST", lookup, keys(KEYS + 1))),
                Script.forbidden(
                        "number that cannot be read again", json("PUT", row, key + "1".repeat(DIGITS) + "E9}")),
                Script.forbidden("deep document", json("PUT", row, key + "[".repeat(DEEP) + "}")),
                Script.forbidden("row of another key", json("PUT", row, "{\"" + keyField + "\":\"other\"}")),
                Script.forbidden("GET that says it is a DELETE", head("GET", row, OVERRIDE + "DELETE")),
                Script.forbidden("page of another site", head("DELETE", row, CROSS_SITE, EMPTY)),
                Script.forbidden("name of a stranger", stranger("DELETE", row)),
                Script.forbidden("two lengths of one body", json("PUT", row, "{}", "Content-Length: 3") + " "),
                Script.forbidden(
                        "chunk of no size",
                        head("POST", rows, NDJSON, "Transfer-Encoding: chunked") + "none\r\n{}\r\n0\r\n\r\n"),
                Script.breakingOff(
                        "broken off in a body", announced("POST", rows, "application/x-ndjson", ANNOUNCED_BYTES) + "{"),
                pipelined(rows + "?limit=1"),
                garbage());
    }

    /**
     * What is done to a worker.
     *
     * @param table of which nothing may be paused
     * @param index of which pages are asked for, without a condition
     */
    public List<Script> forWorker(String table, String index) {
        String entries = "/v1/indexes/" + index + "/entries";
        String pause = "/v1/tables/" + table + "/pause";
        return List.of(
                slowHeaders(),
                slowBody("slow body of a verification", "POST", "/v1/verify", "application/json"),
                slowBody("slow body of a plan", "POST", "/v1/plan", "application/yaml"),
                slowBody("slow body on no path", "POST", "/nothing/there", "application/json"),
                Script.slowReader("slow reader of a page", get(entries + "?limit=10000")),
                Script.slowReader("slow reader of rows", get(entries + "?limit=10000&fetch=row")),
                Script.slowReader("slow reader of metrics", get("/metrics")),
                Script.greedy("rows, page after page", last(entries + "?limit=10000&fetch=row")),
                Script.greedy("advice again and again", last("/v1/advice")),
                Script.greedy("quarantine again and again", last("/v1/quarantine?limit=10000")),
                Script.forbidden("page of another site", head("POST", pause, CROSS_SITE, EMPTY)),
                Script.forbidden("name of a stranger", stranger("POST", pause)),
                Script.forbidden("GET that says it is a POST", head("GET", pause, OVERRIDE + "POST")),
                Script.forbidden("query that is not UTF-8", get(entries + "?town=%ff")),
                Script.breakingOff("broken off in the headers", "GET " + entries + " HTTP/1.1\r\n" + host + "X-A: "),
                pipelined(entries + "?limit=1"),
                garbage());
    }

    /** A client that fetches the rows of an index, again and again. */
    public Script fetchingRows(String index) {
        return Script.greedy(
                "large rows, page after page", last("/v1/indexes/" + index + "/entries?limit=10000&fetch=row"));
    }

    private Script slowHeaders() {
        return Script.dripping("slow headers", "GET /health/live HTTP/1.1\r\n" + host + "X-Slow: ", "a");
    }

    private Script slowBody(String name, String method, String path, String type) {
        return Script.dripping(name, announced(method, path, type, ANNOUNCED_BYTES), " ");
    }

    private Script slowChunks(String path) {
        return Script.dripping(
                "slow chunks of a load", head("POST", path, NDJSON, "Transfer-Encoding: chunked"), "1\r\n \r\n");
    }

    private Script pipelined(String path) {
        return Script.greedy("many requests at once", get(path).repeat(200) + last(path));
    }

    private static Script garbage() {
        return Script.forbidden("no HTTP at all", "\u0016\u0003\u0001\u0002\u0000\u0001 \u00ff\u0000\r\n\r\n");
    }

    private String get(String path) {
        return head("GET", path);
    }

    /** The last request of a connection. */
    private String last(String path) {
        return head("GET", path, CLOSE);
    }

    private String json(String method, String path, String body, String... headers) {
        return announced(method, path, "application/json", body.length(), headers) + body;
    }

    private String announced(String method, String path, String type, int length, String... headers) {
        List<String> all = new ArrayList<>(List.of(headers));
        all.addAll(List.of("Content-Type: " + type, "Content-Length: " + length));
        return head(method, path, all.toArray(String[]::new));
    }

    /** A request up to its body. */
    private String head(String method, String path, String... headers) {
        return method + " " + path + " HTTP/1.1\r\n" + host + lines(headers);
    }

    private static String stranger(String method, String path) {
        return method + " " + path + " HTTP/1.1\r\nHost: evil.example\r\n" + lines(EMPTY);
    }

    private static String lines(String... headers) {
        return Stream.of(headers).map(header -> header + "\r\n").collect(Collectors.joining("", "", "\r\n"));
    }

    /** Keys that no row has. */
    private static String keys(int many) {
        String padding = "k".repeat(KEY_LENGTH);
        return IntStream.range(0, many)
                .mapToObj(number -> "\"" + number + padding + "\"")
                .collect(Collectors.joining(",", "{\"keys\":[", "]}"));
    }

    /**
     * What a hostile client does on each of its connections.
     *
     * @param name of the kind of harm, for reports
     * @param opening what it sends at once, a byte for each character
     * @param drip what it sends afterwards, one byte at a time, from the start again at its end; empty for nothing
     * @param reading how it reads what it is answered
     * @param refused whether a 2xx answer would be a defect of the service
     */
    public record Script(String name, String opening, String drip, Reading reading, boolean refused) {
        /** How a client reads. */
        public enum Reading {
            /** Everything at once. */
            ALL,
            /** The status, and then it breaks the connection. */
            STATUS,
            /** One byte at a time, as it sends. */
            SLOWLY,
            /** It breaks the connection as soon as it has sent its opening. */
            NEVER
        }

        /** Whether its harm is to send or to read slowly. */
        public boolean isSlow() {
            return !drip.isEmpty() || reading == Reading.SLOWLY;
        }

        /** A client that sends an opening and then one byte after the other. */
        static Script dripping(String name, String opening, String drip) {
            return new Script(name, opening, drip, Reading.ALL, false);
        }

        /** A client that reads its answer one byte after the other. */
        static Script slowReader(String name, String request) {
            return new Script(name, request, "", Reading.SLOWLY, false);
        }

        /** A client that sends at once and reads at once, for as often as the service lets it. */
        static Script greedy(String name, String request) {
            return new Script(name, request, "", Reading.ALL, false);
        }

        /** A client whose request must be refused. */
        static Script forbidden(String name, String request) {
            return new Script(name, request, "", Reading.STATUS, true);
        }

        /** A harmless client, which asks whether the service is alive. */
        static Script health(String host) {
            String request = "GET /health/live HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
            return new Script("health", request, "", Reading.STATUS, false);
        }

        /** A client that breaks its connection in the middle of a request. */
        static Script breakingOff(String name, String opening) {
            return new Script(name, opening, "", Reading.NEVER, false);
        }
    }
}
