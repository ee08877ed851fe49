package dev.tidemark.deploy.bench;

import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What one change writes: a customer of 200,000, as a JSON row of about 170 bytes. The same number gives the same
 * bytes, everywhere and always.
 *
 * @param id primary key
 * @param town leading field of the index
 * @param lastName the other field of the index
 * @param json the row
 */
public record CustomerRow(int id, String town, String lastName, String json) {
    public static final int CUSTOMERS = 200_000;

    private static final int TOWNS = 500;
    private static final String[] FIRST = {"Ann", "David", "Oliver", "Margaret", "Chen", "Amélie", "Ravi", "Johanna"};
    private static final String[] LAST = {"Smith", "Okafor", "Nguyen", "Lindqvist", "Garcia", "Kowalski", "Ito", "Brown"
    };
    private static final String[] STREET = {"Main Street", "Station Road", "Church Lane", "Mill Hill", "High Street"};

    /** What the change of that number writes. */
    public static CustomerRow ofChange(long number) {
        return ofChange(number, CUSTOMERS);
    }

    /** The same in a table of that many rows. */
    public static CustomerRow ofChange(long number, int rows) {
        return of((int) Long.remainderUnsigned(mix(number), rows), number);
    }

    /** A row of a table that has one for each number. */
    public static CustomerRow ofRow(int number) {
        return of(number, number);
    }

    /** All rows of a table that has one for each number. */
    public static Stream<CustomerRow> table(int rows) {
        return IntStream.range(0, rows).mapToObj(CustomerRow::ofRow);
    }

    private static CustomerRow of(int id, long number) {
        long more = mix(mix(number));
        String town = "Town " + (100 + pick(more, TOWNS));
        String lastName = LAST[pick(more >>> 20, LAST.length)] + pick(more >>> 24, 100);
        String row = "{\"customerId\":" + id
                + ",\"firstName\":\"" + FIRST[pick(more >>> 10, FIRST.length)]
                + "\",\"lastName\":\"" + lastName
                + "\",\"street\":\"" + pick(more >>> 32, 2_000) + " " + STREET[pick(more >>> 42, STREET.length)]
                + "\",\"town\":\"" + town
                + "\",\"phone\":\"425-555-" + (1_000 + pick(more >>> 16, 9_000))
                + "\",\"active\":true,\"change\":" + number + "}";
        return new CustomerRow(id, town, lastName, row);
    }

    public byte[] bytes() {
        return json.getBytes(StandardCharsets.UTF_8);
    }

    private static int pick(long random, int many) {
        return (int) ((random & 0x7fff_ffffL) % many);
    }

    /** SplitMix64. */
    private static long mix(long number) {
        long z = number * 0x9e3779b97f4a7c15L + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
