package dev.tidemark.http;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * What the requests of one server are served with.
 *
 * @param routes the calls there are
 * @param own what the service does with calls that are not among them, and with failures
 * @param rules what every request must keep to
 * @param gate asks for tokens, where callers have to show them
 * @param memory what requests and answers may hold
 * @param slow watches the speed of clients
 * @param handlers threads for handlers
 * @param network runs one by one what completes answers that were begun on the network thread
 * @param connections which of them are kept for further requests
 */
record ServerContext(
        RouteTable routes,
        ServiceRoutes own,
        RequestRules rules,
        Optional<AuthenticationFilter> gate,
        HttpMemory memory,
        SlowClientReaper slow,
        Executor handlers,
        Executor network,
        ConnectionLimit connections) {
    /** The same with other calls. */
    ServerContext with(List<Route> others, ServiceRoutes from) {
        RouteTable table = new RouteTable(others, from.forwarder().isPresent());
        return new ServerContext(table, from, rules, gate, memory, slow, handlers, network, connections);
    }
}
