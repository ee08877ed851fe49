package dev.tidemark.writer.http;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.http.Security;
import dev.tidemark.http.SecuritySettings;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.testkit.RightsTable;
import dev.tidemark.testkit.SecretFiles;

import static org.assertj.core.api.Assertions.assertThat;

/** The table of calls in docs/security.md and the routes say the same, and so do answers. */
class RowRightsTest {
    private static final String TOKENS = "{'tokens':["
            + "{'name':'admin','token':'admin-0123456789-0123','scopes':['admin']},"
            + "{'name':'stranger','token':'stranger-0123456789-0123','scopes':['write:movies','read:*','read:metrics']},"
            + "{'name':'keeper','token':'keeper-0123456789-0123','scopes':['write:customers','admin']}]}";

    @TempDir
    private Path directory = Path.of("");

    @Test
    void theTableOfCallsHasEveryRouteAndWhatItNeeds() {
        assertThat(RightsTable.first(RightsTable.of("writer"))).isEqualTo(RightsTable.of(OpenApiTest.routes()));
    }

    @Test
    void everyCallIsRefusedWithoutItsScope() throws Exception {
        Path tokens = SecretFiles.write(directory.resolve("tokens"), TOKENS);
        SecuritySettings open = SecuritySettings.OPEN;
        SecuritySettings settings = new SecuritySettings(
                false, Optional.of(tokens), open.server(), open.client(), Optional.empty(), Optional.empty());
        try (ApiFixture api = new ApiFixture(Security.open("127.0.0.1", settings, List::of, new ManualClock()))) {
            follow(api);
            for (Map.Entry<String, String> call : RightsTable.of("writer").entrySet()) {
                boolean free = call.getValue().equals("none");
                // The scopes of another table are beside one for metrics, which admin allows too.
                boolean any = free || List.of("any token", "read:metrics").contains(call.getValue());
                boolean admin = any || call.getValue().equals("admin");
                assertThat(status(api, call.getKey(), ""))
                        .as(call.getKey())
                        .matches(status -> free ? isAllowed(status) : status == 401);
                assertThat(isAllowed(status(api, call.getKey(), "stranger")))
                        .as(call.getKey() + " with the scopes of another table")
                        .isEqualTo(any);
                assertThat(isAllowed(status(api, call.getKey(), "admin")))
                        .as(call.getKey() + " with admin")
                        .isEqualTo(admin);
                assertThat(isAllowed(status(api, call.getKey(), "keeper")))
                        .as(call.getKey() + " with its scope")
                        .isTrue();
            }
        }
    }

    /** Customers come from a source, so that calls for it find a table. */
    private static void follow(ApiFixture api) {
        int status = api.send(
                        "PUT",
                        "/v1/catalog",
                        ApiFixture.text("{'tables':{'customers':{'primaryKey':'customerId','partitions':4,"
                                + "'source':{'name':'shop','table':'c'}},"
                                + "'movies':{'primaryKey':['title','year'],'partitions':2}}}"),
                        "Content-Type",
                        "application/json",
                        "If-Match",
                        "*",
                        "Authorization",
                        "Bearer admin-0123456789-0123")
                .status();
        assertThat(status).isEqualTo(200);
    }

    private static boolean isAllowed(int status) {
        return status != 401 && status != 403;
    }

    private static int status(ApiFixture api, String call, String token) throws Exception {
        String[] parts = call.split(" ", 2);
        String path = parts[1].replace("{table}", "customers")
                .replace("{partition}", "0")
                .replace("{key}", "1")
                .replace("{name}", "shop");
        return token.isEmpty()
                ? api.status(parts[0], path)
                : api.status(parts[0], path, "Authorization", "Bearer " + token + "-0123456789-0123");
    }
}
