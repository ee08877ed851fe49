package dev.tidemark.writer.kafka;

import java.util.List;

import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.change.ChangeTopic;
import dev.tidemark.writer.catalog.LogUnavailableException;
import dev.tidemark.writer.leader.PublishedEnds;

/** The ends of the change topics of some tables, as Kafka has them. A topic that is absent counts nothing. */
public final class KafkaPublishedEnds implements PublishedEnds {
    private static final Logger LOGGER = LoggerFactory.getLogger(KafkaPublishedEnds.class);

    private final TopicAdmin admin;
    private final List<String> topics;

    public KafkaPublishedEnds(AdminConnection admin, List<String> tables) {
        this(new KafkaTopicAdmin(admin), tables);
    }

    /** The ends in any cluster. */
    KafkaPublishedEnds(TopicAdmin admin, List<String> tables) {
        this.admin = admin;
        this.topics = tables.stream().map(ChangeTopic::nameFor).toList();
    }

    @Override
    public long sum() throws LogUnavailableException, InterruptedException {
        long sum = 0;
        try {
            for (String topic : topics) {
                sum += end(topic);
            }
            return sum;
        } catch (KafkaException e) {
            throw new LogUnavailableException("the change topics cannot be looked at: " + e.getMessage(), e);
        }
    }

    private long end(String topic) throws LogUnavailableException, InterruptedException {
        try {
            TopicAdmin.Found found = admin.find(topic);
            if (!found.leaderless().isEmpty()) {
                // Nothing can be published to it, and while a writer tries, its other partitions may stand still too.
                throw new LogUnavailableException(
                        "partition " + found.leaderless().get(0) + " of topic " + topic + " has no leader");
            }
            return admin.offsets(topic, found.led(), OffsetSpec.latest()).stream()
                    .mapToLong(offset -> offset)
                    .sum();
        } catch (UnknownTopicOrPartitionException e) {
            LOGGER.debug("There is no topic {}", topic, e);
            return 0;
        }
    }
}
