package dev.tidemark.deploy.drill.hostile;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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
        String key = "{\"" + keyField + "\":\"hostile\",\"n\":";
        return List.of(
                slowHeaders(),
                slowBody("slow body of a row", "PUT", row, "application/json"),
                slowBody("slow body of a load", "POST", rows, "application/x-ndjson"),
                slowBody("slow body of a lookup", "POST", rows + ":lookup", "application/json"),
                slowBody("slow body on no path", "POST", "/nothing/there", "application/json"),
                slowChunks(rows),
                Script.slowReader("slow reader of a page", get(rows + "?limit=1000")),
                Script.slowReader("slow reader of a table", get("/v1/tables/" + table + "/facts")),
                Script.greedy("page after page", last(rows + "?limit=1000")),
                Script.greedy("large lookups, one after the other", lookup(rows)),
                Script.forbidden("lookup of too many keys", post(rows + ":lookup", keys(KEYS + 1))),
                Script.forbidden("number that cannot be read again", put(row, key + "1".repeat(DIGITS) + "E9}")),
                Script.forbidden("deep document", put(row, key + "[".repeat(DEEP) + "}")),
                Script.forbidden("row of another key", put(row, "{\"" + keyField + "\":\"other\"}")),
                Script.forbidden("GET that says it is a DELETE", overridden(row)),
                Script.forbidden("page of another site", crossSite("DELETE", row)),
                Script.forbidden("name of a stranger", stranger(row)),
                Script.forbidden("two lengths of one body", lengths(row)),
                Script.forbidden("chunk of no size", badChunk(rows)),
                Script.breakingOff("broken off in a body", post(rows, ANNOUNCED_BYTES, "application/x-ndjson") + "{"),
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
                Script.forbidden("page of another site", crossSite("POST", pause)),
                Script.forbidden(
                        "name of a stranger",
                        "POST " + pause + " HTTP/1.1\r\nHost: evil.example\r\n" + "Content-Length: 0\r\n\r\n"),
                Script.forbidden("GET that says it is a POST", overridden(pause)),
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
        String head = method + " " + path + " HTTP/1.1\r\n" + host + "Content-Type: " + type + "\r\nContent-Length: ";
        return Script.dripping(name, head + ANNOUNCED_BYTES + "\r\n\r\n", " ");
    }

    private Script slowChunks(String path) {
        String head = "POST " + path + " HTTP/1.1\r\n" + host + "Content-Type: application/x-ndjson\r\n";
        return Script.dripping("slow chunks of a load", head + "Transfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n");
    }

    private String get(String path) {
        return "GET " + path + " HTTP/1.1\r\n" + host + "\r\n";
    }

    /** The last request of a connection. */
    private String last(String path) {
        return "GET " + path + " HTTP/1.1\r\n" + host + "Connection: close\r\n\r\n";
    }

    private String put(String path, String body) {
        return "PUT " + path + " HTTP/1.1\r\n" + host + "Content-Type: application/json\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body;
    }

    /**
     * Asks for as many keys as one lookup may, each as long as a key may be, and is the last request of its connection.
     */
    private String lookup(String rows) {
        String body = keys(KEYS);
        return "POST " + rows + ":lookup HTTP/1.1\r\n" + host
                + "Connection: close\r\nContent-Type: application/json\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body;
    }

    /** Keys that no row has. */
    private static String keys(int many) {
        String padding = "k".repeat(KEY_LENGTH);
        return IntStream.range(0, many)
                .mapToObj(number -> "\"" + number + padding + "\"")
                .collect(Collectors.joining(",", "{\"keys\":[", "]}"));
    }

    private String post(String path, String body) {
        return post(path, body.length(), "application/json") + body;
    }

    private String post(String path, int length, String type) {
        return "POST " + path + " HTTP/1.1\r\n" + host + "Content-Type: " + type + "\r\nContent-Length: " + length
                + "\r\n\r\n";
    }

    private String overridden(String path) {
        return "GET " + path + " HTTP/1.1\r\n" + host + "X-HTTP-Method-Override: "
                + (path.endsWith("/pause") ? "POST" : "DELETE") + "\r\n\r\n";
    }

    private String crossSite(String method, String path) {
        return method + " " + path + " HTTP/1.1\r\n" + host + "Sec-Fetch-Site: cross-site\r\nContent-Length: 0\r\n\r\n";
    }

    private static String stranger(String path) {
        return "DELETE " + path + " HTTP/1.1\r\nHost: evil.example\r\n\r\n";
    }

    private String lengths(String path) {
        return "PUT " + path + " HTTP/1.1\r\n" + host
                + "Content-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} ";
    }

    private String badChunk(String path) {
        return "POST " + path + " HTTP/1.1\r\n" + host
                + "Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\nnone\r\n{}\r\n0\r\n\r\n";
    }

    private Script pipelined(String path) {
        return Script.greedy("many requests at once", get(path).repeat(200) + last(path));
    }

    private static Script garbage() {
        return Script.forbidden("no HTTP at all", "\u0016\u0003\u0001\u0002\u0000\u0001 \u00ff\u0000\r\n\r\n");
    }
}
