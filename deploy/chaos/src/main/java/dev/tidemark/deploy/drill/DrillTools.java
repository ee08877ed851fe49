package dev.tidemark.deploy.drill;

import java.net.URI;
import java.util.List;

import dev.tidemark.deploy.drill.target.DrillTarget;
import dev.tidemark.deploy.drill.target.TopicTamper;
import dev.tidemark.deploy.probe.ProbeTarget;
import dev.tidemark.deploy.stack.ReadinessProbe;

/** What a drill needs of the outside. Any thread may call it. */
public interface DrillTools {
    ReadinessProbe readiness();

    /** The public interface of a writer and a worker. */
    DrillTarget target(URI writer, URI worker);

    /** The same for the prober, with all workers of the group. */
    ProbeTarget probed(URI writer, List<URI> workers);

    /** Change topics at those brokers. */
    TopicTamper tamper(String bootstrapServers);
}
