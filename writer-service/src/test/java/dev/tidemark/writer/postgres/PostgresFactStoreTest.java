package dev.tidemark.writer.postgres;

import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import dev.tidemark.writer.testkit.FactStoreContract;
import dev.tidemark.writer.testkit.StoreFixture;

@ParameterizedClass
@EnumSource
class PostgresFactStoreTest extends FactStoreContract {
    @Parameter
    private TestServer.Version version = TestServer.Version.ARCHIVE_17;

    @Override
    protected StoreFixture open() {
        return PostgresFixture.of(version);
    }

    /** Each row that is read is a question to the server. */
    @Override
    protected int steps() {
        return 60;
    }
}
