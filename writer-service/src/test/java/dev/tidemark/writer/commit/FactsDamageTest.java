package dev.tidemark.writer.commit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FactsDamageTest {
    @Test
    void refusesWritesFromTheFirstDamageOnAndKeepsThatOne() {
        FactsDamage damage = new FactsDamage();
        assertThat(damage.refusal()).isEmpty();

        damage.found("file 7 is torn");
        damage.found("file 8 is torn");

        assertThat(damage.refusal().orElseThrow()).contains("file 7 is torn").contains(FactsDamage.REMEDY);
    }
}
