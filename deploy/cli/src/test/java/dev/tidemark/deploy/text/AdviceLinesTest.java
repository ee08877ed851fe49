package dev.tidemark.deploy.text;

import java.nio.charset.StandardCharsets;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;

class AdviceLinesTest {
    private static final String INDEX = "{'index':'by_town','entries':12000,'bytes':1500000,'distinctValues':4096,"
            + "'allValuesSeen':false,'heaviest':[{'value':'Redmond','entries':11000,'share':0.9166}],"
            + "'updates':400,'moved':300,'queries':7,'fetches':2}";

    @Test
    void showsWhatEachIndexIsLikeAndWhatToDo() throws Exception {
        assertThat(lines("{'advice':[{'kind':'one_value','index':'by_town','text':'leave Redmond out','saving':"
                        + "{'entries':11000,'bytes':1375000,'applySecondsPerChange':0.0000021,'rowFetches':0}}],"
                        + "'indexes':[" + INDEX + "],'notes':['counted for 5 minutes']}"))
                .containsExactly(
                        "index    entries   bytes  values  heaviest       updates  moved  queries  fetched",
                        "-------  -------  ------  ------  -------------  -------  -----  -------  -------",
                        "by_town   12,000  1.5 MB  4,096+  Redmond 91.7%      400    300        7        2",
                        "",
                        "by_town  one_value",
                        "  leave Redmond out",
                        "  saves about 11,000 entries, 1.4 MB before compression, 2.1 µs of applying a change",
                        "note: counted for 5 minutes");
    }

    @Test
    void saysWhenThereIsNothingToAdvise() throws Exception {
        assertThat(lines("{'advice':[],'indexes':[" + INDEX + "],'notes':[]}")).endsWith("nothing to advise");
    }

    private static List<String> lines(String json) throws Exception {
        JsonNode report = RowJson.parse(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
        return AdviceLines.render(report, Terminals.Recorded.pipe().terminal());
    }
}
