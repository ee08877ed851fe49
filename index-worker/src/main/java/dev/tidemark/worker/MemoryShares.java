package dev.tidemark.worker;

import dev.tidemark.memory.MemoryBudget;

/** How the worker divides its memory. Each part is created once. */
record MemoryShares(MemoryBudget budget) {
    private static final double ROW_CACHE = 0.4;
    private static final double ROW_VERSIONS = 0.15;
    private static final double PAGES = 0.4;
    private static final double DEFINITIONS = 0.25;
    private static final double VERIFICATION = 0.2;
    private static final double MAILBOXES = 0.25;
    private static final double MAILBOXES_FLOOR = 0.1;
    private static final double BUILDS = 0.2;
    private static final double BUILDS_FLOOR = 0.05;

    /** Bytes for rows that changed last. */
    long rowCache(long wanted) {
        return budget.setAside("row_cache", ROW_CACHE, wanted);
    }

    /** Bytes for versions of rows. */
    long rowVersions(long wanted) {
        return budget.setAside("row_versions", ROW_VERSIONS, wanted);
    }

    MemoryBudget.Part pages() {
        return budget.part("pages", PAGES);
    }

    MemoryBudget.Part definitions() {
        return budget.part("definitions", DEFINITIONS);
    }

    MemoryBudget.Part verification() {
        return budget.part("verification", VERIFICATION);
    }

    MemoryBudget.Part mailboxes() {
        return budget.part("mailboxes", MAILBOXES, MAILBOXES_FLOOR);
    }

    MemoryBudget.Part builds() {
        return budget.part("builds", BUILDS, BUILDS_FLOOR);
    }
}
