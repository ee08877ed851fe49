/**
 * Checks what operators watch Tidemark with: the Prometheus rules, their tests and runbook, and the Grafana dashboard.
 *
 * <p>Read {@link dev.tidemark.deploy.observe.ExportedMetrics}, the list of names that may be used, then {@link
 * dev.tidemark.deploy.observe.PromtoolCheck}, which the end-to-end tests call as well. What needs {@code promtool} is
 * skipped where it is absent, and says so; what can be checked without it always is.
 */
@NullMarked
package dev.tidemark.deploy.observe;

import org.jspecify.annotations.NullMarked;
