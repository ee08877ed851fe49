package dev.tidemark.deploy.demo;

import org.junit.jupiter.api.Test;

import dev.tidemark.deploy.client.QueryRequest;

import static org.assertj.core.api.Assertions.assertThat;

final class DemoQueryTest {

    @Test
    void isWrittenAsTheCommandThatAsksTheSame() {
        assertThat(command(QueryRequest.of("by_year")
                        .with("year.gte", "1990")
                        .with("order", "desc")
                        .with("limit", "5")
                        .with("fetch", "row")))
                .isEqualTo("tidemark query by_year year.gte=1990 --order desc --limit 5 --fetch-row");
    }

    @Test
    void quotesWhatAShellWouldTakeApart() {
        assertThat(command(QueryRequest.of("by_actor").with("cast", "Peter O'Toole")))
                .isEqualTo("tidemark query by_actor cast='Peter O'\\''Toole'");
    }

    private static String command(QueryRequest query) {
        return DemoQuery.of("?", "t", query, row -> true).commandLine();
    }
}
