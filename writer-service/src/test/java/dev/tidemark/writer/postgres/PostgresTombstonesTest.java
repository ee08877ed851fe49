package dev.tidemark.writer.postgres;

import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import dev.tidemark.writer.testkit.StoreFixture;
import dev.tidemark.writer.testkit.TombstonesContract;

@ParameterizedClass
@EnumSource
class PostgresTombstonesTest extends TombstonesContract {
    @Parameter
    private TestServer.Version version = TestServer.Version.ARCHIVE_17;

    @Override
    protected StoreFixture open() {
        return PostgresFixture.of(version);
    }
}
