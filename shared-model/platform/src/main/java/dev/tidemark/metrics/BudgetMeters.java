package dev.tidemark.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import dev.tidemark.memory.MemoryBudget;

/** The memory budget of a process as meters. */
public final class BudgetMeters {
    private BudgetMeters() {}

    /** Shows a budget, to which no parts are added afterwards. */
    public static void show(MeterRegistry registry, MemoryBudget budget) {
        Gauge.builder("tidemark.memory.budget.bytes", budget, MemoryBudget::bytes)
                .description("Most bytes of heap that may be reserved for work whose size others decide")
                .register(registry);
        Gauge.builder("tidemark.memory.used.bytes", budget, MemoryBudget::reserved)
                .description(
                        "Bytes of the memory budget that are reserved, those that parts have for themselves included")
                .register(registry);
        for (MemoryBudget.Part part : budget.parts()) {
            Gauge.builder("tidemark.memory.reserved.bytes", part, MemoryBudget.Part::reserved)
                    .description("Bytes of the memory budget that are reserved")
                    .tag("part", part.name())
                    .register(registry);
            Gauge.builder("tidemark.memory.limit.bytes", part, MemoryBudget.Part::limit)
                    .description("Most bytes of the memory budget that this part may reserve")
                    .tag("part", part.name())
                    .register(registry);
            FunctionCounter.builder("tidemark.memory.refused", part, MemoryBudget.Part::refusals)
                    .description("Reservations that were refused because the memory budget was used up")
                    .tag("part", part.name())
                    .register(registry);
        }
    }
}
