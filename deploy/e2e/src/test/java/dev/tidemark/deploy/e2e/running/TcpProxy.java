package dev.tidemark.deploy.e2e.running;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Passes connections on to a port of this machine, until it is told to be a bad network. For any thread. */
public final class TcpProxy implements AutoCloseable {
    /** What becomes of what is sent. */
    public enum Network {
        /** It arrives. */
        GOOD,
        /** It is lost, and nobody is told. */
        SILENT,
        /** Every connection breaks. */
        CUT
    }

    private final ServerSocket server;
    private volatile int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile Network network = Network.GOOD;

    private TcpProxy(ServerSocket server, int target) {
        this.server = server;
        this.target = target;
    }

    /** A proxy on a free port. */
    public static TcpProxy to(int target) throws IOException {
        TcpProxy proxy = new TcpProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target);
        proxy.start("proxy-accept", proxy::accept);
        return proxy;
    }

    public int port() {
        return server.getLocalPort();
    }

    /** Passes connections on to another port from now on; those that are open break. */
    public void redirect(int another) {
        target = another;
        become(network);
    }

    /** Changes what the network does. What is lost stays lost, so its connections break when it is good again. */
    public void become(Network now) {
        network = now;
        if (now != Network.SILENT) {
            open.forEach(TcpProxy::closeQuietly);
            open.clear();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        become(Network.CUT);
    }

    private void accept() {
        try {
            while (true) {
                connect(server.accept());
            }
        } catch (IOException e) {
            // This proxy was closed.
            open.forEach(TcpProxy::closeQuietly);
        }
    }

    private void connect(Socket client) {
        if (network == Network.CUT) {
            closeQuietly(client);
            return;
        }
        try {
            Socket service = new Socket(InetAddress.getLoopbackAddress(), target);
            open.add(client);
            open.add(service);
            start("proxy-up", () -> pass(client, service));
            start("proxy-down", () -> pass(service, client));
        } catch (IOException e) {
            // The service is away, and the client finds out.
            closeQuietly(client);
        }
    }

    private void pass(Socket from, Socket to) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[16_384];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (network == Network.GOOD) {
                    out.write(buffer, 0, read);
                    out.flush();
                }
            }
        } catch (SocketException e) {
            // One end went away, and the other is closed with it.
            return;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    private void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is gone either way.
            return;
        }
    }
}
