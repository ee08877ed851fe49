package dev.tidemark.writer.kafka;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.jspecify.annotations.Nullable;

import dev.tidemark.kafka.AdminBrokers;
import dev.tidemark.kafka.GroupNotes;

/**
 * An administrative client that is made when it is first needed, because the broker's name may not resolve when the
 * service starts. For any thread.
 */
public final class AdminConnection implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(6);

    private final KafkaClientSettings settings;
    private @Nullable Admin admin;

    public AdminConnection(KafkaClientSettings settings) {
        this.settings = settings;
    }

    /** Sends a request and waits for the answer; every failure is a {@link KafkaException}. */
    public <T> T ask(Function<Admin, KafkaFuture<T>> question) throws InterruptedException {
        try {
            return question.apply(admin()).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException cause ? cause : new KafkaException(e.getCause());
        } catch (TimeoutException e) {
            throw new org.apache.kafka.common.errors.TimeoutException(
                    "no answer within " + PATIENCE.toSeconds() + " s");
        }
    }

    /** What the workers of all replica groups note, which is read through this connection. */
    public GroupNotes notes(String group, Clock clock) {
        return new GroupNotes(group, new AdminBrokers(this::admin), PATIENCE, clock);
    }

    /** The metrics of the client; empty before its first use. */
    public synchronized Map<MetricName, ? extends Metric> metrics() {
        return admin == null ? Map.of() : admin.metrics();
    }

    @Override
    public synchronized void close() {
        if (admin != null) {
            admin.close(Duration.ZERO);
        }
    }

    private synchronized Admin admin() {
        Admin known = admin;
        if (known == null) {
            known = Admin.create(settings.admin());
            admin = known;
        }
        return known;
    }
}
