package dev.tidemark.worker.http;

import java.net.URI;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AdviseRoutesTest {

    @Test
    void tellsWhatWasCountedOfEachIndexAndOfWhichPartitionsNothing() throws Exception {
        try (WorkerServer server = new WorkerServer(URI.create("http://127.0.0.1:1"))) {
            server.films.put(98, "{\"id\":1,\"title\":\"Alien\",\"year\":1979,\"cast\":[\"Weaver\",\"Hurt\"]}");
            server.films.put(99, "{\"id\":2,\"title\":\"Aliens\",\"year\":1986,\"cast\":[\"Weaver\"]}");
            server.deliver();
            assertThat(server.get("/v1/indexes/by_actor/entries?cast=Weaver").statusCode())
                    .isEqualTo(200);

            JsonNode report = server.json("/v1/advice");

            assertThat(report.path("advice")).isEmpty();
            JsonNode byActor = report.at("/indexes/0");
            assertThat(byActor.path("index").asText()).isEqualTo("by_actor");
            assertThat(byActor.path("entries").asLong()).isEqualTo(3);
            assertThat(byActor.path("distinctValues").asLong()).isEqualTo(2);
            assertThat(byActor.at("/heaviest/0/value").asText()).isEqualTo("Weaver");
            assertThat(byActor.at("/heaviest/0/entries").asLong()).isEqualTo(2);
            assertThat(byActor.path("queries").asLong()).isEqualTo(1);
            assertThat(report.path("notes")).extracting(JsonNode::asText).anyMatch(note -> note.contains("4 of 4"));
            assertThat(report.path("notes"))
                    .extracting(JsonNode::asText)
                    .anyMatch(note -> note.contains("no query has used"));
        }
    }
}
