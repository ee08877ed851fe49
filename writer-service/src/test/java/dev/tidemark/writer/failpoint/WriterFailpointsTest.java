package dev.tidemark.writer.failpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.writer.outbox.Outbox;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.InMemoryOutbox;

import static org.assertj.core.api.Assertions.assertThat;

class WriterFailpointsTest {
    private final List<String> reached = new ArrayList<>();
    private final Outbox outbox = new InMemoryOutbox(new InMemoryDisk());

    @Test
    void aProcessThatWasAskedForNoPointIsWiredAsIfThereWereNone() {
        assertThat(new WriterFailpoints(Optional.empty()).in(outbox)).isSameAs(outbox);
    }

    @Test
    void aPlaceIsBeforeOrAfterWhatItIsNamedFor() {
        Outbox watched = new WriterFailpoints(
                        Optional.of(point -> reached.add(point + " " + outbox.publishedThrough())))
                .in(outbox);
        watched.markPublished(3);
        assertThat(reached).containsExactly("relay.acknowledged 0", "relay.remembered 3");
    }
}
