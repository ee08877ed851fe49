package dev.tidemark.writer.commit;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import dev.tidemark.writer.commit.RowRefusedException.Kind;

import static dev.tidemark.writer.testkit.TestTables.CUSTOMERS;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RowRulesTest {
    private final RowRules rules = new RowRules(CUSTOMERS, 100);

    @Test
    void keepsNumbersAsTheyWereWritten() throws RowRefusedException {
        assertThat(rules.accept(customerKey(1), json("{'customerId':1.0,'price':2.50,'big':12345678901234567890123}"))
                        .bytes())
                .asString()
                .isEqualTo("{\"customerId\":1.0,\"price\":2.50,\"big\":12345678901234567890123}");
    }

    @Test
    void refusesARowWithoutItsPrimaryKey() {
        refuses(() -> rules.keyOf(json("{'town':'Redmond'}")), Kind.INVALID, "customerId is absent or null");
    }

    @Test
    void refusesARowUnderAnotherKeyAndSaysBoth() {
        refuses(
                () -> rules.accept(customerKey(1), json("{'customerId':'1'}")),
                Kind.INVALID,
                "written under, 1, but its own is \"1\"");
    }

    @Test
    void refusesARowThatIsTooLarge() throws RowRefusedException {
        String most = "y".repeat(100 - "{'customerId':1,'x':''}".length());

        assertThat(rules.accept(customerKey(1), json("{'customerId':1,'x':'" + most + "'}"))
                        .bytes())
                .hasSize(100);
        refuses(
                () -> rules.accept(customerKey(1), json("{'customerId':1,'x':'y" + most + "'}")),
                Kind.TOO_LARGE,
                "expected a row of at most 100 bytes, but it has 101");
    }

    @Test
    void refusesWhatAnIndexCannotHoldAndNamesTheIndex() {
        refuses(
                () -> rules.accept(customerKey(1), json("{'customerId':1,'town':{}}")),
                Kind.UNINDEXABLE,
                "index by_town of table customers");
    }

    private static void refuses(ThrowingCallable call, Kind kind, String message) {
        assertThatThrownBy(call)
                .isInstanceOf(RowRefusedException.class)
                .hasMessageContaining(message)
                .extracting(e -> ((RowRefusedException) e).kind())
                .isEqualTo(kind);
    }
}
