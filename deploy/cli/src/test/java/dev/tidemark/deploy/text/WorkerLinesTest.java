package dev.tidemark.deploy.text;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;

class WorkerLinesTest {
    private static final Duration TOOK = Duration.ofMillis(10);
    private static final String ANSWER = """
        {"workers":[
         {"url":"http://10.0.0.7:8082","replicaGroup":"a","instance":"1f","shards":[
          {"table":"people","index":null,"partition":0,"state":"steady","watermark":"2026-11-26T06:00:04.800Z",
           "stalenessMs":190},
          {"table":"people","index":null,"partition":2,"state":"restoring","watermark":"2026-11-26T06:00:01Z",
           "stalenessMs":3990}]},
         {"url":"http://10.0.0.8:8082","replicaGroup":"a","instance":"2f","shards":[
          {"table":"people","index":null,"partition":1,"state":"closing","watermark":null,"stalenessMs":null},
          {"table":"people","index":"by_town","partition":1,"state":"degraded","watermark":"2026-11-26T06:00:04Z",
           "stalenessMs":990}]},
         {"url":"http://10.0.0.9:8082","replicaGroup":"b","rack":"eu-1a","instance":"3f","shards":[]},
         {"url":"http://10.0.0.10:8082","replicaGroup":"b","instance":"4f","shards":[
          {"table":"people","index":null,"partition":0,"state":"steady","watermark":"2026-11-26T06:00:06Z",
           "stalenessMs":0}]}],
         "unowned":[
          {"table":"people","index":null,"partition":1,"replicaGroup":"b"},
          {"table":"people","index":null,"partition":2,"replicaGroup":"b"},
          {"table":"films","index":"by_year","partition":3,"replicaGroup":"a"}],
         "problems":["worker http://10.0.0.8:8082 cannot be reached at its advertised URL"]}
        """;

    private final List<String> lines = lines(ANSWER);

    @Test
    void showsTheWorstStateAndTheLeastWatermarkOfEachWorker() {
        assertThat(lines.get(0)).matches("worker +group +shards +state +watermark");
        assertThat(lines.get(2)).matches("http://10.0.0.7:8082 +a +2 +restoring +4.0 s");
    }

    @Test
    void countsAStateThatItDoesNotKnowAsTheWorstAndHidesNoUnknownWatermark() {
        assertThat(lines.get(3)).matches("http://10.0.0.8:8082 +a +2 +closing +unknown");
    }

    @Test
    void showsAWorkerThatHasNothingAndItsRack() {
        assertThat(lines.get(4)).matches("http://10.0.0.9:8082 +b in eu-1a +0 +- +-");
    }

    @Test
    void countsTheTimeOfTheRequestAndNoClockOfThisMachine() {
        assertThat(lines.get(5)).matches("http://10.0.0.10:8082 +b +1 +steady +10 ms");
    }

    @Test
    void namesWhatNoLiveWorkerHasByGroupAndTableAndWhatIsWrong() {
        assertThat(lines.subList(6, lines.size()))
                .containsExactly(
                        "no live worker of group a has films.by_year: 3",
                        "no live worker of group b has people: 1, 2",
                        "worker http://10.0.0.8:8082 cannot be reached at its advertised URL");
        assertThat(lines("{\"workers\":[],\"unowned\":[]}")).hasSize(2);
    }

    private static List<String> lines(String answer) {
        try {
            JsonNode json = RowJson.parse(answer.getBytes(StandardCharsets.UTF_8));
            return WorkerLines.render(json, TOOK, Terminals.pipe());
        } catch (BadJsonException e) {
            throw new AssertionError(e);
        }
    }
}
