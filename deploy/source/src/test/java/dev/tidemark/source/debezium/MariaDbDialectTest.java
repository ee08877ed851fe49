package dev.tidemark.source.debezium;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class MariaDbDialectTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER TABLE t ADD COLUMN c INT",
                "alter online table t add c int default null",
                "ALTER TABLE t DROP INDEX i, DROP KEY k, ADD KEY (id)",
                "ALTER TABLE t DROP FOREIGN KEY f, DROP CONSTRAINT c",
                "ALTER TABLE t RENAME INDEX i TO j",
                "ALTER TABLE t AUTO_INCREMENT = 7",
                "ALTER TABLE t ADD COLUMN IF NOT EXISTS c INT AFTER id",
                "CREATE UNIQUE INDEX i ON t (name)",
                "DROP INDEX i ON t"
            })
    void rowsAreAsChangesSayAfter(String ddl) {
        assertThat(MariaDbDialect.isHarmless(ddl)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER TABLE t DROP COLUMN c, ADD COLUMN c INT",
                "ALTER TABLE t DROP c, ADD c INT",
                "alter table t drop `index`, add `index` int",
                "ALTER TABLE t DROP/**/COLUMN IF EXISTS c, ADD c INT",
                "ALTER IGNORE TABLE t ADD UNIQUE (name)",
                "ALTER ONLINE IGNORE TABLE t ADD UNIQUE (name)",
                "ALTER TABLE t RENAME COLUMN a TO b, RENAME COLUMN b TO a",
                "ALTER TABLE t CHANGE a b INT, CHANGE b a INT",
                "ALTER TABLE t MODIFY c INT NOT NULL",
                "alter table t add key (c), modify column c int auto_increment",
                "ALTER TABLE t MODIFY c TIMESTAMP",
                "ALTER TABLE t DROP PRIMARY KEY, ADD PRIMARY KEY (id, c)",
                "ALTER TABLE t IMPORT TABLESPACE",
                "ALTER TABLE t RENAME other",
                "ALTER TABLE t ADD c INT DEFAULT 5",
                "ALTER TABLE t DROP PARTITION p",
                "TRUNCATE TABLE t",
                "DROP TABLE t"
            })
    void rowsAreReadAgainAfter(String ddl) {
        assertThat(MariaDbDialect.isHarmless(ddl)).isFalse();
    }
}
