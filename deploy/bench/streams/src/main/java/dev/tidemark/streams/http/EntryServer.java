package dev.tidemark.streams.http;

import java.nio.ByteBuffer;
import java.util.function.BiFunction;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;

/**
 * Jetty with its own settings, which answers the first entries of a town on the threads that read the network: what it
 * asks does not wait, as in the worker.
 */
public final class EntryServer implements AutoCloseable {
    private final Server server = new Server();
    private final ServerConnector listener = new ServerConnector(server);

    /**
     * Listens on a free port of this machine.
     *
     * @param entries gives the answer for a town and a limit, as JSON
     */
    public EntryServer(BiFunction<String, Integer, byte[]> entries) throws Exception {
        listener.setHost("127.0.0.1");
        server.addConnector(listener);
        server.setHandler(new Handler.Abstract.NonBlocking() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                Fields asked = Request.extractQueryParameters(request);
                byte[] answer = entries.apply(asked.getValue("town"), Integer.valueOf(asked.getValue("limit")));
                response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
                response.getHeaders().put(HttpHeader.CONTENT_LENGTH, answer.length);
                response.write(true, ByteBuffer.wrap(answer), callback);
                return true;
            }
        });
        server.start();
    }

    /** The port it listens on. */
    public int port() {
        return listener.getLocalPort();
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("Expected to stop listening", e);
        }
    }
}
