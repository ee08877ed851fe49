package dev.tidemark.worker.http;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget.Reservation;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.query.NotAnswerableException;

import static dev.tidemark.worker.http.JsonValues.object;

/**
 * Reads rows from the writer in pieces. The number of keys in a piece depends on the length of the table's rows so far.
 * An answer is read up to a limit, so that a piece takes bounded memory for rows of any length. For any thread.
 */
final class RowLookups {
    /** The writer takes no more keys at a time. */
    private static final int MOST_KEYS = 1_000;

    /** Bytes that the rows of a piece should have, and most bytes of its keys. */
    private static final long PIECE_BYTES = 1 << 20;

    /** Maximum number of bytes that one byte of a key takes in JSON. */
    private static final long BYTES_IN_JSON = 6;

    /** What rows are expected to have before any were read. */
    private static final long FIRST_MEAN = 64 << 10;

    private static final long LEAST_MEAN = 64;

    /** How much longer than expected an answer may be. */
    private static final long TOLERANCE = 4;

    /** What an answer may have besides. */
    private static final long ENVELOPE_BYTES = 64 << 10;

    /** The longest row that a writer can be set to take, and what is around it. */
    private static final long MOST_BYTES = (16 << 20) + ENVELOPE_BYTES;

    /** An answer is held as it came and as a whole, and then as a whole and as rows. */
    private static final long COPIES = 2;

    private final ServiceConnection writer;
    private final Map<String, Long> meanBytes = new ConcurrentHashMap<>();

    RowLookups(ServiceConnection writer) {
        this.writer = writer;
    }

    /**
     * The rows of some keys. To be closed once they are taken in.
     *
     * @param reading the memory that they hold
     */
    record Piece(LookupAnswer answer, Reservation reading) implements AutoCloseable {
        @Override
        public void close() {
            reading.close();
        }
    }

    /**
     * Reads the rows of the first of the given keys, at least one. Without keys, the answer has no rows, only the
     * versions {@code from} and {@code to}.
     *
     * @param memory reserves memory to read into
     * @return empty when there is no memory to read into
     * @throws NotAnswerableException when the writer does not answer with rows before the turn is over
     */
    Optional<Piece> ask(
            TableDefinition table,
            List<KeyBytes> keys,
            WriterCallLimit.Turn turn,
            LongFunction<Optional<Reservation>> memory)
            throws NotAnswerableException, InterruptedException {
        while (true) {
            long mean = meanBytes.getOrDefault(table.name(), FIRST_MEAN);
            int count = count(keys, mean);
            Optional<Reservation> reading = memory.apply(COPIES * bound(count, mean));
            while (reading.isEmpty() && count > 1) {
                count /= 2;
                reading = memory.apply(COPIES * bound(count, mean));
            }
            int bound = bound(count, mean);
            if (reading.isEmpty()) {
                return Optional.empty();
            }
            boolean read = false;
            try {
                LookupAnswer answer = ask(table, keys.subList(0, count), turn, bound, reading.get());
                read = true;
                return Optional.of(new Piece(answer, reading.get()));
            } catch (AnswerTooLongException e) {
                if (count == 0 || (bound == MOST_BYTES && count == 1)) {
                    throw new NotAnswerableException(
                            "the writer at " + writer + " gave no usable answer: " + e.getMessage());
                }
                meanBytes.merge(table.name(), TOLERANCE * mean, Math::max);
            } finally {
                if (!read) {
                    reading.get().close();
                }
            }
        }
    }

    private static Question question(TableDefinition table, List<KeyBytes> keys) {
        ObjectNode json = object();
        ArrayNode list = json.putArray("keys");
        keys.forEach(key -> list.add(QueryResultJson.key(table, key)));
        return Question.lookup("/v1/tables/" + DerivedTable.base(table.name()) + "/rows:lookup", json);
    }

    /** Limit for the answer with {@code count} rows of {@code mean} bytes on average, in bytes. */
    private static int bound(int count, long mean) {
        return (int) Math.min(MOST_BYTES, ENVELOPE_BYTES + TOLERANCE * count * mean);
    }

    /** Number of keys to request when a row has {@code mean} bytes on average. */
    private static int count(List<KeyBytes> keys, long mean) {
        long most = Math.min(keys.size(), Math.min(MOST_KEYS, PIECE_BYTES / mean));
        long bytes = 0;
        int count = 0;
        while (count < most && bytes < PIECE_BYTES) {
            bytes += BYTES_IN_JSON * keys.get(count).length();
            count++;
        }
        return keys.isEmpty() ? 0 : Math.max(1, count);
    }

