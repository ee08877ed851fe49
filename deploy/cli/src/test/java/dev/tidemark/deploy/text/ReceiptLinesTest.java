package dev.tidemark.deploy.text;

import java.nio.charset.StandardCharsets;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;

final class ReceiptLinesTest {
    @Test
    void showsAnIndexALineWithStatusAndReason() throws BadJsonException {
        JsonNode receipt = json("""
                {"table":"customers","primaryKey":7,"version":"0001","operation":"upsert","committedAt":"T0","indexes":[
                 {"index":"by_town","status":"visible","visibleSince":"T1"},
                 {"index":"by_name","status":"pending","changesBefore":1200,"etaSeconds":2.5},
                 {"index":"active","status":"not_applicable","visibleSince":null,"reason":"where requires a eq 1"},
                 {"index":"by_tag","status":"quarantined","since":"T2","reason":"garbage"}]}
                """);
        assertThat(ReceiptLines.render(receipt, Terminals.pipe()))
                .first()
                .isEqualTo("write of row 7 of table customers, version 0001, committed T0");
        assertThat(String.join("\n", ReceiptLines.render(receipt, Terminals.pipe())))
                .containsPattern("by_town +visible +T1")
                .containsPattern("by_name +pending +at most 1,200 changes before it; caught up in about 2.5 s")
                .containsPattern("active +not_applicable +where requires a eq 1")
                .containsPattern("by_tag +quarantined +T2 +garbage");
    }

    @Test
    void showsABulkLoadByPartition() throws BadJsonException {
        JsonNode receipt = json("""
                {"table":"customers","partitions":[
                 {"partition":0,"version":"0001","status":"visible","quarantined":0},
                 {"partition":3,"version":"0002","status":"unknown","quarantined":2,"reason":"not here"}],
                 "indexes":[{"index":"by_town","status":"unknown"}]}
                """);
        assertThat(String.join("\n", ReceiptLines.render(receipt, Terminals.pipe())))
                .startsWith("bulk load of table customers, 2 partitions")
                .containsPattern(" 0 +visible")
                .containsPattern(" 3 +unknown +not here; 2 records of the partition in quarantine")
                .containsPattern("by_town +unknown");
    }

    private static JsonNode json(String text) throws BadJsonException {
        return RowJson.parse(text.getBytes(StandardCharsets.UTF_8));
    }
}
