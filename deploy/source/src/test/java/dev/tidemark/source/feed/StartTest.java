package dev.tidemark.source.feed;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;

class StartTest {
    private static final Position.Identity HERE = new Position.Identity("7", 1);
    private static final Engine.Snapshot ALL = new Engine.Snapshot.Whole();
    private static final Position POSITION = new Position(
            Optional.empty(),
            new EventOrder(100, 150, 0),
            "",
            HERE,
            Map.of("items", "public.items"),
            Map.of("public.items", "digest"),
            0,
            Map.of());
    private static final Optional<Database.Slot> SLOT = Optional.of(slot(100, false));

    private static Database.Slot slot(long confirmed, boolean lost) {
        return new Database.Slot(confirmed, false, lost, Optional.empty());
    }

    private static Writer.State state(boolean covered, String... tables) {
        return new Writer.State(
                RowJson.mapper().nullNode(),
                Optional.of(Instant.EPOCH),
                Instant.EPOCH,
                Optional.empty(),
                Arrays.stream(tables)
                        .map(name -> new Writer.Followed(name, "public." + name, List.of("id"), covered, 1))
                        .toList());
    }

    private static Start start(Position.Identity identity, Optional<Database.Slot> slot) {
        return Start.decide(Optional.of(POSITION), state(true, "items"), identity, slot);
    }

    @Test
    void changesAreFollowedFromAPositionThatTheSlotStillHas() {
        assertThat(start(HERE, SLOT)).isEqualTo(Start.FOLLOW);
        assertThat(start(HERE, Optional.of(slot(150, false)))).isEqualTo(Start.FOLLOW);
    }

    @Test
    void theFirstRunAndAnUnfinishedSnapshotReadTheTables() {
        Position unfinished = Position.beforeSnapshot(HERE, Map.of()).reading("1");

        assertThat(Start.decide(Optional.empty(), state(false, "items"), HERE, SLOT))
                .returns(false, Start::gap)
                .returns(ALL, Start::snapshot);
        assertThat(Start.decide(Optional.of(unfinished), state(false, "items"), HERE, Optional.empty()))
                .returns(false, Start::gap)
                .returns(ALL, Start::snapshot);
    }

    @Test
    void afterASnapshotWithoutAChangeTheTablesAreReadAgainWithoutAGap() {
        Position ended =
                Position.beforeSnapshot(HERE, Map.of()).reading("1").following("", POSITION.tables(), Instant.EPOCH);

        assertThat(Start.decide(Optional.of(ended), state(true, "items"), HERE, SLOT))
                .returns(false, Start::gap)
                .returns(ALL, Start::snapshot);
        Position inMariaDb = ended.following("{}", POSITION.tables(), Instant.EPOCH);
        assertThat(Start.decide(Optional.of(inMariaDb), state(true, "items"), HERE, Optional.of(slot(0, false))))
                .isEqualTo(Start.FOLLOW);
    }

    @Test
    void aNewTableAloneIsReadAgainUntilItsRowsAreThere() {
        Engine.Snapshot others = new Engine.Snapshot.Added(Set.of("public.others"));
        Writer.State state = state(true, "items", "others");
        Position begun = POSITION.adding(Map.of("public.others", "digest")).reading("7");

        assertThat(Start.decide(Optional.of(POSITION), state, HERE, SLOT))
                .returns(others, Start::snapshot)
                .returns("these tables are new: public.others", Start::why);
        assertThat(Start.decide(Optional.of(begun), state, HERE, SLOT).snapshot())
                .isEqualTo(others);
        assertThat(Start.decide(Optional.of(begun), state(true, "items"), HERE, SLOT))
                .isEqualTo(Start.FOLLOW);
        assertThat(begun.restrictedTo(POSITION.tables(), Set.of("public.items")))
                .isEqualTo(new Position(
                        Optional.empty(),
                        POSITION.order(),
                        "",
                        HERE,
                        POSITION.tables(),
                        POSITION.columns(),
                        begun.unsettled(),
                        Map.of()));
    }

    @Test
    void changesOfAnAddedTableAreRepeatedUntilAMarkerFromAfterItsSnapshot() {
        Map<String, String> both = Map.of("items", "public.items", "others", "public.others");
        Position ended = POSITION.adding(Map.of()).reading("7").following("", both, Instant.ofEpochSecond(5));

        assertThat(ended.repeated()).isEqualTo(Map.of("public.others", Instant.ofEpochSecond(5)));
        assertThat(Position.of(ended.toJson())).isEqualTo(ended);
        assertThat(ended.restrictedTo(both, Set.of("public.items")).repeated()).isEmpty();
        assertThat(ended.marked(Instant.ofEpochSecond(5), Map.of()).repeated()).isNotEmpty();
        assertThat(ended.marked(Instant.ofEpochSecond(6), Map.of()).repeated()).isEmpty();
    }

    @Test
    void allTablesAreReadWhereNoneIsCoveredOrNoEventHasCome() {
        Position early = POSITION.at(EventOrder.START, "");

        assertThat(Start.decide(Optional.of(POSITION), state(false, "items"), HERE, SLOT)
                        .snapshot())
                .isEqualTo(ALL);
        assertThat(Start.decide(Optional.of(early), state(true, "items", "others"), HERE, SLOT)
                        .snapshot())
                .isEqualTo(ALL);
    }

    @Test
    void lostChangesAreAGap() {
        for (Start gap : List.of(
                start(HERE, Optional.empty()),
                start(HERE, Optional.of(slot(151, false))),
                start(HERE, Optional.of(slot(100, true))),
                start(new Position.Identity("8", 1), SLOT),
                start(new Position.Identity("7", 2), SLOT))) {
            assertThat(gap.gap()).isTrue();
            assertThat(gap.snapshot()).isEqualTo(ALL);
        }
        assertThat(start(HERE, Optional.of(slot(151, false))).why()).contains("the fact tables were put back");
    }

    @Test
    void aSnapshotOfAnEarlierVersionIsKnownWithoutItsReader() {
        Position begun = Position.beforeSnapshot(HERE, Map.of()).reading("1");
        ObjectNode earlier = begun.toJson();
        earlier.remove("reader");

        assertThat(Position.of(earlier)).isNotEqualTo(begun).returns(true, Position::isFirstSnapshot);
    }

    @Test
    void aPositionSurvivesItsJson() {
        assertThat(Position.of(POSITION.toJson())).isEqualTo(POSITION);
        Position reading = POSITION.adding(Map.of()).reading("5");
        assertThat(Position.of(reading.toJson())).isEqualTo(reading);
        Position altered = POSITION.at(new EventOrder(200, 0, 0), "{}").altered();
        assertThat(Position.of(altered.toJson()))
                .isEqualTo(altered)
                .isNotEqualTo(altered.marked(Instant.EPOCH, Map.of("public.items", "digest")));
    }
}
