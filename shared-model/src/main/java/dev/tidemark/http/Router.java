package dev.tidemark.http;

import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Where requests come in, on the threads that read the network. */
final class Router extends Handler.Abstract.NonBlocking {
    private final ServerContext serving;

    Router(ServerContext serving) {
        this.serving = serving;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        new Exchange(serving, request, response, callback).begin();
        return true;
    }
}
