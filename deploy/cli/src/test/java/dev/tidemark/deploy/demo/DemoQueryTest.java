package dev.tidemark.deploy.demo;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class DemoQueryTest {

    @Test
    void isWrittenAsTheCommandThatAsksTheSame() {
        assertThat(command("by_year?year.gte=1990&order=desc&limit=5&fetch=row"))
                .isEqualTo("tidemark query by_year year.gte=1990 --order desc --limit 5 --fetch-row");
    }

    @Test
    void quotesWhatAShellWouldTakeApart() {
        assertThat(command("by_actor?cast=Peter O'Toole"))
                .isEqualTo("tidemark query by_actor cast='Peter O'\\''Toole'");
    }

    private static String command(String query) {
        return DemoQuery.of("?", "t", query, row -> true).commandLine();
    }
}
