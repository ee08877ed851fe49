package dev.tidemark.source.debezium;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.junit.jupiter.api.Test;

import dev.tidemark.row.RowJson;
import dev.tidemark.source.feed.BinaryLog;
import dev.tidemark.source.feed.SourceEvent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OpenTransactionTest {
    private static final SourceEvent SMALL = row("a");
    private static final SourceEvent LARGE = row("x".repeat(1 << 20));

    private final List<String> asked = new ArrayList<>();
    private BinaryLog.End end = BinaryLog.End.ROLLED_BACK;
    private final OpenTransaction open = new OpenTransaction((file, position) -> {
        asked.add(file + ":" + position);
        return end;
    });

    private static SourceEvent row(String name) {
        return new SourceEvent.Put(
                Optional.empty(),
                "shop.items",
                RowJson.mapper().createObjectNode().put("name", name),
                List.of(),
                Optional.empty());
    }

    private List<SourceEvent> add(SourceEvent event, long position) {
        Struct source = new Struct(SchemaBuilder.struct()
                .field("file", Schema.STRING_SCHEMA)
                .field("pos", Schema.INT64_SCHEMA)
                .build());
        return open.add(event, source.put("file", "log.1").put("pos", position));
    }

    @Test
    void rowsAreHeldBackUntilTheyAreCommitted() {
        assertThat(add(SMALL, 4)).isEmpty();
        assertThat(add(SMALL, 8)).isEmpty();
        assertThat(open.committed()).containsExactly(SMALL, SMALL);
        assertThat(open.left()).isEmpty();
        assertThat(asked).isEmpty();
    }

    @Test
    void rowsThatAreRolledBackAreForgotten() {
        add(SMALL, 4);
        add(SMALL, 8);
        assertThat(open.left()).isEmpty();
        assertThat(asked).containsExactly("log.1:8");
        add(LARGE, 12);
        assertThat(open.committed()).isEmpty();
    }

    @Test
    void aLargeTransactionPassesAndIsReadAgainIfItIsRolledBack() {
        add(SMALL, 4);
        assertThat(add(LARGE, 8)).containsExactly(SMALL, LARGE);
        assertThat(add(SMALL, 12)).containsExactly(SMALL);
        assertThat(open.left()).singleElement().isInstanceOf(SourceEvent.Alteration.class);
        assertThat(open.left()).isEmpty();
    }

    @Test
    void rowsThatArePreparedPass() {
        end = BinaryLog.End.OTHER;
        add(SMALL, 4);
        assertThat(open.left()).containsExactly(SMALL);
        assertThat(open.left()).isEmpty();
    }

    @Test
    void aTransactionWhoseEndIsLackingEndsTheRun() {
        end = BinaryLog.End.COMMITTED;
        add(SMALL, 4);
        assertThatThrownBy(open::left).hasMessageContaining("lacks the end of a transaction");
    }
}
