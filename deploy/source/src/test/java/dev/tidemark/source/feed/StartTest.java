package dev.tidemark.source.feed;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;

class StartTest {
    private static final Position.Identity HERE = new Position.Identity("7", 1);
    private static final Position POSITION = new Position(
            Optional.empty(), new EventOrder(100, 150, 0), "", HERE, Map.of("items", "public.items"), "digest", 0);
    private static final Optional<Database.Slot> SLOT = Optional.of(slot(100, false));

    private static Database.Slot slot(long confirmed, boolean lost) {
        return new Database.Slot(confirmed, false, lost, Optional.empty());
    }

    private static Writer.State state(boolean covered, String... tables) {
        return new Writer.State(
                RowJson.mapper().nullNode(),
                Optional.of(Instant.EPOCH),
                Instant.EPOCH,
                Arrays.stream(tables)
                        .map(name -> new Writer.Followed(name, "public." + name, List.of("id"), covered))
                        .toList());
    }

    private static Start start(Position.Identity identity, Optional<Database.Slot> slot) {
        return Start.decide(Optional.of(POSITION), state(true, "items"), identity, slot);
    }

    @Test
    void changesAreFollowedFromAPositionThatTheSlotStillHas() {
        assertThat(start(HERE, SLOT).snapshot()).isEmpty();
        assertThat(start(HERE, Optional.of(slot(150, false))).snapshot()).isEmpty();
    }

    @Test
    void theFirstRunAndAnUnfinishedSnapshotReadTheTables() {
        assertThat(Start.decide(Optional.empty(), state(false, "items"), HERE, SLOT))
                .returns(false, Start::gap)
                .matches(start -> start.snapshot().isPresent());
        assertThat(Start.decide(Optional.of(POSITION.reading("1")), state(false, "items"), HERE, Optional.empty()))
                .returns(false, Start::gap)
                .matches(start -> start.snapshot().isPresent());
    }

    @Test
    void aNewTableOrOneThatFollowedSomethingElseReadsTheTables() {
        assertThat(Start.decide(Optional.of(POSITION), state(true, "items", "others"), HERE, SLOT)
                        .snapshot())
                .hasValueSatisfying(why -> assertThat(why).contains("public.others"));
        assertThat(Start.decide(Optional.of(POSITION), state(false, "items"), HERE, SLOT)
                        .snapshot())
                .isPresent();
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
            assertThat(gap.snapshot()).isPresent();
        }
    }

    @Test
    void aPositionSurvivesItsJson() {
        assertThat(Position.of(POSITION.toJson())).isEqualTo(POSITION);
        assertThat(Position.of(POSITION.reading("5").toJson())).isEqualTo(POSITION.reading("5"));
        Position altered = POSITION.at(new EventOrder(200, 0, 0), "{}").altered();
        assertThat(Position.of(altered.toJson())).isEqualTo(altered).isNotEqualTo(altered.marked("digest"));
    }
}
