package dev.tidemark.deploy.text;

import java.nio.charset.StandardCharsets;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;

class ForecastLinesTest {
    private static final String PLAN = "{'id':'1','state':'done','drops':['people.old'],'tables':[{'table':'people',"
            + "'rows':1000000,'lookedAtPercent':10,'unreadable':0,'basis':'8.5 µs a change','indexes':[{'index':'by_town',"
            + "'action':'create','entries':900000,'entriesPerRow':0.9,'diskBytes':31500000,'buildSeconds':8.5,"
            + "'applySecondsPerChange':0.0000077,'hottest':[{'key':['Redmond',7],'entries':120000,'error':20000}],'refused':10,"
            + "'refusedRows':[{'primaryKey':42,'reason':'field town: expected a string'}]}]}]}";

    @Test
    void showsALineForEachIndexAndTheRowsThatItCouldNotHold() throws Exception {
        assertThat(ForecastLines.render(json(PLAN), Terminals.pipe()))
                .containsExactly(
                        "index           action       rows  entries  per row     size  hottest                          refused  build"
                                + "  per change",
                        "--------------  ------  ---------  -------  -------  -------  -------------------------------  -------  -----"
                                + "  ----------",
                        "people.by_town  create  1,000,000  900,000     0.90  31.5 MB  Redmond, 7 (100,000 to 120,000)       10  8.5 s"
                                + "      7.7 µs",
                        "drop people.old: at once, its files are removed",
                        "people.by_town could not hold about 10 rows, such as:",
                        "  row 42: field town: expected a string",
                        "people: looked at 10.0% of its rows; times from 8.5 µs a change");
        assertThat(ForecastLines.refused(json(PLAN))).isEqualTo(10);
    }

    @Test
    void saysWhatAGlobalIndexPublishes() throws Exception {
        String placements = "'placements':{'partitions':8,'recordsPerChange':0.9,'recordsPerMove':1.65,"
                + "'topicBytes':123456789},'refused':10";

        assertThat(ForecastLines.render(json(PLAN.replace("'refused':10", placements)), Terminals.pipe()))
                .containsSubsequence(
                        "people.by_town: a topic of 8 partitions, 123.5 MB once it is filled; each change of the table"
                                + " publishes 0.90 records more, 1.65 where the key changes",
                        "people.by_town could not hold about 10 rows, such as:");
    }

    @Test
    void saysWhenThereIsNothingToBuild() throws Exception {
        assertThat(ForecastLines.render(json("{'state':'done','drops':[],'tables':[]}"), Terminals.pipe()))
                .isEqualTo(List.of("no index is new or changed, so there is nothing to build"));
    }

    private static JsonNode json(String text) throws Exception {
        return RowJson.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}
