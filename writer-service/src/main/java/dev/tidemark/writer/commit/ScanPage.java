package dev.tidemark.writer.commit;

import java.util.List;

/**
 * Some rows of a table, in key order.
 *
 * @param more whether the table has rows after the last of them
 */
public record ScanPage(List<KeyedRow> rows, boolean more) {
    public ScanPage {
        rows = List.copyOf(rows);
    }
}
