package dev.tidemark.source;

import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock("postgresql")
class FollowedDatabaseTest extends FollowedTestCase {

    @Override
    void leaveOut(String table, String column) {
        sql("ALTER TABLE " + table + " ALTER " + column + " SET STORAGE EXTERNAL");
    }

    @Override
    String oddTable() {
        sql("CREATE SCHEMA \"Other\"");
        return "\"Other\".\"My table\"";
    }
}
