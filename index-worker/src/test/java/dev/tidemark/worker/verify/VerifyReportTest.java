package dev.tidemark.worker.verify;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Generation;
import dev.tidemark.facts.FactStreamHead;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.verify.Difference.Kind;

import static org.assertj.core.api.Assertions.assertThat;

class VerifyReportTest {
    private static final Generation BY_TOWN =
            Tables.generations(Tables.people()).get(0);
    private static final Generation WHOLE = Tables.generations(Tables.people()).get(1);

    @Test
    void anIndexIsEqualOnlyWhereNothingAtAllIsWrongOrOpen() {
        assertThat(index(BY_TOWN, Map.of(), 0, true).isEqual()).isTrue();
        assertThat(index(BY_TOWN, Map.of(Kind.AHEAD, 1L), 0, true).isEqual()).isFalse();
        assertThat(index(BY_TOWN, Map.of(Kind.QUARANTINED, 1L), 0, true).isEqual())
                .isFalse();
        assertThat(index(BY_TOWN, Map.of(), 1, true).isEqual()).isFalse();
        assertThat(index(BY_TOWN, Map.of(), 0, false).isEqual()).isFalse();
    }

    @Test
    void aReportIsEqualOnlyWhereEveryIndexIsAndNoPartitionIsMissing() {
        VerifyReport.OfGeneration equal = index(BY_TOWN, Map.of(), 0, true);
        VerifyReport.OfGeneration differing = index(WHOLE, Map.of(Kind.STALE, 1L), 0, true);

        assertThat(report(List.of(), equal).isEqual()).isTrue();
        assertThat(report(List.of(2), equal).isEqual()).isFalse();
        assertThat(report(List.of(), equal, differing).isEqual()).isFalse();
    }

    @Test
    void validEntriesAreThoseThatAreThereAndRight() {
        Map<Kind, Long> differences = Map.of(Kind.MISSING, 3L, Kind.DANGLING, 4L, Kind.QUARANTINED, 50L);
        VerifyReport.OfGeneration index = index(BY_TOWN, differences, 0, true);

        assertThat(index.total()).isEqualTo(7);
        assertThat(index.valid()).isEqualTo(96);
        assertThat(index.count(Kind.DANGLING)).isEqualTo(4);
        assertThat(index.count(Kind.STALE)).isZero();
    }

    @Test
    void theSummaryNamesWhatDiffersInEachIndexAndNoOther() {
        VerifyReport report = report(
                List.of(),
                index(BY_TOWN, new EnumMap<>(Map.of(Kind.STALE, 2L, Kind.MISSING, 1L)), 3, true),
                index(WHOLE, Map.of(), 0, false));

        assertThat(report.summary())
                .isEqualTo("by_town {MISSING=1, STALE=2}, 3 undecided; whole {}, 0 undecided, with wrong sums");
        assertThat(report(List.of(), index(WHOLE, Map.of(), 0, true)).summary()).isEmpty();
    }

    @Test
    void bytesAreThoseOfAllThatTheExamplesNameBeforeAndAfterRepair() {
        VerifyReport found = report(List.of(), withExample(BY_TOWN), withExample(WHOLE));

        assertThat(found.bytes()).isEqualTo(2 * (1 + 20 + 300 + 4_000));
        assertThat(new JobState.Done(found, 1, Optional.of(found)).bytes()).isEqualTo(2 * found.bytes());
        assertThat(new JobState.Done(found, 0, Optional.empty()).bytes()).isEqualTo(found.bytes());
        assertThat(new JobState.Failed("a test").bytes()).isZero();
    }

    @Test
    void onlyAJobOfWhichNothingMoreComesIsOver() {
        VerifyReport report = report(List.of());

        assertThat(new JobState.Done(report, 0, Optional.empty()).isOver()).isTrue();
        assertThat(new JobState.Failed("a test").isOver()).isTrue();
        assertThat(new JobState.Waiting().isOver()).isFalse();
        assertThat(new JobState.Running(1, 2).isOver()).isFalse();
    }

