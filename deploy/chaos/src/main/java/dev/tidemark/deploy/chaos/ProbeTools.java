package dev.tidemark.deploy.chaos;

import dev.tidemark.deploy.probe.ProbeExporter;
import dev.tidemark.deploy.probe.ProbeTargets;

/**
 * What the prober needs of the outside.
 *
 * @param targets gives access to the services
 * @param exporter publishes the findings to Prometheus
 */
record ProbeTools(ProbeTargets targets, ProbeExporter exporter) {}
