package dev.tidemark.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A service that reads the head of each request, sends the same bytes, and either closes or says no more. */
final class RawPeer implements AutoCloseable {
    final List<String> heads = new CopyOnWriteArrayList<>();
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final String answer;
    private final boolean closes;

    RawPeer(String answer, boolean closes) throws IOException {
        this.answer = answer;
        this.closes = closes;
        Thread thread = new Thread(this::accept, "raw-peer");
        thread.setDaemon(true);
        thread.start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                sockets.add(socket);
                serve(socket);
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private void serve(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                return;
            }
            head.append((char) next);
        }
        heads.add(head.toString());
        OutputStream out = socket.getOutputStream();
        out.write(answer.getBytes(StandardCharsets.US_ASCII));
        out.flush();
        if (closes) {
            socket.close();
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
