package dev.tidemark.writer.outbox;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HeldTablesTest {
    private static final TableHold WAITING = new TableHold(TableHold.Kind.WAITING, "its topic takes no records");

    private final RelayStatus status = new RelayStatus();
    private final HeldTables held = new HeldTables(2, status);

    @Test
    void aTableIsQuietOnceTheResultOfEveryGivenUpSendIsKnown() {
        Sent first = new Sent();
        Sent second = new Sent();
        held.hold("customers", WAITING, List.of(first));
        held.hold("customers", WAITING, List.of(second));
        second.done = true;
        assertThat(held.isQuiet("customers")).isFalse();

        first.done = true;
        assertThat(held.isQuiet("customers")).isTrue();
    }

    /** A send holds its messages, so one that is done must not be kept. */
    @Test
    void aSendThatIsDoneIsNotKeptWhenItsTableIsHeldAgain() {
        Sent first = new Sent();
        held.hold("customers", WAITING, List.of(first));
        first.done = true;

        held.hold("customers", WAITING, List.of());
        first.done = false;

        assertThat(held.isQuiet("customers")).isTrue();
    }

    @Test
    void allWritesAreRefusedWhereEveryTableOfTheCatalogRefusesThem() {
        status.answered();
        held.leave("movies");
        assertThat(status.refusal()).isEmpty();

        held.hold("customers", new TableHold(TableHold.Kind.REFUSED, "its cleanup.policy is delete"), List.of());
        assertThat(status.refusal()).contains("its cleanup.policy is delete");
    }

    private static final class Sent implements EventPublisher.Sending {
        private boolean done;

        @Override
        public boolean isDone() {
            return done;
        }

        @Override
        public AppendedOffsets appended() {
            return new AppendedOffsets();
        }
    }
}
