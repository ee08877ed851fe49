package dev.tidemark.memory;

import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class MemoryBudgetTest {
    private final MemoryBudget budget = new MemoryBudget(100);
    private final MemoryBudget.Part answers = budget.part("answers", 0.6);
    private final MemoryBudget.Part loads = budget.part("loads", 0.6);

    @Test
    void refuses_what_is_more_than_a_part_may_hold() {
        assertThat(answers.tryReserve(61)).isEmpty();
        assertThat(answers.tryReserve(60)).isPresent();
        assertThat(answers.tryReserve(1)).isEmpty();
        assertThat(answers.refusals()).isEqualTo(2);
    }

    @Test
    void refuses_what_all_parts_together_may_not_hold() {
        assertThat(answers.tryReserve(60)).isPresent();
        assertThat(loads.tryReserve(41)).isEmpty();
        assertThat(loads.reserved()).isZero();
        assertThat(loads.tryReserve(40)).isPresent();
        assertThat(budget.reserved()).isEqualTo(100);
    }

    @Test
    void what_is_set_aside_is_no_more_than_its_share_and_lacks_to_all_others() {
        assertThat(budget.setAside("caches", 0.5, 30)).isEqualTo(30);
        assertThat(budget.setAside("more_caches", 0.5, 60)).isEqualTo(50);
        assertThat(answers.tryReserve(21)).isEmpty();
        assertThat(answers.tryReserve(20)).isPresent();
    }

    @Test
    void gives_back_what_is_closed_once() {
        MemoryBudget.Reservation held = answers.tryReserve(60).orElseThrow();
        held.close();
        held.close();
        assertThat(budget.reserved()).isZero();
        assertThat(answers.reserved()).isZero();
        assertThat(held.tryGrow(1)).isFalse();
    }

    @Test
    void grows_and_shrinks_within_the_limits() {
        MemoryBudget.Reservation held = answers.tryReserve(10).orElseThrow();
        assertThat(held.tryGrow(50)).isTrue();
        assertThat(held.tryGrow(1)).isFalse();
        held.shrinkTo(20);
        held.shrinkTo(30);
        assertThat(held.bytes()).isEqualTo(20);
        assertThat(budget.reserved()).isEqualTo(20);
    }

    @Test
    void refuses_amounts_that_are_none() {
        assertThatThrownBy(() -> answers.tryReserve(-1)).hasMessageContaining("-1");
        assertThatThrownBy(() -> new MemoryBudget(0)).hasMessageContaining("0");
        assertThatThrownBy(() -> budget.part("none", 0)).hasMessageContaining("0");
    }

    @Test
    void survives_an_amount_that_would_overflow() {
        assertThat(answers.tryReserve(10)).isPresent();
        assertThat(answers.tryReserve(Long.MAX_VALUE)).isEmpty();
        assertThat(budget.reserved()).isEqualTo(10);
    }

    @Test
    void keeps_a_floor_that_other_parts_cannot_take() {
        MemoryBudget.Part records = budget.part("records", 0.5, 0.3);
        assertThat(budget.reserved()).isEqualTo(30);
        assertThat(answers.tryReserve(60)).isPresent();
        assertThat(loads.tryReserve(11)).isEmpty();
        assertThat(loads.tryReserve(10)).isPresent();
        MemoryBudget.Reservation held = records.tryReserve(30).orElseThrow();
        assertThat(records.tryReserve(1)).isEmpty();
        assertThat(budget.reserved()).isEqualTo(100);
        held.close();
        assertThat(budget.reserved()).isEqualTo(100);
        assertThat(records.reserved()).isZero();
    }

    @Test
    void counts_what_is_taken_although_nothing_is_left() {
        assertThat(answers.tryReserve(60)).isPresent();
        MemoryBudget.Reservation more = answers.reserve(50);
        assertThat(budget.reserved()).isEqualTo(110);
        assertThat(loads.tryReserve(1)).isEmpty();
        more.close();
        assertThat(budget.reserved()).isEqualTo(60);
    }

    @Test
    void never_holds_more_than_its_limit_by_many_threads() {
        AtomicLong most = new AtomicLong();
        IntStream.range(0, 20_000).parallel().forEach(i -> {
            var held = (i % 2 == 0 ? answers : loads).tryReserve(1 + i % 37);
            most.accumulateAndGet(budget.reserved(), Math::max);
            held.ifPresent(MemoryBudget.Reservation::close);
        });
        assertThat(most.get()).isBetween(1L, 100L);
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void a_part_can_hold_at_most_what_others_have_not_for_good() {
        MemoryBudget budget = new MemoryBudget(100);
        MemoryBudget.Part small = budget.part("small", 0.3, 0.1);
        MemoryBudget.Part large = budget.part("large", 0.8);

        assertThat(budget.setAside("caches", 0.4, 1_000)).isEqualTo(40);
        assertThat(large.tryReserve(20)).isPresent();

        assertThat(small.most()).isEqualTo(30);
        assertThat(large.most()).isEqualTo(50);
        assertThat(large.tryReserve(31)).isEmpty();
        assertThat(large.none().most()).isEqualTo(50);
        assertThat(large.tryReserve(30)).isPresent();
    }
}
