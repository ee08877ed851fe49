package dev.tidemark.deploy.target;

import org.junit.jupiter.api.Test;

import dev.tidemark.deploy.target.ServiceCaller.Reply;

import static org.assertj.core.api.Assertions.assertThat;

class ServiceCallerTest {
    private static final String REFUSED = "{\"type\":\"tidemark:writes-unavailable\",\"detail\":\"no disk";

    @Test
    void aWriteIsRefusedWhereTheServiceSaysThatNothingOfItWasApplied() {
        assertThat(new Reply(503, REFUSED + "\"}").isRefusedWrite()).isTrue();
        assertThat(new Reply(503, REFUSED + "\",\"committed\":3}").isRefusedWrite())
                .isFalse();
        assertThat(new Reply(503, "{\"type\":\"tidemark:outcome-unknown\"}").isRefusedWrite())
                .isFalse();
        assertThat(new Reply(200, "{}").isRefusedWrite()).isFalse();
        assertThat(new Reply(503, "gone").isRefusedWrite()).isFalse();
    }
}
