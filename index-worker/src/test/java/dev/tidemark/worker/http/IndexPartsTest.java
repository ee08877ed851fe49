package dev.tidemark.worker.http;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;

class IndexPartsTest {
    private static final DesiredTable PEOPLE = Tables.plan(Tables.people());

    private static final ShardPart READY =
            new ShardPart(true, Optional.empty(), Optional.of(Instant.EPOCH), Optional.empty(), false);

    @Test
    void ofTwoWorkersThatListAShardTheOneThatIsNotReadyCounts() {
        JsonNode former = saying(READY);
        JsonNode owner = saying(ShardPart.NOT_BEGUN);

        assertThat(of(former).isReady(0)).isTrue();
        assertThat(of(former, owner).isReady(0)).isFalse();
        assertThat(of(owner, former).isReady(0)).isFalse();
    }

    private static IndexParts of(JsonNode... parts) {
        return IndexParts.of(PEOPLE.definition(), PEOPLE.indexes().get(0), List.of(parts));
    }

    private static JsonNode saying(ShardPart part) {
        ObjectNode json = JsonValues.object();
        json.putObject("life")
                .put("generation", PEOPLE.indexes().get(0).current().id());
        json.putArray("shards").addObject().put("partition", 0).set("part", part.json());
        return json;
    }
}
