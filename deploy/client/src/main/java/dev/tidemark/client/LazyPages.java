package dev.tidemark.client;

import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators.AbstractSpliterator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Pages that follow each other by cursors, each read when it is taken.
 *
 * @param <P> type of a page
 */
final class LazyPages<P> extends AbstractSpliterator<P> {
    private final Function<Optional<String>, P> read;
    private final Function<P, Optional<String>> next;
    private Optional<String> cursor = Optional.empty();
    private boolean more = true;

    private LazyPages(Function<Optional<String>, P> read, Function<P, Optional<String>> next) {
        super(Long.MAX_VALUE, Spliterator.ORDERED);
        this.read = read;
        this.next = next;
    }

    /**
     * The pages as a stream in one thread.
     *
     * @param read reads the page at a cursor, or the first
     * @param next the cursor behind a page
     */
    static <P> Stream<P> stream(Function<Optional<String>, P> read, Function<P, Optional<String>> next) {
        return StreamSupport.stream(new LazyPages<>(read, next), false);
    }

    @Override
    public boolean tryAdvance(Consumer<? super P> taker) {
        if (!more) {
            return false;
        }
        P page = read.apply(cursor);
        cursor = next.apply(page);
        more = cursor.isPresent();
        taker.accept(page);
        return true;
    }
}
