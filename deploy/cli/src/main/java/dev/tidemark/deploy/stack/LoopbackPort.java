package dev.tidemark.deploy.stack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Questions about one TCP port of the loopback address. */
public final class LoopbackPort {
    // Below the range that systems give to outgoing connections, so that a port stays free while its child restarts.
    private static final int FIRST = 20_000;
    private static final int LAST = 30_000;
    private static final int CONNECT_MILLIS = 500;

    private LoopbackPort() {}

    static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** A free port that is none of those. */
    public static int anyFree(Set<Integer> except) {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            if (!except.contains(port) && isFree(port)) {
                return port;
            }
        }
    }

    /** Whether a process accepts connections at a port; the address may be any of this machine's. */
    static boolean accepts(String host, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
