package dev.tidemark.writer.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.tidemark.writer.database.FactsSettings;

/** Stands between a writer and its server, and breaks connections off when a test says so. */
final class FlakyProxy implements AutoCloseable {
    private static final long FROZEN_MILLIS = 60_000;

    private final ServerSocket listening;
    private final int port;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private volatile String marker = "";
    private volatile boolean passOn;
    private volatile boolean refusing;
    private volatile boolean freezing;

    FlakyProxy(int port) throws IOException {
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.port = port;
        thread(this::accept);
    }

    /** The same database through this proxy. */
    FactsSettings through(FactsSettings settings) {
        String url = settings.url().replace(":" + port + "/", ":" + listening.getLocalPort() + "/");
        return new FactsSettings(url, settings.user(), settings.passwordFile());
    }

    /**
     * Breaks the connection off at the next request that holds a text.
     *
     * @param reachesServer whether the server still receives the request; no answer comes back in any case
     */
    void breakAt(String text, boolean reachesServer) {
        passOn = reachesServer;
        marker = text;
    }

    /** From the next request that holds a text on, its connection stays open and passes on no request. */
    void freezeAt(String text) {
        freezing = true;
        marker = text;
    }

    /** Whether what was asked for has happened. */
    boolean isBroken() {
        return marker.isEmpty();
    }

    /** Refuses new connections, or takes them again. */
    void refuse(boolean all) {
        refusing = all;
    }

    @Override
    public void close() throws IOException {
        listening.close();
        open.forEach(FlakyProxy::close);
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                if (refusing) {
                    close(client);
                    continue;
                }
                Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
                open.add(client);
                open.add(server);
                thread(() -> copy(client, server, true));
                thread(() -> copy(server, client, false));
            } catch (IOException e) {
                // The test is over, or the server is away: the client sees a broken connection.
            }
        }
    }

    private void copy(Socket from, Socket to, boolean requests) {
        byte[] buffer = new byte[1 << 16];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                boolean last = requests && isAt(new String(buffer, 0, read, StandardCharsets.ISO_8859_1));
                if (!last) {
                    out.write(buffer, 0, read);
                } else {
                    if (freezing) {
                        Thread.sleep(FROZEN_MILLIS);
                    } else if (passOn) {
                        from.shutdownOutput();
                        out.write(buffer, 0, read);
                        out.flush();
                        // The server ends what it received before it sees that the client has gone.
                        Thread.sleep(300);
                    }
                    return;
                }
            }
        } catch (IOException | InterruptedException e) {
            // The other direction ends with this one.
        }
    }

    private boolean isAt(String request) {
        boolean here = !marker.isEmpty() && request.contains(marker);
        if (here) {
            marker = "";
        }
        return here;
    }

    private static void thread(Runnable work) {
        Thread thread = new Thread(work, "flaky-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
