package dev.tidemark.catalog;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Long random histories of definitions, and what holds in every version of them. */
class DefinitionsPropertyTest {
    private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");
    private static final int HISTORIES = 60;
    private static final int STEPS = 40;
    private static final List<String> NAMES = List.of("a", "b", "c", "d");
    private static final List<String> FIELDS = List.of("town", "name.first", "{field: age, order: desc}");
    private static final List<String> PROJECTIONS = List.of("all", "keys_only", "[town]", "[town, name]");
    private static final List<String> FILTERS =
            List.of("", ", where: {age: {gte: 1.50}}", ", where: {town: {ne: Berlin}, x: {exists: true}}");

    @Test
    void everyVersionOfAHistoryKeepsThePromises() throws Exception {
        long base = Long.getLong("definitions.seed", System.nanoTime());
        for (int i = 0; i < HISTORIES; i++) {
            new History(base + i).run();
        }
    }

    /** One history; remembers which numbers were given. */
    private static final class History {
        private final long seed;
        private final Random random;
        private final Set<Long> given = new HashSet<>();

        History(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
        }

        void run() throws Exception {
            Definitions definitions = Definitions.first(catalog(), START);
            definitions.generations("t").forEach(generation -> given.add(generation.id()));
            for (int step = 0; step < STEPS; step++) {
                Instant at = START.plusMillis(random.nextInt(1_000_000));
                Definitions after = random.nextBoolean() ? changed(definitions, at) : ordered(definitions, at);
                check(definitions, after);
                definitions = after;
            }
        }

        private Definitions changed(Definitions before, Instant at) throws CatalogException {
            Catalog wanted = catalog();
            Definitions after = before.changed(wanted, at);
            assertThat(after.diff(wanted)).as("seed %d", seed).isEmpty();
            assertThat(after.version() == before.version())
                    .as("seed %d", seed)
                    .isEqualTo(before.diff(wanted).isEmpty());
            return after;
        }

        private Definitions ordered(Definitions before, Instant at) {
            IndexOperation.Kind[] kinds = IndexOperation.Kind.values();
            try {
                return before.with(new IndexOperation(kinds[random.nextInt(kinds.length)], "t", pick(NAMES)), at);
            } catch (OperationRefusedException e) {
                return before;
            }
        }

        private void check(Definitions before, Definitions after) throws Exception {
            assertThat(after.diff(after.catalog())).as("seed %d", seed).isEmpty();
            assertThat(after.nextGeneration()).as("seed %d", seed).isGreaterThanOrEqualTo(before.nextGeneration());
            assertThat(DefinitionsJson.read(DefinitionsJson.write(after)))
                    .as("seed %d", seed)
                    .isEqualTo(after);
            for (Generation generation : after.generations("t")) {
                if (!before.generations("t").contains(generation)) {
                    assertThat(given.add(generation.id()))
                            .as("seed %d: number %d is given for the first time", seed, generation.id())
                            .isTrue();
                }
            }
        }

        private Catalog catalog() throws CatalogException {
            List<String> indexes = new ArrayList<>();
            for (String name : NAMES) {
                if (random.nextInt(3) > 0) {
                    indexes.add(name + ": {key: [" + pick(FIELDS) + "], projection: " + pick(PROJECTIONS)
                            + pick(FILTERS) + "}");
                }
            }
            return CatalogReader.read(
                    "c", "tables: {t: {primaryKey: id, indexes: {" + String.join(", ", indexes) + "}}}");
        }

        private String pick(List<String> choices) {
            return choices.get(random.nextInt(choices.size()));
        }
    }
}
