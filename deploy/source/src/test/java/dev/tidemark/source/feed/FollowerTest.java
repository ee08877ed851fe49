package dev.tidemark.source.feed;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.client.Tidemark;
import dev.tidemark.row.RowJson;
import dev.tidemark.source.http.HttpWriter;
import dev.tidemark.source.testkit.FakeWriter;

import static org.assertj.core.api.Assertions.assertThat;

class FollowerTest {
    private final FakeWriter writer = new FakeWriter();
    private final Tidemark client = Tidemark.connect(Tidemark.options()
            .writer(writer.url().toString())
            .mapper(RowJson.mapper())
            .build());
    private final List<String> said = new ArrayList<>();

    /** Keeps what is said, and takes no notice of the rest. */
    private final Progress progress = (Progress) Proxy.newProxyInstance(
            Progress.class.getClassLoader(), new Class<?>[] {Progress.class}, (self, method, arguments) -> {
                if (method.getName().equals("warn")) {
                    said.add(String.valueOf(arguments[0]));
                }
                return null;
            });

    @AfterEach
    void close() {
        client.close();
        writer.close();
    }

    @Test
    void saysOnceWhichSourceNoTableFollows() throws Exception {
        Follower follower = new Follower(
                new HttpWriter(client, "shop", progress),
                notToBeAsked(Database.class),
                notToBeAsked(Engine.class),
                new ColumnHistory(),
                progress,
                false);

        for (int step = 0; step < 3; step++) {
            follower.doWork();
        }

        assertThat(said).containsExactly("no table of the writer's catalog follows the source shop; trying again");
    }

    private static <T> T notToBeAsked(Class<T> type) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    throw new AssertionError("not to be asked for " + method);
                }));
    }
}
