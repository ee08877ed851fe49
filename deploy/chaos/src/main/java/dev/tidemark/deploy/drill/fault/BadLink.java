package dev.tidemark.deploy.drill.fault;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

import dev.tidemark.deploy.drill.machine.Link;
import dev.tidemark.deploy.stack.Role;

/** The link from one service to the broker is slow, silent or broken; the other one's is fine. */
record BadLink(Map<Role, Link> links, Random random) implements Fault {
    private static final List<Link.Mood> BAD = List.of(Link.Mood.SLOW, Link.Mood.CUT, Link.Mood.BROKEN);

    @Override
    public boolean begin(Role role, Instant now) {
        Objects.requireNonNull(links.get(role)).become(BAD.get(random.nextInt(BAD.size())));
        return true;
    }

    @Override
    public boolean end() {
        links.values().forEach(link -> link.become(Link.Mood.FINE));
        return true;
    }
}
