package dev.tidemark.deploy.text;

import java.nio.charset.StandardCharsets;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;

class ForecastVsActualLinesTest {
    private static final String INDEX =
            "{'index':'by_town','table':'people','key':['town'],'projection':'keys_only','where':{},"
                    + "'life':{'state':'degraded','since':'2026-01-01T12:00:00Z','cause':'the index cannot hold 1 rows of its table',"
                    + "'generation':12},'entries':990,'refused':1,'previous':{'generation':3,'serves':true,"
                    + "'rollbackUntil':'2026-01-01T12:15:00Z'},'forecast':{'rows':1000,'entries':900,'diskBytes':31500,'refused':0,"
                    + "'buildSeconds':2.0,'lookedAtPercent':10},'actual':{'rows':1000,'entries':990,'diskBytes':63000,'refused':1,"
                    + "'buildSeconds':1.5},'refusedRows':[{'primaryKey':42,'partition':0,'reason':'field town: too long'}]}";

    @Test
    void showsTheForecastBesideWhatCameOfItAndTheRowsThatAreRefused() throws Exception {
        assertThat(ForecastVsActualLines.render(json(INDEX), Terminals.pipe()))
                .containsExactly(
                        "people.by_town  generation 12  degraded since 2026-01-01T12:00:00Z: the index cannot hold 1 rows of"
                                + " its table",
                        "  key [\"town\"], projection \"keys_only\"",
                        "  before it: gen 3 until 2026-01-01T12:15:00Z",
                        "         forecast   actual  difference",
                        "-------  --------  -------  ----------",
                        "rows        1,000    1,000         +0%",
                        "entries       900      990        +10%",
                        "on disk   31.5 kB  63.0 kB       +100%",
                        "refused         0        1           -",
                        "build       2.0 s    1.5 s        -25%",
                        "forecast from 10.0% of the rows, for a machine without other work",
                        "cannot hold 1 row, such as:",
                        "  row 42: field town: too long");
    }

    @Test
    void showsADashForWhatWasNotForecastAndCannotBeTold() throws Exception {
        assertThat(ForecastVsActualLines.comparison(
                        json("{'actual':{'rows':5,'buildSeconds':null}}"), Terminals.pipe()))
                .contains("rows            -       5           -", "build           -       -           -");
    }

    @Test
    void doesNotHoldWhatIsStillInMemoryAgainstTheForecast() throws Exception {
        assertThat(ForecastVsActualLines.comparison(
                        json("{'forecast':{'diskBytes':100},'actual':{'diskBytes':50,'memoryBytes':700}}"),
                        Terminals.pipe()))
                .contains("on disk           100 B    50 B           -", "in memory yet         -   700 B           -");
    }

    @Test
    void saysHowManyTimesTheForecastItWasWhereAPercentageSaysLess() throws Exception {
        assertThat(ForecastVsActualLines.comparison(
                        json(
                                "{'forecast':{'buildSeconds':0.01,'entries':10},'actual':{'buildSeconds':1.67,'entries':99}}"),
                        Terminals.pipe()))
                .contains("entries        10      99       +890%")
                .anyMatch(line -> line.startsWith("build") && line.endsWith(" 167×"));
    }

    @Test
    void doesNotSayHowManyTimesAForecastItWasThatIsTooShortToMeasure() throws Exception {
        assertThat(ForecastVsActualLines.comparison(
                        json("{'forecast':{'buildSeconds':0.0000125},'actual':{'buildSeconds':0.326}}"),
                        Terminals.pipe()))
                .anyMatch(line -> line.matches("build +0 ms +326 ms +-"));
    }

    private static JsonNode json(String text) throws Exception {
        return RowJson.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}
