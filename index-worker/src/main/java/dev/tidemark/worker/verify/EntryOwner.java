package dev.tidemark.worker.verify;

import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyReader;
import dev.tidemark.key.MalformedKeyException;

/** The row that an entry of an index belongs to, by the end of its key. */
record EntryOwner(IndexDefinition index) {
    /** The primary key of the row; the entry key itself where that cannot be read, which is no row's key. */
    KeyBytes of(KeyBytes entry) {
        try {
            KeyReader reader = new KeyReader(entry);
            for (KeyPart part : index.key()) {
                reader.skip(part.order());
            }
            return reader.rest();
        } catch (MalformedKeyException e) {
            return entry;
        }
    }
}
