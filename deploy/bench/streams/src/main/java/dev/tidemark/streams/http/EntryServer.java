package dev.tidemark.streams.http;

import java.nio.ByteBuffer;

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

    /** Finds entries. */
    public interface Entries {
        /** The answer for a town, as JSON. */
        byte[] first(String town, int limit);
    }

    /** Listens on a free port of this machine. */
    public EntryServer(Entries entries) throws Exception {
        listener.setHost("127.0.0.1");
        server.addConnector(listener);
        server.setHandler(new Router(entries));
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

    private static final class Router extends Handler.Abstract.NonBlocking {
        private final Entries entries;

        Router(Entries entries) {
            this.entries = entries;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            Fields asked = Request.extractQueryParameters(request);
            byte[] answer = entries.first(asked.getValue("town"), Integer.parseInt(asked.getValue("limit")));
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
            response.getHeaders().put(HttpHeader.CONTENT_LENGTH, answer.length);
            response.write(true, ByteBuffer.wrap(answer), callback);
            return true;
        }
    }
}
