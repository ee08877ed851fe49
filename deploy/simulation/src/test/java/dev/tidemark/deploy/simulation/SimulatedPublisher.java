package dev.tidemark.deploy.simulation;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.tidemark.change.ChangeCodec;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.outbox.EventPublisher;
import dev.tidemark.writer.outbox.Publication;
import dev.tidemark.writer.outbox.PublishException;

/**
 * Appends to the simulated log, badly: a call may append only the first messages, all of them without saying so, or some
 * of them twice, and the process may end at any message.
 */
final class SimulatedPublisher implements EventPublisher {
    private final SimulatedLog log;
    private final ChangeCodec codec;
    private final ManualClock clock;
    private final Chance chance;
    private boolean broken;
    private int losses;

    SimulatedPublisher(SimulatedLog log, ChangeCodec codec, ManualClock clock, Chance chance) {
        this.log = log;
        this.codec = codec;
        this.clock = clock;
        this.chance = chance;
        this.losses = log.losses();
    }

    @Override
    public Map<Shard, Long> publish(List<Publication> messages) throws PublishException {
        if (broken) {
            throw new AssertionError("published without a reset after a failure");
        }
        chance.killPoint("before publishing");
        if (losses != log.losses()) {
            // Numbers that do not follow each other tell an idempotent producer.
            throw failed("sending what follows on lost records");
        }
        int fate = chance.faultOneIn(8) ? chance.below(messages.size() + 1) : messages.size() + 1;
        Map<Shard, Long> ends = new TreeMap<>(Comparator.comparing(Shard::table).thenComparing(Shard::partition));
        for (int i = 0; i < messages.size(); i++) {
            if (i == fate) {
                throw failed("sending");
            }
            append(messages.get(i), ends);
            chance.killPoint("while publishing");
        }
        if (fate == messages.size()) {
            throw failed("acknowledging");
        }
        chance.killPoint("after publishing");
        return ends;
    }

    @Override
    public void reset() {
        broken = false;
        losses = log.losses();
    }

    private void append(Publication message, Map<Shard, Long> ends) {
        SimulatedPartition partition = log.partitions().get(message.partition());
        int copies = chance.faultOneIn(20) ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            partition.append(codec.encode(message.message()), clock.instant());
        }
        ends.put(new Shard(message.table(), message.partition()), partition.endOffset());
    }

    private PublishException failed(String step) {
        broken = true;
        return new PublishException("simulated failure while " + step);
    }
}
