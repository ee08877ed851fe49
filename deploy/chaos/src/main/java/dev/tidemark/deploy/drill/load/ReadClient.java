package dev.tidemark.deploy.drill.load;

import java.util.Optional;
import java.util.Random;

import dev.tidemark.index.IndexDefinition;

/** Asks the indexes that do not change, without end. Owned by its thread. */
record ReadClient(AnswerCheck check, Random random) {
    void ask() throws InterruptedException {
        String name = DrillTables.WRITTEN.get(random.nextInt(DrillTables.WRITTEN.size()));
        IndexDefinition index = DrillTables.anyStable(name, random);
        check.ask(new AnswerCheck.Question(
                DrillTables.table(name), index, RowGenerator.anyValue(index, random), Optional.empty()));
    }
}
