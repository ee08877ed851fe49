package dev.tidemark.deploy.probe;

import java.net.URI;
import java.util.List;

import dev.tidemark.deploy.target.ServiceCaller;
import dev.tidemark.deploy.target.ServiceCaller.ServiceCallers;

/**
 * A writer and the workers that follow it, as the prober uses them.
 *
 * @param writer calls the writer
 * @param workers call one worker each; at least one
 */
public record ProbeTarget(ServiceCaller writer, List<ServiceCaller> workers) {
    /** Services at those URLs; nothing is connected yet. */
    public static ProbeTarget at(ServiceCallers callers, URI writer, List<URI> workers) {
        return new ProbeTarget(
                callers.at(writer, Probe.PATIENCE),
                workers.stream().map(url -> callers.at(url, Probe.PATIENCE)).toList());
    }
}
