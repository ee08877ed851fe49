package dev.tidemark.deploy.doctor;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.tidemark.deploy.doctor.Finding.Verdict;
import dev.tidemark.deploy.doctor.PostgresFacts.Role;
import dev.tidemark.deploy.doctor.PostgresFacts.Server;

import static org.assertj.core.api.Assertions.assertThat;

final class PostgresRulesTest {
    private static final int VERSION = 150_018;
    private static final Role ROLE = new Role("shop", "facts", true, true, 90);

    @Test
    void aUsualServerIsGood() {
        assertThat(judged(new Server(VERSION, settings(), false, 0, ROLE)))
                .allMatch(finding -> finding.verdict() == Verdict.OK)
                .extracting(Finding::found)
                .startsWith("jdbc:postgresql://db/facts: PostgreSQL 15.18, UTF8");
    }

    @Test
    void aServerThatIsAwayIsNamed() {
        assertThat(judged(new PostgresFacts.Unreached("refused")))
                .singleElement()
                .returns("jdbc:postgresql://db/facts: refused", Finding::found)
                .returns(Verdict.FAILED, Finding::verdict);
    }

    @ParameterizedTest
    @CsvSource({
        "fsync, off, alter system set fsync = on; select pg_reload_conf();",
        "full_page_writes, off, alter system set full_page_writes = on;",
        "synchronous_commit, off, alter system set synchronous_commit = on;",
        "server_encoding, LATIN1, create database tidemark template template0 encoding 'UTF8';"
    })
    void aSettingThatLosesWritesFailsWithTheStatementThatMendsIt(String name, String value, String statement) {
        Map<String, String> settings = settings();
        settings.put(name, value);

        assertThat(notGood(new Server(VERSION, settings, false, 0, ROLE)))
                .returns(Verdict.FAILED, Finding::verdict)
                .satisfies(finding -> assertThat(finding.advice()).contains(statement));
    }

    @Test
    void aDefaultThatTheWriterOverridesIsNoFailure() {
        Map<String, String> settings = settings();
        settings.put("default_transaction_read_only", "on");

        assertThat(judged(new Server(VERSION, settings, false, 0, ROLE)))
                .allMatch(finding -> finding.verdict() == Verdict.OK);
    }

    @Test
    void oldServersAndThoseThatFollowAnotherFail() {
        assertThat(notGood(new Server(130_005, settings(), false, 0, ROLE)).expected())
                .isEqualTo("version 14 or newer");
        assertThat(notGood(new Server(VERSION, settings(), true, 0, ROLE)).advice())
                .contains("select pg_promote();");
    }

    @Test
    void warnsOfFollowersThatMayLackACommit() {
        assertThat(notGood(new Server(VERSION, settings(), false, 2, ROLE)))
                .returns(Verdict.WARNING, Finding::verdict)
                .returns("2 servers follow this one, and it waits for none of them", Finding::found);
        Map<String, String> waiting = settings();
        waiting.put("synchronous_standby_names", "ANY 1 (*)");
        assertThat(judged(new Server(VERSION, waiting, false, 2, ROLE)))
                .allMatch(finding -> finding.verdict() == Verdict.OK);
    }

    @Test
    void namesRightsThatTheRoleLacks() {
        assertThat(notGood(server(new Role("shop", "facts", false, false, 90))))
                .returns("shop may not make the schema tidemark of facts", Finding::found)
                .returns("Run: create schema tidemark authorization \"shop\";", Finding::advice);
        assertThat(notGood(server(new Role("shop", "facts", true, false, 90))))
                .returns("shop may not make tables in the schema tidemark of facts", Finding::found)
                .returns("Run: alter schema tidemark owner to \"shop\";", Finding::advice);
        assertThat(notGood(server(new Role("shop", "facts", true, true, 3))).found())
                .isEqualTo("there is room for 3 more connections");
    }

    private static Server server(Role role) {
        return new Server(VERSION, settings(), false, 0, role);
    }

    private static Map<String, String> settings() {
        return new HashMap<>(
                Map.of("server_encoding", "UTF8", "fsync", "on", "full_page_writes", "on", "synchronous_commit", "on"));
    }

    private static Finding notGood(PostgresFacts facts) {
        List<Finding> found = judged(facts).stream()
                .filter(finding -> finding.verdict() != Verdict.OK)
                .toList();
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    private static List<Finding> judged(PostgresFacts facts) {
        Findings findings = new Findings();
        new PostgresRules(new PostgresLook.Question("jdbc:postgresql://db/facts", "shop", Optional.empty()), findings)
                .judge(facts);
        return findings.all();
    }
}
