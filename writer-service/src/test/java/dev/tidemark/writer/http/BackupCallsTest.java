package dev.tidemark.writer.http;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.Optional;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.backup.BackupRefusal;
import dev.tidemark.http.PortInUseException;

import static org.assertj.core.api.Assertions.assertThat;

class BackupCallsTest {
    private final ApiFixture api = new ApiFixture();

    BackupCallsTest() throws PortInUseException {}

    @AfterEach
    void stop() {
        api.close();
    }

    @Test
    void aBackupIsMadeOnceUnderEachName() {
        ApiFixture.Answer made = post("monday");

        assertThat(made.status()).isEqualTo(201);
        assertThat(made.body().path("name").asText()).isEqualTo("monday");
        assertThat(made.body().path("path").asText()).endsWith("/monday");
        assertThat(post("monday").status()).isEqualTo(409);
    }

    @Test
    void onlyARefusalThatMayPassNamesATimeForTheNextTry() {
        api.backupRefusal = Optional.of(BackupRefusal.forNow("the topics have not been asked yet"));
        ApiFixture.Answer now = post("monday");
        api.backupRefusal = Optional.of(BackupRefusal.lasting("the rows are elsewhere"));
        ApiFixture.Answer always = post("monday");

        assertThat(now.status()).isEqualTo(503);
        assertThat(now.header("retry-after")).isEqualTo("5");
        assertThat(always.status()).isEqualTo(409);
        assertThat(always.header("retry-after")).isEmpty();
        assertThat(always.detail()).isEqualTo("the rows are elsewhere");
    }

    @Test
    void aNameIsNoPath() {
        for (String name : new String[] {"..", "a%2Fb", "%2Ftmp", ".hidden", "A", "a%00"}) {
            assertThat(post(name).status()).as(name).isEqualTo(400);
        }
    }

    private ApiFixture.Answer post(String name) {
        return api.send("POST", "/v1/backup?name=" + name, BodyPublishers.noBody());
    }
}
