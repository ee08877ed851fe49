package dev.tidemark.deploy.text;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;

class ShardLinesTest {
    private static final Duration TOOK = Duration.ofMillis(10);
    private static final String ANSWER = """
        {"workers":[
         {"url":"http://one:1","replicaGroup":"a","instance":"1f","shards":[
          {"table":"people","index":null,"partition":2,"state":"steady","watermark":"2026-11-26T06:00:04.800Z",
           "stalenessMs":190,"rows":900,"bytes":1048576,"changesPerSecond":1.0,"queriesPerSecond":40.2},
          {"table":"people","index":null,"partition":0,"state":"steady","watermark":"2026-11-26T06:00:04Z",
           "stalenessMs":990,"rows":100,"bytes":1024,"changesPerSecond":30.0,"queriesPerSecond":1234}]},
         {"url":"http://two:2","replicaGroup":"a","instance":"2f","shards":[
          {"table":"people","index":null,"partition":1,"state":"steady","watermark":"2026-11-26T06:00:06Z",
           "stalenessMs":0,"rows":110,"bytes":1024,"changesPerSecond":2.0,"queriesPerSecond":null},
          {"table":"films","index":null,"partition":0,"state":"unknown","watermark":null,"stalenessMs":null},
          {"table":"films","index":null,"partition":1,"state":"copying","watermark":null,"stalenessMs":null,
           "copyFrom":"http://one:1","copiedBytes":12999999,"copyBytes":80000000},
          {"table":"films","index":null,"partition":2,"state":"copying","watermark":null,"stalenessMs":null,
           "copyFrom":"http://one:1","copiedBytes":0,"copyBytes":0}]}],
         "unowned":[],"skew":[
          {"table":"people","partition":2,"replicaGroup":"a","figure":"rows","timesMedian":8.2,"timesMean":2.4,
           "text":"people-2 of group a has 2.4 times the rows of the average shard"},
          {"table":"people","partition":0,"replicaGroup":"a","figure":"changesPerSecond","timesMedian":15.0,
           "timesMean":2.7,"text":"people-0 of group a has 2.7 times the changes of the average shard"}]}
        """;

    private static final String ADVICE = """
            {"advice": [
              {"kind": "heavy_keys", "index": "by_town", "text": "1 key has 43.1 % of the changes"},
              {"kind": "volatile", "index": "by_town", "text": "moves"}],
             "indexes": [{"index": "by_town", "table": "people"}, {"index": "by_year", "table": "films"}]}""";

    @Test
    void showsEveryShardByTableAndPartition() {
        List<String> lines = lines(Optional.empty());
        assertThat(lines.get(0)).matches("shard +group +worker +rows +bytes +changes/s +queries/s +state +watermark");
        assertThat(lines.get(2))
                .matches("films-0 +a +http://two:2 +unknown +unknown +unknown +unknown +unknown +unknown");
        assertThat(lines.get(5)).matches("people-0 +a +http://one:1 +100 +1.0 kB.* +30 +1,234 +steady +1.0 s");
        assertThat(lines.get(6)).matches("people-1 +a +http://two:2 +110 +.* +2 +unknown +steady +10 ms");
        assertThat(lines.get(7)).matches("people-2 +a +http://one:1 +900 +.* +1 +40 +steady +200 ms");
    }

    @Test
    void showsWhichPartIsHereOfAShardThatComesFromAnotherWorker() {
        List<String> lines = lines(Optional.of("films"));
        assertThat(lines.get(3)).matches("films-1 +a +http://two:2 .* +copying 16 % +unknown");
        assertThat(lines.get(4)).contains("copying 0 %");
    }

    @Test
    void namesShardsThatAreMuchLargerOrBusierThanTheOthers() {
        List<String> lines = lines(Optional.empty());
        assertThat(lines.subList(8, lines.size()))
                .containsExactly(
                        "people-2 of group a has 2.4 times the rows of the average shard",
                        "people-0 of group a has 2.7 times the changes of the average shard",
                        "by_town: 1 key has 43.1 % of the changes");
    }

    @Test
    void showsOneTableAlone() {
        assertThat(lines(Optional.of("films"))).hasSize(5);
        assertThat(lines(Optional.of("people"))).hasSize(8);
        assertThat(lines(Optional.of("nothing"))).hasSize(2);
    }

    private static List<String> lines(Optional<String> table) {
        try {
            return ShardLines.render(
                    RowJson.parse(ANSWER.getBytes(StandardCharsets.UTF_8)),
                    RowJson.parse(ADVICE.getBytes(StandardCharsets.UTF_8)),
                    table,
                    TOOK,
                    Terminals.pipe());
        } catch (BadJsonException e) {
            throw new AssertionError(e);
        }
    }
}
