package dev.tidemark.writer.commit;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import dev.tidemark.catalog.DerivedTable;

/**
 * A partition of a derived table that a change must be published to.
 *
 * @param home the derived table
 * @param holds whether the partition has the row after the change; it had the row before where it has not
 */
public record Placement(DerivedTable home, int partition, boolean holds) {
    private static final int HEAD = Long.BYTES + Integer.BYTES + 2;

    /** Name of the derived table. */
    public String table() {
        return home.name();
    }

    /** Placements of one change as bytes: number, partition, whether it holds the row, and the index. */
    public static byte[] encode(List<Placement> placements) {
        List<byte[]> names = placements.stream()
                .map(one -> one.home.index().getBytes(StandardCharsets.US_ASCII))
                .toList();
        int length = names.stream().mapToInt(name -> HEAD + name.length).sum();
        ByteBuffer out = ByteBuffer.allocate(length);
        for (int i = 0; i < names.size(); i++) {
            Placement one = placements.get(i);
            out.putLong(one.home.number())
                    .putInt(one.partition)
                    .put((byte) (one.holds ? 1 : 0))
                    .put((byte) names.get(i).length)
                    .put(names.get(i));
        }
        return out.array();
    }

    /** The inverse of {@link #encode}, for a change of that table. */
    public static List<Placement> decode(String table, byte[] encoded) {
        ByteBuffer in = ByteBuffer.wrap(encoded);
        List<Placement> placements = new ArrayList<>();
        while (in.hasRemaining()) {
            long number = in.getLong();
            int partition = in.getInt();
            boolean holds = in.get() == 1;
            byte[] name = new byte[in.get()];
            in.get(name);
            String index = new String(name, StandardCharsets.US_ASCII);
            placements.add(new Placement(new DerivedTable(table, index, number), partition, holds));
        }
        return placements;
    }
}
