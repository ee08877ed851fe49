package dev.tidemark.fuzz;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyReader;
import dev.tidemark.key.KeyWriter;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.key.Order;
import dev.tidemark.row.FieldValue;

/**
 * An encoded key behind a byte whose bits say which parts are descending. What can be read is what would be written.
 */
public final class KeyTarget implements FuzzTarget {

    @Override
    public void take(byte[] input) throws MalformedKeyException {
        Pieces pieces = new Pieces(input);
        int orders = pieces.octet();
        KeyBytes key = KeyBytes.wrap(pieces.rest());
        KeyWriter again = new KeyWriter();
        try {
            KeyReader reader = new KeyReader(key);
            for (int part = 0; reader.hasNext(); part++) {
                Order order = (orders >> part % 8 & 1) == 0 ? Order.ASC : Order.DESC;
                FieldValue value = reader.next(order);
                again.append(value, order);
            }
        } catch (MalformedKeyException e) {
            return;
        }
        FuzzTarget.require(again.toKey().equals(key), "the bytes that a writer writes, but got " + key);
        skipAll(key, orders);
    }

    private static void skipAll(KeyBytes key, int orders) throws MalformedKeyException {
        KeyReader reader = new KeyReader(key);
        for (int part = 0; reader.hasNext(); part++) {
            reader.skip((orders >> part % 8 & 1) == 0 ? Order.ASC : Order.DESC);
        }
    }
}
