package dev.tidemark.deploy.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.tidemark.writer.leader.Claim;
import dev.tidemark.writer.leader.ClaimLog;

/** The claims of all writers, in one order. */
final class Claims implements ClaimLog {
    private final List<Claim> published = new ArrayList<>();

    @Override
    public Optional<Claim> last() {
        return published.isEmpty() ? Optional.empty() : Optional.of(published.get(published.size() - 1));
    }

    @Override
    public void publish(Claim claim) {
        published.add(claim);
    }
}
