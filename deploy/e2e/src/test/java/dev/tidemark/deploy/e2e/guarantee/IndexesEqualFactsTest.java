package dev.tidemark.deploy.e2e.guarantee;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.oracle.ExpectedEntries;
import dev.tidemark.deploy.oracle.Fact;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;

/** A check that has never failed proves nothing: every kind of damage is noticed. */
class IndexesEqualFactsTest {
    private final TableDefinition table = StackUnderTest.readCatalog(StackUnderTest.catalogFile())
            .table("people")
            .orElseThrow();
    private final List<Fact> facts = List.of(
            fact("a", "1", "{'name':'A','town':'X','tags':['t','u','t'],'score':1.50,'active':true}"),
            fact("b", "2", "{'name':'B','town':null,'tags':['t'],'score':2,'active':true}"),
            fact("c", "3", "{'name':'C','town':17,'tags':[],'score':-1,'active':false}"),
            fact("d", "4", "{'name':'D','town':true,'active':true,'address':{'city':'Y','zip':7}}"));

    @Test
    void expectsTheEntriesThatTheCatalogPromises() {
        assertThat(expected("by_town")).hasSize(3).satisfies(entries -> {
            assertThat(entries.get(0)).contains("key={town=true}").contains("primaryKey=\"d\"");
            assertThat(entries.get(1)).contains("key={town=17}").contains("primaryKey=\"c\"");
            assertThat(entries.get(2)).contains("key={town=\"X\"}").contains("version=\"1\"");
        });
        assertThat(expected("by_tag"))
                .extracting(entry -> entry.replaceAll(".*score=([\\d.]+), tags=(\"\\w\").*", "$2 $1"))
                .containsExactly("\"t\" 2", "\"t\" 1.5", "\"u\" 1.5");
        assertThat(expected("active_by_score")).hasSize(2).noneMatch(entry -> entry.contains("row="));
        assertThat(expected("named_elsewhere")).singleElement().asString().contains("row={town=\"X\"}");
    }

    @Test
    void acceptsTheSameEntriesInTheSameOrder() {
        assertThat(complaints(expected("by_tag"))).isEmpty();
    }

    @Test
    void noticesAMissingEntry() {
        assertThat(complaints(expected("by_tag").subList(1, 3))).anyMatch(complaint -> complaint.contains("lacks"));
    }

    @Test
    void noticesAnEntryThatIsThereTwice() {
        List<String> found = new ArrayList<>(expected("by_tag"));
        found.add(found.get(2));
        assertThat(complaints(found)).anyMatch(complaint -> complaint.contains("too many"));
    }

    @Test
    void noticesWrongOrder() {
        List<String> found = new ArrayList<>(expected("by_tag"));
        Collections.reverse(found);
        assertThat(complaints(found)).anyMatch(complaint -> complaint.contains("out of order"));
    }

    @Test
    void noticesAnEntryOfAnOlderVersionOrWithAnOldCopy() {
        List<String> found = new ArrayList<>(expected("by_tag"));
        found.set(0, found.get(0).replace("version=\"2\"", "version=\"1\""));
        assertThat(complaints(found)).isNotEmpty();
        found = new ArrayList<>(expected("by_tag"));
        found.set(0, found.get(0).replace("name=\"B\"", "name=\"A\""));
        assertThat(complaints(found)).isNotEmpty();
    }

    private List<String> complaints(List<String> found) {
        return ExpectedEntries.differences("people.by_tag", expected("by_tag"), found);
    }

    private List<String> expected(String name) {
        IndexDefinition index = table.index(name).orElseThrow();
        return ExpectedEntries.of(table, index, facts);
    }

    private static Fact fact(String key, String version, String json) {
        try {
            JsonNode row = RowJson.parse(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
            ((ObjectNode) row).put("personId", key);
            return new Fact(row.path("personId"), version, row);
        } catch (BadJsonException e) {
            throw new IllegalArgumentException(json, e);
        }
    }
}
