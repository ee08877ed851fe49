package dev.tidemark.http;

import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * What the requests of one server are served with.
 *
 * @param routes the calls there are
 * @param rules what every request must keep to
 * @param gate asks for tokens, where callers have to show them
 * @param memory what requests and answers may hold
 * @param slow watches the speed of clients
 * @param handlers threads for handlers
 * @param network runs one by one what completes answers that were begun on the network thread
 * @param forwarder takes calls that are not among the routes, where there is one
 * @param problems what the service answers where a call failed; empty for what every service answers
 * @param connections which of them are kept for further requests
 */
record ServerContext(
        RouteTable routes,
        RequestRules rules,
        Optional<AuthenticationFilter> gate,
        HttpMemory memory,
        SlowClientReaper slow,
        Executor handlers,
        Executor network,
        Optional<Forwarder> forwarder,
        Function<Throwable, Optional<Problem>> problems,
        ConnectionLimit connections) {
    /** The same with other calls. */
    ServerContext with(ServiceRoutes other) {
        return new ServerContext(
                new RouteTable(other.routes(), other.forwarder().isPresent()),
                rules,
                gate,
                memory,
                slow,
                handlers,
                network,
                other.forwarder(),
                other::problem,
                connections);
    }
}