    @Test
    void whatIsCarriedIsShownUpTo4KiB() {
        Difference shown = difference(4 << 10, (4 << 10) + 1).shortened();

        assertThat(shown.found()).contains(bytes(4 << 10));
        assertThat(shown.expected()).contains(bytes(4 << 10));
        assertThat(shown.primaryKey()).isEqualTo(bytes(1));
        assertThat(shown.entry()).isEqualTo(bytes(20));
    }

    @Test
    void countsEachRowOnceHoweverManyPlacesHoldIndexes() {
        VerifyReport report = rows("people", 6).and(rows("people", 6));

        assertThat(report.rows()).isEqualTo(12);
        assertThat(report.and(rows("people.7", 12)).rows()).as("another layout").isEqualTo(12);
        assertThat(report.and(rows("people.by_tag.8", 20)).rows())
                .as("a global index")
                .isEqualTo(12);
        assertThat(rows("people.by_tag.8", 20).rows())
                .as("a global index alone")
                .isEqualTo(20);
    }

    private static VerifyReport rows(String home, long rows) {
        FactStreamHead head = new FactStreamHead(ChangeLog.version(1), ChangeLog.at(1));
        return new VerifyReport(VerifyReport.Basis.ROWS, head, Map.of(home, rows), List.of());
    }

    @Test
    void kindsHaveTheNamesThatProgramsKnow() {
        assertThat(Kind.values())
                .extracting(Kind::label)
                .containsExactly("missing", "dangling", "stale", "bad_covered", "duplicate", "ahead", "quarantined");
    }

    /** A report whose one example has so many bytes. */
    static VerifyReport found(int bytes) {
        KeyBytes none = KeyBytes.EMPTY;
        Difference example = new Difference(
                Kind.STALE,
                0,
                none,
                bytes(bytes),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        return report(
                List.of(),
                new VerifyReport.OfGeneration(
                        BY_TOWN,
                        1,
                        Map.of(Kind.STALE, 1L),
                        Map.of(0, 1L),
                        0,
                        true,
                        List.of(example),
                        new TreeMap<>(),
                        List.of()));
    }

    private static VerifyReport report(List<Integer> missing, VerifyReport.OfGeneration... indexes) {
        FactStreamHead head = new FactStreamHead(ChangeLog.version(1), ChangeLog.at(1));
        List<VerifyReport.OfGeneration> all = Stream.of(indexes)
                .map(index -> new VerifyReport.OfGeneration(
                        index.generation(),
                        index.entries(),
                        index.differences(),
                        index.wrong(),
                        index.undecided(),
                        index.digestsAgree(),
                        index.examples(),
                        index.proofs(),
                        missing))
                .toList();
        return new VerifyReport(VerifyReport.Basis.ROWS, head, Map.of("people", 100L), all);
    }

    private static VerifyReport.OfGeneration index(
            Generation generation, Map<Kind, Long> differences, long undecided, boolean digestsAgree) {
        return new VerifyReport.OfGeneration(
                generation, 100, differences, Map.of(), undecided, digestsAgree, List.of(), new TreeMap<>(), List.of());
    }

    private static VerifyReport.OfGeneration withExample(Generation generation) {
        return new VerifyReport.OfGeneration(
                generation,
                100,
                Map.of(Kind.STALE, 1L),
                Map.of(0, 1L),
                0,
                true,
                List.of(difference(300, 4_000)),
                new TreeMap<>(),
                List.of());
    }

    private static Difference difference(int found, int expected) {
        Optional<RowVersion> version = Optional.of(ChangeLog.version(1));
        return new Difference(
                Kind.STALE,
                0,
                bytes(1),
                bytes(20),
                Optional.of(bytes(found)),
                Optional.of(bytes(expected)),
                version,
                version);
    }

    private static KeyBytes bytes(int count) {
        return KeyBytes.wrap(new byte[count]);
    }
}
