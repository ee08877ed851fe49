package dev.tidemark.fuzz;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Requests that no client would send, over one connection for as long as the server keeps it. An input is an octet for
 * the method, one for the type of the body, a line with path and query, and the body. Belongs to one thread.
 */
public final class RawHttp implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 20_000;
    private static final int MOST_ANSWERED = 32 << 20;
    private static final List<String> METHODS = List.of("GET", "PUT", "PATCH", "DELETE", "POST", "HEAD", "OPTIONS");
    private static final List<String> TYPES = List.of(
            "application/json",
            "application/x-ndjson",
            "application/merge-patch+json",
            "application/yaml",
            "text/plain");

    private final int port;
    private @Nullable Socket socket;
    private @Nullable InputStream in;

    /** Connects to this port of this machine with the first request. */
    public RawHttp(int port) {
        this.port = port;
    }

    /**
     * Sends what an input says, and judges the answer.
     *
     * @throws AssertionError when there is no answer, an untyped error, or one that says that the service failed
     */
    public void exchange(byte[] input) throws IOException {
        Pieces pieces = new Pieces(input);
        String method = METHODS.get(pieces.octet() % METHODS.size());
        String type = TYPES.get(pieces.octet() % TYPES.size());
        String target = "/" + sendable(pieces.line());
        String sent = method + " " + target;
        try {
            byte[] body = pieces.rest();
            String first = answer(sent, type, body);
            judge(first.isEmpty() ? answer(sent, type, body) : first, sent, method.equals("HEAD"));
        } catch (IOException e) {
            close();
            throw new AssertionError("Expected an answer to " + sent, e);
        }
    }

    private static String sendable(String line) {
        StringBuilder target = new StringBuilder();
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            target.append(c <= ' ' || c >= 0x7F ? String.format("%%%02X", (int) c) : String.valueOf(c));
        }
        return target.toString();
    }

    private void send(String request, String type, byte[] body) throws IOException {
        Socket connection = socket;
        if (connection == null) {
            connection = new Socket(InetAddress.getLoopbackAddress(), port);
            connection.setSoTimeout(PATIENCE_MILLIS);
            connection.setTcpNoDelay(true);
            socket = connection;
            in = new BufferedInputStream(connection.getInputStream());
        }
        byte[] head = (request + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nContent-Type: " + type
                        + "\r\nContent-Length: " + body.length + "\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
        byte[] all = new byte[head.length + body.length];
        System.arraycopy(head, 0, all, 0, head.length);
        System.arraycopy(body, 0, all, head.length, body.length);
        connection.getOutputStream().write(all);
    }

    /**
     * The first line of the answer; empty where the server has ended a connection that was kept, as it may at any time.
     */
    private String answer(String request, String type, byte[] body) throws IOException {
        boolean kept = socket != null;
        try {
            send(request, type, body);
            return line();
        } catch (EOFException | SocketException e) {
            if (!kept) {
                throw e;
            }
            close();
            return "";
        }
    }

    private void judge(String first, String sent, boolean headOnly) throws IOException {
        int status = Integer.parseInt(first.split(" ", 3)[1]);
        Map<String, String> headers = headers();
        String type = headers.getOrDefault("content-type", "");
        boolean endless = type.startsWith("text/event-stream");
        int length = headOnly || endless ? 0 : skipBody(status, headers);
        if (endless || "close".equals(headers.get("connection"))) {
            close();
        }
        FuzzTarget.require(status < 500 || status == 503, "an answer to " + sent + ", but got " + status);
        FuzzTarget.require(
                status < 400 || headOnly || (type.equals("application/problem+json") && length > 0),
                "a problem in answer to " + sent + ", but got " + status + " as " + type);
    }

    private int skipBody(int status, Map<String, String> headers) throws IOException {
        if ("chunked".equals(headers.get("transfer-encoding"))) {
            int all = 0;
            int chunk;
            do {
                chunk = Integer.parseInt(line().trim(), 16);
                skip(chunk);
                line();
                all += chunk;
                FuzzTarget.require(all < MOST_ANSWERED, "a bounded answer");
            } while (chunk > 0);
            return all;
        }
        if (status == 204 || status == 304) {
            return 0;
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        FuzzTarget.require(length < MOST_ANSWERED, "a bounded answer");
        skip(length);
        return length;
    }

    private Map<String, String> headers() throws IOException {
        Map<String, String> headers = new HashMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).trim());
        }
        return headers;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = read(); c != '\n'; c = read()) {
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    private void skip(int bytes) throws IOException {
        if (open().readNBytes(bytes).length < bytes) {
            throw new EOFException("the answer breaks off");
        }
    }

    private int read() throws IOException {
        int c = open().read();
        if (c < 0) {
            throw new EOFException("the connection ends");
        }
        return c;
    }

    private InputStream open() throws IOException {
        return Optional.ofNullable(in).orElseThrow(() -> new IOException("not connected"));
    }

    @Override
    public void close() throws IOException {
        Socket connection = socket;
        socket = null;
        in = null;
        if (connection != null) {
            connection.close();
        }
    }
}
