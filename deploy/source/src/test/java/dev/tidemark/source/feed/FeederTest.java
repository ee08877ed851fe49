package dev.tidemark.source.feed;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.client.Tidemark;
import dev.tidemark.row.RowJson;
import dev.tidemark.source.http.HttpWriter;
import dev.tidemark.source.testkit.FakeWriter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FeederTest {
    private static final Instant WATERMARK = Instant.parse("2024-05-05T12:00:00Z");
    private static final Map<String, Writer.Followed> TABLES = Map.of(
            "public.items", new Writer.Followed("items", "public.items", List.of("id"), true, 1),
            "public.more", new Writer.Followed("more", "public.more", List.of("id"), false, 2));

    private final FakeWriter fake =
            new FakeWriter().following("items", "public.items", "id").following("more", "public.more", "id");
    private final Tidemark client = Tidemark.connect(Tidemark.options()
            .writer(fake.url().toString())
            .mapper(RowJson.mapper())
            .build());
    private final Progress progress = (Progress) Proxy.newProxyInstance(
            Progress.class.getClassLoader(), new Class<?>[] {Progress.class}, (self, method, arguments) -> null);
    private final Writer writer = new HttpWriter(client, "shop", progress);

    @AfterEach
    void close() {
        client.close();
        fake.close();
    }

    @Test
    void aTableThatWasAddedHasTheWatermarkThatTheOthersHad() throws Exception {
        feeder().take(List.of(read(1), stream()));

        assertThat(fake.watermarkOf("more")).contains(WATERMARK);
        assertThat(fake.watermarkOf("items")).contains(WATERMARK);
        assertThat(fake.rows("more").keySet()).containsExactly("1");
    }

    @Test
    void aSnapshotDoesNotEndOverRowsThatTheWriterCommittedOnceMore() throws Exception {
        fake.plant("more", row(9));
        Feeder feeder = feeder();
        fake.restateSoon();

        assertThatThrownBy(() -> feeder.take(List.of(read(1), stream())))
                .isInstanceOf(ReloadException.class)
                .hasMessageContaining("committed rows once more");

        assertThat(fake.watermarkOf("more")).isEmpty();
    }

    @Test
    void aDeletionThatTheWriterRefusesBecauseRowsWereRestatedLeadsToAReload() throws Exception {
        Feeder feeder = feeder();
        fake.restateSoon();
        feeder.take(List.of(read(1)));
        ObjectNode change =
                RowJson.mapper().createObjectNode().put("table", "more").put("op", "delete");
        change.put("ifVersionBefore", "0001000000000000001").set("key", row(9));

        assertThatThrownBy(() -> writer.send(new Writer.Batch(
                        fake.position(),
                        (ObjectNode) fake.position(),
                        Optional.empty(),
                        List.of(change),
                        Optional.empty())))
                .isInstanceOf(ReloadException.class);
    }

    @Test
    void aStreamThatGoesBackEndsTheRunBeforeAMarkerPasses() throws Exception {
        Feeder feeder = feeder();
        feeder.take(List.of(at(200, 210)));

        assertThatThrownBy(() -> feeder.take(List.of(at(100, 110)))).hasMessageContaining("went back");

        assertThat(fake.position().path("lsn").asLong()).isEqualTo(210);
    }

    private static SourceEvent at(long base, long lsn) {
        return new SourceEvent.Other(Optional.of(new SourceEvent.Place(Optional.of(base), lsn, "")));
    }

    @Test
    void aDeletionWithoutTheKeyOfItsRowLeadsToAReload() throws Exception {
        ObjectNode unsent = RowJson.mapper().createObjectNode().putNull("id");
        SourceEvent deletion = new SourceEvent.Delete(
                Optional.of(new SourceEvent.Place(Optional.empty(), 5, "")), "public.more", unsent, false);
        Feeder feeder = feeder();

        assertThatThrownBy(() -> feeder.take(List.of(deletion)))
                .isInstanceOf(ReloadException.class)
                .hasMessageContaining("former primary key of a row of public.more");
    }

    @Test
    void aColumnOfAnAddedTableIsNotTakenFromARowThatMayHaveBeenGivenTheKeySince() throws Exception {
        Feeder feeder = feeder();
        ObjectNode later = row(1).put("body", "of another row");
        feeder.take(List.of(
                new SourceEvent.Put(Optional.empty(), "public.more", later, List.of(), Optional.empty()),
                marker(5, WATERMARK)));

        assertThatThrownBy(() -> feeder.take(List.of(moved(6)))).isInstanceOf(ReloadException.class);
        Position stored = Position.of(fake.position());
        Feeder next = new Feeder(writer, TABLES, new ColumnHistory(), progress, stored, fake.position());
        assertThatThrownBy(() -> next.take(List.of(moved(7)))).isInstanceOf(ReloadException.class);

        Feeder last = new Feeder(writer, TABLES, new ColumnHistory(), progress, stored, fake.position());
        last.take(List.of(marker(8, Instant.now().plusSeconds(1)), moved(9)));
        assertThat(fake.rows("more").values()).containsExactly(row(3).put("body", "of another row"));
    }

    @Test
    void aRowWithAnotherKeyDoesNotLoseAColumnThatTheWriterLacks() throws Exception {
        Feeder feeder = feeder();
        feeder.take(List.of(read(1), marker(5, Instant.now().plusSeconds(1))));

        assertThatThrownBy(() -> feeder.take(List.of(moved(6))))
                .isInstanceOf(ReloadException.class)
                .hasMessageContaining("lacks body");
    }

    private static SourceEvent marker(long lsn, Instant time) {
        String content = new String(new MarkerContent(time, Map.of()).toBytes(), StandardCharsets.UTF_8);
        return new SourceEvent.Marker(Optional.of(new SourceEvent.Place(Optional.empty(), lsn, "")), content);
    }

    /** A row whose key was 1 and is 3. */
    private static SourceEvent moved(long lsn) {
        return new SourceEvent.Put(
                Optional.of(new SourceEvent.Place(Optional.empty(), lsn, "")),
                "public.more",
                row(3),
                List.of("body"),
                Optional.of(row(1)));
    }

    /** A feeder that adds a table to another one. */
    private Feeder feeder() throws Exception {
        Position before = Position.beforeSnapshot(new Position.Identity("7", 1), Map.of());
        Position items =
                before.following("", Map.of("items", "public.items"), WATERMARK).at(new EventOrder(0, 1, 0), "");
        String first = writer.send(new Writer.Batch(
                RowJson.mapper().nullNode(),
                items.toJson(),
                Optional.of(WATERMARK),
                List.of(),
                Optional.of(List.of("items"))));
        Position reading = items.adding(Map.of()).reading(first);
        writer.send(new Writer.Batch(items.toJson(), reading.toJson(), Optional.empty(), List.of(), Optional.empty()));
        return new Feeder(writer, TABLES, new ColumnHistory(), progress, reading, reading.toJson());
    }

    private static ObjectNode row(int id) {
        return RowJson.mapper().createObjectNode().put("id", id);
    }

    private static SourceEvent read(int id) {
        return new SourceEvent.Put(Optional.empty(), "public.more", row(id), List.of(), Optional.empty());
    }

    private static SourceEvent stream() {
        return new SourceEvent.Other(Optional.of(new SourceEvent.Place(Optional.empty(), 5, "")));
    }
}
