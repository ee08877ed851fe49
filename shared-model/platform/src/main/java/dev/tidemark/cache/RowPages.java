package dev.tidemark.cache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.whitfin.siphash.SipHasher;
import io.whitfin.siphash.SipHasherContainer;
import org.jspecify.annotations.Nullable;

/**
 * Keys and values in a few large arrays, with a table of hashes over them: nothing that the collector would have to
 * follow one by one. Grows by pages until it is dropped as a whole. For one thread.
 */
final class RowPages {
    static final int PAGE = 1 << 17;

    /** Largest size in bytes. Beyond it, two rows could have the same place. */
    static final long MOST_BYTES = 1 << 30;

    /** What a value says that is too large to be kept here: ask the database. */
    static final int NOT_KEPT = -1;

    /** Hash of the key, room for the value, length of the value, length of the key. */
    private static final int HEADER = 4 * Integer.BYTES;

    private static final int ROOM_AT = Integer.BYTES;
    private static final int VALUE_LENGTH_AT = 2 * Integer.BYTES;
    private static final int KEY_LENGTH_AT = 3 * Integer.BYTES;
    private static final int FIRST_SLOTS = 1 << 10;
    private static final int SECRET_BYTES = 16;
    private static final SipHasherContainer HASH = hasher();
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final List<byte[]> pages = new ArrayList<>();

    /** Hash in the upper half, place plus one in the lower; 0 for a free slot. */
    private long[] slots = new long[FIRST_SLOTS];

    private int rows;
    private int used = PAGE;

    /** Bytes that it takes, about. */
    long bytes() {
        return (long) pages.size() * PAGE + (long) slots.length * Long.BYTES;
    }

    /** Bytes that it takes in addition when this is added; 0 where there is room. */
    long growth(byte[] key, int length) {
        long more = used + HEADER + key.length + roomFor(length) > PAGE ? PAGE : 0;
        return rows * 2 >= slots.length ? more + (long) slots.length * Long.BYTES : more;
    }

    /** Whether a value of that length can be kept under a key. */
    static boolean fits(byte[] key, int length) {
        return HEADER + key.length + roomFor(length) <= PAGE;
    }

    boolean isEmpty() {
        return rows == 0;
    }

    /** Where a key is; -1 where it is not. */
    int find(byte[] key) {
        return (int) slots[slotOf(hash(key), key)] - 1;
    }

    /** The value of the key that is there; null for one that is not kept. */
    byte @Nullable [] value(int place) {
        byte[] page = page(place);
        int at = place & (PAGE - 1);
        int length = (int) INT.get(page, at + VALUE_LENGTH_AT);
        int from = at + HEADER + (int) INT.get(page, at + KEY_LENGTH_AT);
        return length == NOT_KEPT ? null : Arrays.copyOfRange(page, from, from + length);
    }

    /** Puts another value where a key is; false, and nothing changed, where it is longer than there is room. */
    boolean replace(int place, byte[] value, int from, int length) {
        byte[] page = page(place);
        int at = place & (PAGE - 1);
        if ((int) INT.get(page, at + ROOM_AT) < length) {
            return false;
        }
        INT.set(page, at + VALUE_LENGTH_AT, length);
        if (length > 0) {
            System.arraycopy(value, from, page, at + HEADER + (int) INT.get(page, at + KEY_LENGTH_AT), length);
        }
        return true;
    }

    /**
     * Keeps a value, or with {@link #NOT_KEPT} for a length that there is one. What {@link #fits} refuses must not
     * come.
     */
    void add(byte[] key, byte[] value, int from, int length) {
        int size = HEADER + key.length + roomFor(length);
        if (used + size > PAGE) {
            pages.add(new byte[PAGE]);
            used = 0;
        }
        byte[] page = pages.get(pages.size() - 1);
        int hash = hash(key);
        INT.set(page, used, hash);
        INT.set(page, used + ROOM_AT, roomFor(length));
        INT.set(page, used + KEY_LENGTH_AT, key.length);
        System.arraycopy(key, 0, page, used + HEADER, key.length);
        int place = (pages.size() - 1) * PAGE + used;
        used += size;
        int known = slotOf(hash, key);
        if (slots[known] == 0) {
            rows++;
            slots[known] = slot(hash, place);
            makeSlots();
        } else {
            slots[known] = slot(hash, place);
        }
        replace(place, value, from, length);
    }

    /** The slot of a key, or the free one that it would have. */
    private int slotOf(int hash, byte[] key) {
        int slot = hash & (slots.length - 1);
        while (slots[slot] != 0
                && ((int) (slots[slot] >>> Integer.SIZE) != hash || !isAt((int) slots[slot] - 1, key))) {
            slot = (slot + 1) & (slots.length - 1);
        }
        return slot;
    }

    private void makeSlots() {
        if (rows * 2 <= slots.length) {
            return;
        }
        long[] before = slots;
        slots = new long[before.length * 2];
        for (long slot : before) {
            if (slot != 0) {
                insert((int) (slot >>> Integer.SIZE), (int) slot - 1);
            }
        }
    }

    private void insert(int hash, int place) {
        int slot = hash & (slots.length - 1);
        while (slots[slot] != 0) {
            slot = (slot + 1) & (slots.length - 1);
        }
        slots[slot] = slot(hash, place);
    }

    private boolean isAt(int place, byte[] key) {
        byte[] page = page(place);
        int from = (place & (PAGE - 1)) + HEADER;
        int length = (int) INT.get(page, from - Integer.BYTES);
        return Arrays.equals(page, from, from + length, key, 0, key.length);
    }

    private byte[] page(int place) {
        return pages.get(place / PAGE);
    }

    private static long slot(int hash, int place) {
        return (long) hash << Integer.SIZE | (place + 1);
    }

    /** SipHash-1-3 with a secret: keys come from clients, and such as collide would make one chain of all slots. */
    static int hash(byte[] key) {
        return (int) HASH.hash(key, 1, 3);
    }

    /** With a secret that only this process knows. */
    static SipHasherContainer hasher() {
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        return SipHasher.container(secret);
    }

    /** A little more than needed: the next value of a row is often a byte longer. */
    private static int roomFor(int length) {
        return (Math.max(0, length) + 7) / 8 * 8;
    }
}
