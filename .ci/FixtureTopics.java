import java.util.List;
import java.util.Map;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * What {@code .ci/fixture} does to topics: {@code spoil BROKER TOPIC} appends a record that no writer writes, {@code
 * delete BROKER TOPIC} deletes the topic.
 */
class FixtureTopics {
    public static void main(String[] args) throws Exception {
        Map<String, Object> settings = Map.of("bootstrap.servers", args[1]);
        if (args[0].equals("delete")) {
            try (Admin admin = Admin.create(settings)) {
                admin.deleteTopics(List.of(args[2])).all().get();
            }
            return;
        }
        try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(args[2], 0, "no key", "garbage{")).get();
        }
    }
}
