package dev.tidemark.writer.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.facts.FactFrames;
import dev.tidemark.facts.FactStreamReader;
import dev.tidemark.facts.StreamedFact;
import dev.tidemark.http.PortInUseException;
import dev.tidemark.row.RowDocument;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.writer.http.ApiFixture.Answer;
import dev.tidemark.writer.testkit.WriterStores;

import static dev.tidemark.writer.testkit.TestTables.batch;
import static dev.tidemark.writer.testkit.TestTables.customer;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.json;
import static dev.tidemark.writer.testkit.TestTables.put;
import static dev.tidemark.writer.testkit.TestTables.timeOf;
import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;

class FactsCallTest {
    private static final String FACTS = "/v1/tables/customers/facts";

    private final ApiFixture api = new ApiFixture();

    FactsCallTest() throws PortInUseException {}

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void streamsEveryRowWithItsVersionAndTheMomentOfAll() throws IOException {
        WriterStores.on(api.disk).facts().commit(batch(put(1, 7, "b"), put(2, 5, "a")));

        HttpResponse<InputStream> answer = api.open(FACTS);
        try (FactStreamReader in = new FactStreamReader(answer.body())) {
            assertThat(answer.headers().firstValue("Content-Type")).contains(FactFrames.MEDIA_TYPE);
            assertThat(in.head().version()).isEqualTo(version(2));
            assertThat(in.head().time()).isEqualTo(timeOf(2));
            assertThat(facts(in))
                    .containsExactly(
                            new StreamedFact(customerKey(5), version(2), Optional.of(customer(5, "a"))),
                            new StreamedFact(customerKey(7), version(1), Optional.of(customer(7, "b"))));
        }
    }

    @Test
    void leavesTheRowsOutWhenOnlyVersionsAreAskedFor() throws IOException {
        WriterStores.on(api.disk).facts().commit(batch(put(1, 7, "b")));

        try (FactStreamReader in =
                new FactStreamReader(api.open(FACTS + "?rows=versions").body())) {
            assertThat(facts(in)).containsExactly(new StreamedFact(customerKey(7), version(1), Optional.empty()));
        }
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        assertThat(api.get(FACTS + "?rows=some").detail())
                .isEqualTo("expected parameter rows to be whole or versions, but got some");
        assertThat(api.get("/v1/tables/none/facts").status()).isEqualTo(404);
    }

    @Test
    void refusesAThirdStreamUntilOneEnds() throws Exception {
        RowDocument large = RowDocument.of(json("{'customerId':1}").put("town", "x".repeat(20_000_000)));
        WriterStores.on(api.disk).facts().commit(batch(put(1, 1, large)));
        try (InputStream first = api.open(FACTS).body();
                InputStream second = api.open(FACTS).body()) {
            Answer third = api.get(FACTS);

            assertThat(third.status()).isEqualTo(429);
            assertThat(third.header("retry-after")).isEqualTo("2");
            assertThat(first.readAllBytes()).hasSizeGreaterThan(20_000_000);
            assertThat(second.readAllBytes()).hasSizeGreaterThan(20_000_000);
        }
        assertThat(BoundedWait.until(this::answers, Duration.ofSeconds(10), Duration.ofMillis(20)))
                .isTrue();
    }

    private boolean answers() {
        try (InputStream body = api.open(FACTS + "?rows=versions").body()) {
            return facts(new FactStreamReader(body)).size() == 1;
        } catch (IOException e) {
            return false;
        }
    }

    private static List<StreamedFact> facts(FactStreamReader in) throws IOException {
        List<StreamedFact> facts = new ArrayList<>();
        for (StreamedFact fact = in.next(); fact != null; fact = in.next()) {
            facts.add(fact);
        }
        return facts;
    }
}
