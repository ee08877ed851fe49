package dev.tidemark.worker.http;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;

import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.facts.FactStreamHead;
import dev.tidemark.facts.FactStreamReader;
import dev.tidemark.facts.StreamedFact;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.memory.MemoryBudget.Reservation;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.query.NotAnswerableException;
import dev.tidemark.worker.verify.CannotVerifyException;
import dev.tidemark.worker.verify.FactReader;
import dev.tidemark.worker.verify.FactStream;
import dev.tidemark.worker.verify.WriterBusyException;

/** Asks the writer service for whole tables and for rows with their versions. For any thread. */
public final class WriterFactTables implements FactReader {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Approximate limit, in bytes, for the rows that one call finds; lower where there is less memory. */
    private static final long MOST_BYTES = 8L << 20;

    /** Others need memory as well. */
    private static final int PART_OF_MEMORY = 8;

    /** Objects around a row. */
    private static final long ROW_OBJECTS = 256;

    private final ServiceClient peer;
    private final RowLookups lookups;
    private final MemoryBudget.Part memory;
    private final Clock clock;

    /**
     * A client.
     *
     * @param memory to read rows into
     */
    public WriterFactTables(ServiceConnection writer, MemoryBudget.Part memory, Clock clock) {
        this.peer = writer.service();
        this.lookups = new RowLookups(writer);
        this.memory = memory;
        this.clock = clock;
    }

    @Override
    public FactStream stream(TableDefinition table, boolean whole) throws CannotVerifyException {
        String path = "/v1/tables/" + DerivedTable.base(table.name()) + "/facts?rows=" + (whole ? "whole" : "versions");
        for (int left = peer.count(); ; left--) {
            URI address = peer.address(path);
            try {
                return WriterFactStream.open(peer, address);
            } catch (WriterBusyException e) {
                // The active writer said so, and any other would ask that one.
                throw e;
            } catch (CannotVerifyException e) {
                peer.avoid(address);
                if (left == 1) {
                    throw e;
                }
            }
        }
    }

    @Override
    public Found find(TableDefinition table, List<KeyBytes> keys) throws CannotVerifyException, InterruptedException {
        Rows rows = new Rows();
        boolean found = false;
        try (WriterCallLimit.Turn turn = WriterCallLimit.alone(PATIENCE, clock)) {
            long most = Math.min(MOST_BYTES, memory.limit() / PART_OF_MEMORY);
            boolean more = true;
            while (more) {
                List<KeyBytes> rest = keys.subList(rows.rows.size(), keys.size());
                Optional<RowLookups.Piece> piece = lookups.ask(table, rest, turn, memory::tryReserve);
                piece.ifPresent(read -> rows.held.add(read.reading()));
                if (piece.isPresent()) {
                    rows.add(rest, piece.get());
                } else if (rows.rows.isEmpty()) {
                    throw new CannotVerifyException("there is no memory left to read rows of the writer into");
                }
                more = piece.isPresent() && rows.rows.size() < keys.size() && rows.bytes < most;
            }
            found = true;
            return new Found(rows.from, rows.to, rows.rows, rows.held);
        } catch (NotAnswerableException e) {
            throw new CannotVerifyException(String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            throw new CannotVerifyException("the writer at " + peer + " gave no usable rows: " + e.getMessage());
        } finally {
            if (!found) {
                rows.held.forEach(Reservation::close);
            }
        }
    }

    /** What has been read so far. */
    private static final class Rows {
        private final List<Optional<StreamedFact>> rows = new ArrayList<>();
        private final List<Reservation> held = new ArrayList<>();
        private RowVersion from = RowVersion.NONE;
        private RowVersion to = RowVersion.NONE;
        private long bytes;

        /** Takes in a piece, whose memory is kept as far as its rows take it. */
        void add(List<KeyBytes> keys, RowLookups.Piece piece) {
            from = rows.isEmpty() ? version(piece.answer().from()) : from;
            to = version(piece.answer().to());
            long before = bytes;
            for (int i = 0; i < piece.answer().rows().size(); i++) {
                RowLookups.LookupAnswer.Row row = piece.answer().rows().get(i);
                rows.add(fact(keys.get(i), row));
                bytes += ROW_OBJECTS + (row == null ? 0 : row.json().length());
            }
            piece.reading().shrinkTo(bytes - before);
        }
    }

    private static Optional<StreamedFact> fact(KeyBytes key, RowLookups.LookupAnswer.@Nullable Row row) {
        return row == null
                ? Optional.empty()
                : Optional.of(new StreamedFact(
                        key,
                        version(row.version()),
                        Optional.of(RowDocument.stored(row.json().array()))));
    }

    private static RowVersion version(@Nullable String text) {
        return RowVersion.parse(text == null ? "" : text);
    }

    /** A fact table as the writer sends it. A writer that stops sending is given up after a while. */
    private static final class WriterFactStream implements FactStream {
        private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(2);

        /** Longest silence. As long as the stream is open, a shard that should be closed waits. */
        private static final Duration SILENCE = Duration.ofSeconds(5);

        private static final int TOO_MANY_STREAMS = 429;

        private final HttpURLConnection connection;
        private final FactStreamReader reader;

        private WriterFactStream(HttpURLConnection connection, FactStreamReader reader) {
            this.connection = connection;
            this.reader = reader;
        }

        /**
         * Asks for the stream and reads its head.
         *
         * @throws CannotVerifyException when there is none
         */
        static WriterFactStream open(ServiceClient writer, URI table) throws CannotVerifyException {
            try {
                HttpURLConnection connection = (HttpURLConnection) table.toURL().openConnection();
                ServiceClient.Credentials credentials = writer.credentials();
                credentials.authorization().ifPresent(text -> connection.setRequestProperty("Authorization", text));
                if (connection instanceof HttpsURLConnection secure) {
                    credentials.tls().ifPresent(tls -> secure.setSSLSocketFactory(tls.getSocketFactory()));
                }
                // Unlike the other client, this one bounds the time between two pieces of an answer.
                connection.setConnectTimeout(Math.toIntExact(CONNECT_PATIENCE.toMillis()));
                connection.setReadTimeout(Math.toIntExact(SILENCE.toMillis()));
                if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
                    int status = connection.getResponseCode();
                    connection.disconnect();
                    String answered = "the writer answered " + table + " with status " + status;
                    throw status == TOO_MANY_STREAMS
                            ? new WriterBusyException(answered)
                            : new CannotVerifyException(answered);
                }
                return new WriterFactStream(connection, new FactStreamReader(connection.getInputStream()));
            } catch (IOException e) {
                throw new CannotVerifyException("the writer does not send " + table + ": " + e.getMessage());
            }
        }

        @Override
        public FactStreamHead head() {
            return reader.head();
        }

        @Override
        public @Nullable StreamedFact next() throws CannotVerifyException {
            try {
                return reader.next();
            } catch (IOException e) {
                throw new CannotVerifyException("the writer's stream of facts broke off: " + e.getMessage());
            }
        }

        @Override
        public void close() {
            // Closing the stream would read what is left of it first.
            connection.disconnect();
        }
    }
}
