package dev.tidemark.deploy.text;

import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.tidemark.api.LagReport;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;

final class LagTableTest {
    private static final String REPORT = """
        {"tables":[{"table":"customers","arrivalPerSecond":20.4,"appliedPerSecond":1020.6},
         {"table":"orders","arrivalPerSecond":20.4,"appliedPerSecond":0.0},
         {"table":"people","arrivalPerSecond":3.0,"appliedPerSecond":3.0}],"indexes":[
         {"index":"by_town","table":"customers","state":"steady","freshnessSeconds":0.21,"recordsBehind":0,
          "oldestUnappliedSeconds":0,"entries":61,"quarantined":0,
          "visibility":{"count":61,"p50Seconds":0.012,"p99Seconds":0.08,"maxSeconds":0.1}},
         {"index":"by_year","table":"movies","state":"unknown","freshnessSeconds":null,"recordsBehind":null,
          "oldestUnappliedSeconds":null,"entries":0,"quarantined":2,"visibility":{"count":0}},
         {"index":"by_day","table":"orders","state":"paused","freshnessSeconds":6.91,"recordsBehind":140,
          "oldestUnappliedSeconds":6.91,"etaSeconds":null,"gainsNothing":true,"entries":1,"quarantined":0,"visibility":{"count":0}},
         {"index":"by_name","table":"customers","state":"catching_up","freshnessSeconds":7,"recordsBehind":5000,
          "oldestUnappliedSeconds":7,"etaSeconds":5.0,"entries":1,"quarantined":0,"visibility":{"count":0}},
         {"index":"by_age","table":"people","state":"restoring","freshnessSeconds":7,"recordsBehind":5000,
          "oldestUnappliedSeconds":7,"etaSeconds":null,"entries":1,"quarantined":0,"visibility":{"count":0}},
         {"index":"by_zip","table":"customers","state":"catching_up","freshnessSeconds":7,"recordsBehind":5000,
          "oldestUnappliedSeconds":7,"etaSeconds":null,"gainsNothing":true,"entries":1,"quarantined":0,
          "visibility":{"count":0}}]}
        """;

    @Test
    void showsOneLineForEachIndexAndNeverANumberThatIsNotKnown() throws BadJsonException {
        assertThat(LagTable.render(report(), Terminals.pipe()))
                .element(2)
                .asString()
                .matches("by_town +customers +steady +210 ms +0 +0 ms +20 +1,021 +- +12 ms +80 ms +61 +0");
        assertThat(LagTable.render(report(), Terminals.pipe()))
                .element(3)
                .asString()
                .matches("by_year +movies +unknown +unknown +unknown +unknown +- +- +- +- +- +0 +2");
    }

    @Test
    void saysWhenWhatIsLateWillHaveCaughtUp() throws BadJsonException {
        List<String> lines = LagTable.render(report(), Terminals.pipe());
        assertThat(lines.get(4)).matches("by_day +orders +paused +7.0 s +140 +7.0 s +20 +0 +never .*");
        assertThat(lines.get(5)).matches("by_name +customers +catching_up +7.0 s +5,000 +7.0 s +20 +1,021 +5.0 s .*");
        assertThat(lines.get(6))
                .as("its own shards may gain, while those of its table are idle")
                .matches("by_age +people +restoring +7.0 s +5,000 +7.0 s +3 +3 +unknown .*");
        assertThat(lines.get(7))
                .as("one partition does not gain, although all together do")
                .matches("by_zip +customers +catching_up +7.0 s +5,000 +7.0 s +20 +1,021 +never .*");
    }

    @Test
    void countsAnIndexAsCaughtUpOnlyWhenBothNumbersAreKnown() throws BadJsonException {
        assertThat(report().indexes().get(0).isCaughtUp(1)).isTrue();
        assertThat(report().indexes().get(0).isCaughtUp(0.1)).isFalse();
        assertThat(report().indexes().get(1).isCaughtUp(1)).isFalse();
    }

    private static LagReport report() throws BadJsonException {
        return RowJson.as(LagReport.class, RowJson.parseObject(REPORT.getBytes(StandardCharsets.UTF_8)));
    }
}
