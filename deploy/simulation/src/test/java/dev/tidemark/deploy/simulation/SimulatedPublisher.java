package dev.tidemark.deploy.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ExpectedOffset;
import dev.tidemark.change.WireRecord;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.outbox.Appended;
import dev.tidemark.writer.outbox.Publication;
import dev.tidemark.writer.outbox.PublishException;

/**
 * Appends to the simulated log as an idempotent producer does, badly: a call may append only the first messages, or all of them
 * without saying so, and the process may end at any message. Where the log has lost records it takes another epoch of its own and
 * goes on at the end that it finds, and nothing fails.
 */
final class SimulatedPublisher extends WaitingPublisher {
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
    }

    @Override
    Appended publish(List<Publication> messages) throws PublishException {
        if (broken) {
            throw new AssertionError("published without a reset after a failure");
        }
        chance.killPoint("before publishing");
        log.deliverLate(chance, false);
        int fate = chance.faultOneIn(faultsOneIn()) ? chance.below(messages.size() + 1) : messages.size() + 1;
        Appended appended = new Appended();
        for (int i = 0; i < messages.size(); i++) {
            if (i == fate) {
                comeLate(messages.subList(i, messages.size()));
                throw failed("sending");
            }
            append(messages.get(i), appended);
            chance.killPoint("while publishing");
        }
        if (fate == messages.size()) {
            throw failed("acknowledging");
        }
        chance.killPoint("after publishing");
        return appended;
    }

    @Override
    public void reset() {
        broken = false;
    }

    /** A broker that has lost records is likely to be in trouble still when the next ones come. */
    private int faultsOneIn() {
        boolean lost = losses != log.losses();
        losses = log.losses();
        return lost ? 2 : 8;
    }

    private void append(Publication message, Appended appended) {
        SimulatedPartition partition = log.partitions().get(message.partition());
        appended.add(message, partition.endOffset());
        partition.append(record(message), clock.instant());
    }

    /** A request that the closed producer has handed to the network may reach the broker after those of the next one. */
    private void comeLate(List<Publication> messages) {
        if (chance.oneIn(2)) {
            log.comeLate(messages.stream()
                    .map(message ->
                            new SimulatedLog.Late(log.topicId(), message.partition(), record(message), clock.instant()))
                    .toList());
        }
    }

    private WireRecord record(Publication message) {
        WireRecord plain = codec.encode(message.message());
        Map<String, String> headers = new HashMap<>(plain.headers());
        headers.put(ExpectedOffset.HEADER, ExpectedOffset.text(message.expectedOffset()));
        return new WireRecord(plain.key(), plain.value(), headers);
    }

    private PublishException failed(String step) {
        broken = true;
        return new PublishException("simulated failure while " + step);
    }
}
