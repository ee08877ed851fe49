package dev.tidemark.writer.rocks;

import java.util.Arrays;
import java.util.List;

/** The tables of a writer's database. Their names are part of the format on disk. */
enum WriterTable {
    /** Table id, primary key ⇒ version, commit time, row as JSON. */
    FACTS("facts"),
    /** Sequence ⇒ change. */
    OUTBOX("outbox"),
    /** Commit time, sequence of a delete ⇒ table id, partition, epoch, primary key. */
    TOMBSTONES("tombstones"),
    /** Table id, primary key ⇒ sequence of the row's newest delete, until that is dealt with as a tombstone. */
    DELETED("deleted"),
    /** Name ⇒ value, see {@link MetaKeys}. */
    META("meta");

    private final String diskName;

    WriterTable(String diskName) {
        this.diskName = diskName;
    }

    String diskName() {
        return diskName;
    }

    static List<String> diskNames() {
        return Arrays.stream(values()).map(WriterTable::diskName).toList();
    }
}
