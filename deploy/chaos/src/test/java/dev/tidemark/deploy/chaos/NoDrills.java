package dev.tidemark.deploy.chaos;

import java.net.URI;
import java.util.List;

import dev.tidemark.deploy.drill.DrillTools;
import dev.tidemark.deploy.drill.target.DrillTarget;
import dev.tidemark.deploy.drill.target.TopicTamper;
import dev.tidemark.deploy.probe.ProbeTarget;
import dev.tidemark.deploy.stack.ReadinessProbe;

/** For command lines that run no drill. */
final class NoDrills implements DrillTools {
    @Override
    public ReadinessProbe readiness() {
        throw new AssertionError("nobody should ask");
    }

    @Override
    public DrillTarget target(URI writer, URI worker) {
        throw new AssertionError("nobody should ask");
    }

    @Override
    public ProbeTarget probed(URI writer, List<URI> workers) {
        throw new AssertionError("nobody should ask");
    }

    @Override
    public TopicTamper tamper(String bootstrapServers) {
        throw new AssertionError("nobody should ask");
    }
}
