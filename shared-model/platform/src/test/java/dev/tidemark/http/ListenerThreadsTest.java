package dev.tidemark.http;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class ListenerThreadsTest {
    private final List<Runnable> woken = new ArrayList<>();
    private final List<String> done = new ArrayList<>();
    private final ListenerThreads turns = new ListenerThreads(woken::add);

    @Test
    void wakesOneThreadForTasksThatComeAtOnce() {
        List.of("a", "b", "c").forEach(name -> turns.oneByOne().execute(() -> done.add(name)));
        assertThat(woken).hasSize(1);
        woken.get(0).run();
        assertThat(done).containsExactly("a", "b", "c");
        turns.oneByOne().execute(() -> done.add("d"));
        assertThat(woken).as("once more").hasSize(2);
    }

    @Test
    void runsInTheSameTurnsWhatATaskAddsToThem() {
        turns.oneByOne().execute(() -> turns.oneByOne().execute(() -> done.add("added")));
        woken.get(0).run();
        assertThat(done).containsExactly("added");
        assertThat(woken).hasSize(1);
    }

    @Test
    void givesWhatMayWaitToAnotherThread() {
        turns.oneByOne().execute(() -> turns.execute(() -> done.add("waits")));
        woken.get(0).run();
        assertThat(done).isEmpty();
        assertThat(woken).hasSize(2);
    }

    @ParameterizedTest
    @MethodSource("failures")
    void goesOnAfterATaskThatFailed(Throwable failure) {
        turns.oneByOne().execute(() -> sneak(failure));
        turns.oneByOne().execute(() -> done.add("after it"));
        woken.get(0).run();
        assertThat(done).containsExactly("after it");
    }

    private static Stream<Throwable> failures() {
        return Stream.of(new IllegalStateException("of a test"), new StackOverflowError("of a test"));
    }

    private static void sneak(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) failure;
    }
}
