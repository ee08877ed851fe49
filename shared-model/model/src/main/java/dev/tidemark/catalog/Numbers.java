package dev.tidemark.catalog;

import java.util.Set;

/**
 * Numbers for new generations and layouts, each given once. One is left out where the topic of a derived table would
 * have the name of a table's topic but for dots, because brokers refuse such a topic.
 */
final class Numbers {
    private final Set<String> tables;
    private long next;

    /**
     * The numbers from some first one.
     *
     * @param tables the names of all tables that have topics
     */
    Numbers(long first, Set<String> tables) {
        this.next = first;
        this.tables = Set.copyOf(tables);
    }

    /** The first number that is not given yet. */
    long next() {
        return next;
    }

    /** Gives a number to a generation that has no derived table by itself. */
    long give() {
        return next++;
    }

    /** Gives a number to a layout of a table. */
    long giveLayout(String table) {
        return give(table, "");
    }

    /** Gives a number to a generation of a global index. */
    long give(String table, String index) {
        while (tables.contains(new DerivedTable(table, index, next).undotted())) {
            next++;
        }
        return next++;
    }
}
