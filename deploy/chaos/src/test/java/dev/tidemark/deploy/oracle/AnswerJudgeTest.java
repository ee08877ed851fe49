package dev.tidemark.deploy.oracle;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.CatalogException;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;

class AnswerJudgeTest {
    private static final String CATALOG = """
            tables:
              people:
                primaryKey: id
                partitions: 1
                indexes:
                  by_tag: { key: [{ field: tags, each: true }, score], projection: [name] }
                  spread: { key: [tag, id], projection: keys_only, scope: global, partitions: 7, salt: 3 }
            """;

    private static final JsonNode KEY = TextNode.valueOf("a");
    private final ExpectedEntries.AnswerJudge judge = judge();
    private final RowTimeline.State first = state("{'id':'a','tags':['t','u'],'score':1,'name':'A'}", "5");
    private final RowTimeline.State second = state("{'id':'a','tags':['u'],'score':2,'name':'B'}", "6");

    @Test
    void acceptsTheEntriesOfAnyStateInWhichTheRowMayBeSeen() {
        assertThat(judge.judge(KEY, List.of(first, second), List.of(entry("1", "5", "A"))))
                .isEmpty();
        assertThat(judge.judge(KEY, List.of(first, second), List.of())).isEmpty();
    }

    @Test
    void noticesAMissingEntryAndOneThatIsThereTwice() {
        assertThat(judge.judge(KEY, List.of(first), List.of())).isNotEmpty();
        assertThat(judge.judge(KEY, List.of(first), List.of(entry("1", "5", "A"), entry("1", "5", "A"))))
                .isNotEmpty();
    }

    @Test
    void noticesAnEntryOfAStateThatIsOver() {
        assertThat(judge.judge(KEY, List.of(second), List.of(entry("1", "5", "A"))))
                .isNotEmpty();
    }

    @Test
    void noticesAnEntryWithAnotherVersionOrAnotherCopy() {
        assertThat(judge.judge(KEY, List.of(first), List.of(entry("1", "6", "A"))))
                .isNotEmpty();
        assertThat(judge.judge(KEY, List.of(first), List.of(entry("1", "5", "B"))))
                .isNotEmpty();
    }

    @Test
    void acceptsAnyVersionOfAWriteThatNobodyHasAnAnswerTo() {
        RowTimeline.State unknown = new RowTimeline.State(first.row(), "");
        assertThat(judge.judge(KEY, List.of(unknown), List.of(entry("1", "9", "A"))))
                .isEmpty();
    }

    @Test
    void knowsThePartitionOfAGlobalIndexThatTheTermAndTheKeyHave() throws Exception {
        TableDefinition table = judge.table();
        int term = table.keyFromJson(TextNode.valueOf("t")).partition(7);
        Set<Integer> partitions = new HashSet<>();
        for (String id : List.of("a", "b", "c", "d", "e", "f")) {
            TextNode key = TextNode.valueOf(id);
            int partition = (term + table.keyFromJson(key).partition(3)) % 7;
            Fact fact = new Fact(key, "5", (ObjectNode) json("{'id':'" + id + "','tag':'t'}"));
            assertThat(ExpectedEntries.of(table, table.index("spread").orElseThrow(), List.of(fact)))
                    .containsExactly(ExpectedEntries.textOf(json("{'key':{'tag':'t','id':'" + id + "'},'primaryKey':'"
                            + id + "','shard':" + partition + ",'version':'5'}")));
            partitions.add(partition);
        }
        assertThat(partitions).hasSize(3);
    }

    @Test
    void anAnswerThatDoesNotSayHowOldItIsMayBeAsOldAsItLikes() {
        Instant asked = Instant.parse("2026-01-01T00:00:00Z");
        JsonNode told = json("{'freshness':{'stalenessMs':250}}");
        assertThat(ExpectedEntries.AnswerJudge.completeUpTo(told, asked)).isEqualTo(asked.minusMillis(250));
        assertThat(ExpectedEntries.AnswerJudge.completeUpTo(json("{'freshness':{'stalenessMs':null}}"), asked))
                .isEqualTo(Instant.MIN);
    }

    private static JsonNode entry(String score, String version, String name) {
        return json("{'key':{'tags':'t','score':" + score + "},'primaryKey':'a','shard':0,'version':'" + version
                + "','row':{'name':'" + name + "'}}");
    }

    private static RowTimeline.State state(String row, String version) {
        return new RowTimeline.State(Optional.of((ObjectNode) json(row)), version);
    }

    private static ExpectedEntries.AnswerJudge judge() {
        try {
            TableDefinition table =
                    CatalogReader.read("the test", CATALOG).table("people").orElseThrow();
            return new ExpectedEntries.AnswerJudge(table, table.indexes().get(0), TextNode.valueOf("t"));
        } catch (CatalogException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JsonNode json(String text) {
        try {
            return RowJson.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
        } catch (BadJsonException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
