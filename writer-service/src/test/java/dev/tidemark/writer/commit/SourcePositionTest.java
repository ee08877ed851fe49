package dev.tidemark.writer.commit;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.row.RowVersion;

import static dev.tidemark.writer.testkit.TestTables.json;
import static org.assertj.core.api.Assertions.assertThat;

class SourcePositionTest {
    @Test
    void numbersOfTheSameValueAreTheSamePositionHoweverTheyAreWritten() {
        assertThat(isSame("{'lsn':1,'slot':'a'}", "{'slot':'a','lsn':1.0}")).isTrue();
        assertThat(isSame("{'parts':[10,1E+1]}", "{'parts':[1e1,10.00]}")).isTrue();
    }

    @Test
    void everyOtherDifferenceMakesAnotherPosition() {
        assertThat(isSame("{'lsn':1}", "{'lsn':2}")).isFalse();
        assertThat(isSame("{'lsn':1,'slot':'a'}", "{'lsn':1,'slot':'b'}")).isFalse();
        assertThat(isSame("{'lsn':1}", "{'lsn':'1'}")).isFalse();
        assertThat(isSame("{'lsn':'1'}", "{'lsn':1}")).isFalse();
        assertThat(isSame("{'lsn':1}", "{'lsn':1,'slot':null}")).isFalse();
    }

    @Test
    void theWatermarkIsOnlyAboutTablesThatHaveFollowedTheSourceAllTheTimeSince() {
        Instant watermark = Instant.parse("2024-05-05T12:00:00Z");
        SourcePosition position =
                new SourcePosition(json("{}"), Optional.of(watermark), Map.of("customers", 3L), RowVersion.NONE);

        assertThat(position.watermarkOf("customers", 3)).contains(watermark);
        assertThat(position.watermarkOf("customers", 4)).as("it began again").isEmpty();
        assertThat(position.watermarkOf("movies", 3)).isEmpty();
        assertThat(position.watermarkOf("movies", 0)).as("it follows none").isEmpty();
    }

    @Test
    void whatIsStoredIsReadBack() {
        SourcePosition plain =
                new SourcePosition(json("{'lsn':1}"), Optional.empty(), Map.of("customers", 3L), RowVersion.NONE);
        SourcePosition restated = plain.restated(new RowVersion(2, 5));

        assertThat(SourcePosition.of(plain.toBytes())).isEqualTo(plain);
        assertThat(SourcePosition.of(restated.toBytes())).isEqualTo(restated);
    }

    private static boolean isSame(String one, String other) {
        return SourcePosition.isSame(json(one), json(other));
    }
}
