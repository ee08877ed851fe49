package dev.tidemark.deploy.drill;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.tidemark.deploy.target.ServiceCaller;

/**
 * The services, as the clients of a drill use them.
 *
 * @param writer calls the writer
 * @param worker calls one worker after the other
 * @param copies call one worker of each replica group
 */
public record DrillTarget(ServiceCaller writer, ServiceCaller worker, List<ServiceCaller> copies) {
    /** How long one request may take. */
    public static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Calls that go to one service after the other. */
    static ServiceCaller inTurn(List<ServiceCaller> services) {
        AtomicInteger turn = new AtomicInteger();
        return (method, path, headers, body) -> services.get(Math.floorMod(turn.getAndIncrement(), services.size()))
                .call(method, path, headers, body);
    }
}
