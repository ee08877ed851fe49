package dev.tidemark.access;

import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ScopeTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*",
                "admin",
                "read:metrics",
                "peer",
                "write:customers",
                "write:*",
                "facts:*",
                "read:by_town",
                "read:*",
                "read:customers.by_town",
                "read:customers.*"
            })
    void isSpelledAsItIsRead(String text) {
        assertThat(Scope.parse(text).orElseThrow()).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "all",
                "write",
                "write:",
                "write:a.b",
                "write:../x",
                "read:*.by_town",
                "read:A",
                "admin:x",
                "read:customers.",
                "delete:customers",
                " admin",
                "admin\n"
            })
    void nothingElseIsAScope(String text) {
        assertThat(Scope.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "*, admin, true",
        "*, write:customers, true",
        "*, read:metrics, true",
        "*, peer, true",
        "peer, peer, true",
        "peer, read:people.by_town, true",
        "peer, facts:people, true",
        "peer, write:people, false",
        "peer, admin, false",
        "admin, peer, false",
        "read:*, peer, false",
        "admin, read:metrics, true",
        "admin, read:by_town, false",
        "admin, facts:customers, false",
        "read:metrics, admin, false",
        "read:*, read:customers.by_town, true",
        "read:*, read:metrics, false",
        "read:*, facts:customers, false",
        "read:by_town, read:by_last_name, false",
        "write:customers, facts:customers, true",
        "write:customers, facts:movies, false",
        "write:*, facts:movies, true",
        "facts:customers, write:customers, false",
        "write:customers, admin, false"
    })
    void coversWhatItSaysAndNoMore(String held, String wanted, boolean covered) {
        Caller caller = new Caller("test", Set.of(Scope.parse(held).orElseThrow()));

        assertThat(caller.may(Scope.parse(wanted).orElseThrow())).isEqualTo(covered);
    }

    @Test
    void whoShowsNothingMayNothing() {
        assertThat(Caller.ANONYMOUS.mayAny(List.of(Scope.metrics(), Scope.read("x"))))
                .isFalse();
    }
}
