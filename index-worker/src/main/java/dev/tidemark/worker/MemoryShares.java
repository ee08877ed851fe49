package dev.tidemark.worker;

import dev.tidemark.memory.MemoryBudget;

/** How the worker divides its memory, in parts of all of it. Each part is created once. */
record MemoryShares(MemoryBudget budget) {
    /** Bytes for rows that changed last. */
    long rowCache(long wanted) {
        return budget.setAside("row_cache", 0.4, wanted);
    }

    /** Bytes for versions of rows. */
    long rowVersions(long wanted) {
        return budget.setAside("row_versions", 0.15, wanted);
    }

    MemoryBudget.Part pages() {
        return budget.part("pages", 0.4);
    }

    MemoryBudget.Part definitions() {
        return budget.part("definitions", 0.25);
    }

    MemoryBudget.Part verification() {
        return budget.part("verification", 0.2);
    }

    MemoryBudget.Part mailboxes() {
        return budget.part("mailboxes", 0.25, 0.1);
    }

    MemoryBudget.Part builds() {
        return budget.part("builds", 0.2, 0.05);
    }
}
