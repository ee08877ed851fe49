package dev.tidemark.testkit;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** A port of this machine for a server that starts later. */
public final class UnusedPort {
    /** Below those that Linux gives to clients: it could give the port to one before the server takes it. */
    private static final int FIRST = 10_000;

    private static final int END = 32_768;

    private UnusedPort() {}

    /** A port between 10,000 and 32,767 on which no process listens now. */
    public static int find() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (BindException e) {
                // Another process has it; the next one may be free.
            }
        }
    }
}