    private LookupAnswer ask(
            TableDefinition table, List<KeyBytes> keys, WriterCallLimit.Turn turn, int bound, Reservation reading)
            throws NotAnswerableException, AnswerTooLongException, InterruptedException {
        try {
            ServiceConnection.Answer response = writer.send(question(table, keys), turn, bound);
            if (response.status() != 200) {
                throw new NotAnswerableException(
                        "the writer at " + writer + " answered a lookup of rows with status " + response.status());
            }
            byte[] body = response.body();
            reading.shrinkTo(COPIES * body.length);
            LookupAnswer answer = LookupAnswer.read(body);
            if (answer.rows().size() != keys.size()) {
                throw new NotAnswerableException(
                        "the writer at " + writer + " answered " + answer.rows().size() + " rows of " + keys.size());
            }
            if (!keys.isEmpty()) {
                learn(table, Math.max(LEAST_MEAN, body.length / keys.size()));
            }
            return answer;
        } catch (AnswerTooLongException e) {
            throw e;
        } catch (IOException e) {
            throw new NotAnswerableException(
                    "the writer at " + writer + " cannot be reached for the rows: " + e.getMessage());
        } catch (BadJsonException e) {
            throw new NotAnswerableException("the writer at " + writer + " gave no usable answer: " + e.getMessage());
        }
    }

    /** Longer rows are expected at once, shorter ones little by little. */
    private void learn(TableDefinition table, long mean) {
        meanBytes.merge(table.name(), mean, (known, found) -> Math.max(found, (3 * known + found) / 4));
    }

    /**
     * What the writer answers to a lookup of rows.
     *
     * @param rows in the order of the keys asked for; null where there is no row
     * @param from every change up to this version is seen; null where the answer does not have it
     * @param to no change after this version is seen; null where the answer does not have it
     */
    record LookupAnswer(
            List<@Nullable Row> rows,
            @Nullable String from,
            @Nullable String to) {
        /**
         * A row.
         *
         * @param version as the answer spells it; null where the answer does not have it
         * @param json the row as it is stored, which is not read here
         */
        record Row(@Nullable String version, KeyBytes json) {}

        /**
         * Reads an answer. The rows are copied out of it as they are, so they take no more memory than their text.
         *
         * @throws BadJsonException when it is none
         */
        static LookupAnswer read(byte[] body) throws BadJsonException {
            try (JsonParser parser = RowJson.mapper().createParser(body)) {
                return read(parser, body);
            } catch (IOException e) {
                throw new BadJsonException("expected JSON, but " + e.getMessage());
            }
        }

        private static LookupAnswer read(JsonParser parser, byte[] body) throws IOException, BadJsonException {
            List<@Nullable Row> rows = new ArrayList<>();
            String from = null;
            String to = null;
            require(parser.nextToken(), JsonToken.START_OBJECT);
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                JsonToken token = parser.nextToken();
                switch (name) {
                    case "rows" -> {
                        require(token, JsonToken.START_ARRAY);
                        while (parser.nextToken() != JsonToken.END_ARRAY) {
                            rows.add(parser.currentToken() == JsonToken.VALUE_NULL ? null : row(parser, body));
                        }
                    }
                    case "from" -> from = parser.getText();
                    case "to" -> to = parser.getText();
                    default -> parser.skipChildren();
                }
            }
            require(parser.currentToken(), JsonToken.END_OBJECT);
            return new LookupAnswer(rows, from, to);
        }

        private static Row row(JsonParser parser, byte[] body) throws IOException, BadJsonException {
            String version = null;
            KeyBytes json = null;
            require(parser.currentToken(), JsonToken.START_OBJECT);
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                JsonToken token = parser.nextToken();
                if (name.equals("version")) {
                    version = parser.getText();
                } else if (name.equals("row")) {
                    require(token, JsonToken.START_OBJECT);
                    int begin = (int) parser.currentTokenLocation().getByteOffset();
                    parser.skipChildren();
                    int end = (int) parser.currentLocation().getByteOffset();
                    json = KeyBytes.wrap(Arrays.copyOfRange(body, begin, end));
                } else {
                    parser.skipChildren();
                }
            }
            if (json == null) {
                throw new BadJsonException("expected a row in each item of rows, but one has none");
            }
            return new Row(version, json);
        }

        private static void require(@Nullable JsonToken found, JsonToken expected) throws BadJsonException {
            if (found != expected) {
                throw new BadJsonException("expected " + expected + ", but got " + found);
            }
        }
    }
}
