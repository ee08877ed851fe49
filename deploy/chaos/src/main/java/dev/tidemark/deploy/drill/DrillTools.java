package dev.tidemark.deploy.drill;

import java.util.function.Function;

import dev.tidemark.deploy.drill.target.TopicTamper;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.target.ServiceCallers;

/**
 * What a drill needs of the outside. Any thread may call it.
 *
 * @param readiness asks a started process whether it serves
 * @param callers gives access to the services, for the clients and the prober
 * @param tamper gives access to the change topics at brokers
 */
public record DrillTools(ReadinessProbe readiness, ServiceCallers callers, Function<String, TopicTamper> tamper) {}
