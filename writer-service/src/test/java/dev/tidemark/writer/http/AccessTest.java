package dev.tidemark.writer.http;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.tidemark.http.Permission;
import dev.tidemark.http.Security;
import dev.tidemark.http.SecuritySettings;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.testkit.SecretFiles;

import static org.assertj.core.api.Assertions.assertThat;

/** Which token may make which call, tables apart. */
class AccessTest {
    private static final String TOKENS = "{'tokens':["
            + "{'name':'loader','token':'loader-0123456789-0123','scopes':['write:customers']},"
            + "{'name':'reader','token':'reader-0123456789-0123','scopes':['facts:customers']},"
            + "{'name':'worker','token':'worker-0123456789-0123','scopes':['facts:*','admin']},"
            + "{'name':'page','token':'page-0123456789-0123','scopes':['read:*']}]}";

    private static final List<String> CALLS = List.of(
            "GET /v1/tables",
            "GET /v1/catalog",
            "PUT /v1/catalog",
            "GET /v1/tables/customers/rows",
            "GET /v1/tables/customers/rows/1",
            "GET /v1/tables/customers/facts",
            "POST /v1/tables/customers/rows:lookup",
            "POST /v1/tables/customers/rows",
            "PUT /v1/tables/customers/rows/1",
            "PATCH /v1/tables/customers/rows/1",
            "DELETE /v1/tables/customers/rows/1",
            "GET /v1/tables/movies/rows",
            "DELETE /v1/tables/movies/rows/a,1",
            "GET /v1/tables/customers%2F..%2Fmovies/rows");

    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @CsvSource({
        // In the order of the calls: y for anything that is not 401 or 403.
        "none,   --- ---- ---- -- -",
        "loader, y-- yyyy yyyy -- -",
        "reader, y-- yyyy ---- -- -",
        "worker, yyy yyyy ---- y- y",
        "page,   y-- ---- ---- -- -"
    })
    void allowsEachTokenItsOwnTables(String name, String expected) throws Exception {
        try (ApiFixture api = fixture()) {
            StringBuilder found = new StringBuilder();
            for (String call : CALLS) {
                String[] parts = call.split(" ", 2);
                int status = api.status(parts[0], parts[1], headers(name).toArray(String[]::new));
                assertThat(status).as(call).isLessThan(500);
                found.append(status == 401 || status == 403 ? '-' : 'y');
            }
            assertThat(found.toString()).isEqualTo(expected.replace(" ", ""));
        }
    }

    @Test
    void everyCallSaysWhatItNeeds() throws Exception {
        assertThat(OpenApiTest.routes().routes())
                .allSatisfy(route -> assertThat(route.need()).as(route.path()).isNotEqualTo(Permission.NOTHING));
    }

    private static List<String> headers(String name) {
        List<String> headers = new ArrayList<>();
        if (!name.equals("none")) {
            headers.add("Authorization");
            headers.add("Bearer " + name + "-0123456789-0123");
        }
        return headers;
    }

    private ApiFixture fixture() throws Exception {
        Path tokens = SecretFiles.write(directory.resolve("tokens"), TOKENS);
        SecuritySettings open = SecuritySettings.OPEN;
        SecuritySettings settings = new SecuritySettings(
                false, Optional.of(tokens), open.server(), open.client(), Optional.empty(), Optional.empty());
        return new ApiFixture(Security.open("127.0.0.1", settings, List::of, new ManualClock()));
    }
}
