package dev.tidemark.deploy.drill.load;

import java.util.List;
import java.util.Optional;
import java.util.Random;

import dev.tidemark.deploy.drill.history.HistoryRecorder;
import dev.tidemark.deploy.drill.target.DrillTarget;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.runtime.Agent;

/** Asks the indexes that do not change, without end. Owned by its thread. */
final class ReadClient implements Agent {
    private final AnswerCheck check;
    private final ClientGate gate;
    private final Random random;

    ReadClient(DrillTarget target, HistoryRecorder books, ClientGate gate, Random random) {
        this.check = new AnswerCheck(target, books);
        this.gate = gate;
        this.random = random;
    }

    @Override
    public String roleName() {
        return "drill-reader";
    }

    @Override
    public int doWork() throws InterruptedException {
        if (!gate.enter()) {
            return 0;
        }
        try {
            String name = DrillTables.WRITTEN.get(random.nextInt(DrillTables.WRITTEN.size()));
            List<IndexDefinition> stable = DrillTables.stable(name);
            IndexDefinition index = stable.get(random.nextInt(stable.size()));
            List<String> values = RowGenerator.values(DrillTables.asked(index));
            String value = values.get(random.nextInt(values.size()));
            check.ask(new AnswerCheck.Question(DrillTables.table(name), index, value, Optional.empty()));
        } finally {
            gate.leave();
        }
        return 0;
    }
}
