package dev.tidemark.client;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;

/** A service that refuses the certificate of one client, and reads on, so that no reset overtakes the alert. */
final class RefusingService implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final SSLContext tls;
    private final Thread thread;

    RefusingService(SSLContext tls) throws IOException {
        this.tls = tls;
        this.thread = new Thread(this::refuse);
        thread.start();
    }

    String url() {
        return "https://127.0.0.1:" + server.getLocalPort();
    }

    private void refuse() {
        try (Socket plain = server.accept()) {
            SSLSocket secure = (SSLSocket) tls.getSocketFactory().createSocket(plain, null, plain.getPort(), false);
            secure.setUseClientMode(false);
            secure.setNeedClientAuth(true);
            try {
                secure.startHandshake();
            } catch (SSLHandshakeException e) {
                plain.getInputStream().transferTo(OutputStream.nullOutputStream());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
