package dev.tidemark.deploy.simulation;

import java.util.List;

/** Nothing damages a shard here, so none is ever found damaged. */
final class ShardsAreWhole implements Guarantee {
    @Override
    public List<String> violations(Watched watched) {
        return watched.damages();
    }
}
