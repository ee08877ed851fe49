package dev.tidemark.access;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.testkit.SecretFiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TokenFileTest {
    private static final String TOKEN = "canary-token-0123456789";
    private static final String OTHER = "canary-token-9876543210";
    /** Of TOKEN, by another tool. */
    private static final String DIGEST = "225549e2293f65411e8c1c0cf764be1f99b574a5f527ef083f4b12a76bcdd4e0";

    @TempDir
    private Path directory = Path.of("");

    @Test
    void findsWhoseATokenIs() throws BadSettingsException {
        Tokens tokens = read("{'tokens':[{'name':'loader','token':'" + TOKEN + "','scopes':['write:customers']},"
                + "{'name':'page','token':'" + OTHER + "','scopes':['read:*','read:metrics']}]}");

        assertThat(tokens.find(TOKEN).orElseThrow().name()).isEqualTo("loader");
        assertThat(tokens.find(OTHER).orElseThrow().scopes()).hasSize(2);
        assertThat(tokens.find(TOKEN + "x")).isEmpty();
        assertThat(tokens.find("")).isEmpty();
    }

    @Test
    void readsYamlAndDigestsToo() throws BadSettingsException {
        Tokens tokens = read(String.join("\n", "tokens:", "- name: loader", "  sha256: " + DIGEST, "  scopes: ['*']"));

        assertThat(tokens.find(TOKEN).orElseThrow().name()).isEqualTo("loader");
        assertThat(tokens.find(DIGEST)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "tokens: [",
                "{'tokens':[",
                "{'tokens':[]}",
                "{'tokens':[{'name':'a','token':'canary-token-0123456789'}]}",
                "{'tokens':[{'name':'a','token':'canary-token-0123456789','scopes':[]}]}",
                "{'tokens':[{'name':'a','token':'canary-token-0123456789','scopes':['all']}]}",
                "{'tokens':[{'name':'a','token':'canary-token-0123456789','scopes':['*'],'x':1}]}",
                "{'tokens':[{'name':'','token':'canary-token-0123456789','scopes':['*']}]}",
                "{'tokens':[{'name':'a','token':'canary','scopes':['*']}]}",
                "{'tokens':[{'name':'a','token':12345678901234567890123,'scopes':['*']}]}",
                "{'tokens':[{'name':'a','token':'canary token with spaces','scopes':['*']}]}",
                "{'tokens':[{'name':'a','sha256':'canary','scopes':['*']}]}",
                "{'tokens':[{'name':'a','scopes':['*']}]}",
                "{'tokens':[{'name':'a','token':'canary-token-0123456789','scopes':['*']},"
                        + "{'name':'a','token':'canary-token-9876543210','scopes':['*']}]}",
                "{'tokens':[{'name':'a','token':'canary-token-0123456789','scopes':['*']},"
                        + "{'name':'b','token':'canary-token-0123456789','scopes':['*']}]}",
                "{'tokens':['canary-token-0123456789']}",
                "{'tokens':canary-token-0123456789}",
                "tokens: !!java.net.URL [canary]",
                "tokens: [{name: a, token: canary-token-0123456789, scopes: !!str ['*']}]",
                "tokens: !!str {canary: 1}",
                "tokens: !!timestamp [canary]",
                "tokens: !!set canary",
                "canary: &a [*a, *a]"
            })
    void refusesAnythingElseAndShowsNoneOfIt(String text) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(BadSettingsException.class)
                .hasMessageContaining("tokens")
                .hasMessageNotContaining("canary");
    }

    @Test
    void refusesAFileThatOthersMayRead() throws Exception {
        Path file = SecretFiles.write(directory.resolve("tokens"), "{}");
        for (String permissions : new String[] {"rw-r--r--", "rw-----w-", "rw--w----"}) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));

            assertThatThrownBy(() -> TokenFile.read(file)).hasMessageContaining("chmod 600");
        }
    }

    @Test
    void readsTheTokenThatACallerShows() throws BadSettingsException {
        Path file = SecretFiles.write(directory.resolve("token"), TOKEN + "\n");

        assertThat(TokenFile.single(file)).isEqualTo(TOKEN);
        SecretFiles.write(file, "canary two words");
        assertThatThrownBy(() -> TokenFile.single(file)).hasMessageNotContaining("canary");
    }

    private Tokens read(String text) throws BadSettingsException {
        return TokenFile.read(SecretFiles.write(directory.resolve("tokens"), text));
    }
}
