package dev.tidemark.worker.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import dev.tidemark.http.ServiceClient;

/** A writer that takes every request, answers with some text that is no whole answer, and is silent from then on. */
final class SilentWriter implements AutoCloseable {
    /** A head and the beginning of a body. */
    static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{";

    /** Not even a head. */
    static final String NOTHING = "";

    final CountDownLatch asked = new CountDownLatch(1);

    /** Counted down when a client has closed its connection. */
    final CountDownLatch left = new CountDownLatch(1);

    private final String answer;
    private final ServerSocket server;
    private final ServiceConnection connection;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    SilentWriter(String answer) throws IOException {
        this.answer = answer;
        this.server = new ServerSocket();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        connection = new ServiceConnection(ServiceClient.plain(url()));
        new Thread(this::accept, "silent-writer").start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    ServiceConnection connection() {
        return connection;
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                sockets.add(socket);
                new Thread(() -> serve(socket), "silent-writer-connection").start();
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            in.read();
            asked.countDown();
            out.write(answer.getBytes(StandardCharsets.US_ASCII));
            out.flush();
            while (in.read() >= 0) {
                // Whatever else it asks.
            }
        } catch (IOException e) {
            // It has left.
        }
        left.countDown();
    }

    @Override
    public void close() throws IOException {
        connection.close();
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
