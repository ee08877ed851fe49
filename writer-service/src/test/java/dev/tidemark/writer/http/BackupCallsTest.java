package dev.tidemark.writer.http;

import java.net.http.HttpRequest.BodyPublishers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

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
    void aNameIsNoPath() {
        for (String name : new String[] {"..", "a%2Fb", "%2Ftmp", ".hidden", "A", "a%00"}) {
            assertThat(post(name).status()).as(name).isEqualTo(400);
        }
    }

    private ApiFixture.Answer post(String name) {
        return api.send("POST", "/v1/backup?name=" + name, BodyPublishers.noBody());
    }
}
