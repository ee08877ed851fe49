package dev.tidemark.deploy.e2e;

import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.client.BulkResult;
import dev.tidemark.client.Change;
import dev.tidemark.client.Condition;
import dev.tidemark.client.Entry;
import dev.tidemark.client.Options;
import dev.tidemark.client.Page;
import dev.tidemark.client.Session;
import dev.tidemark.client.Table;
import dev.tidemark.client.Tidemark;
import dev.tidemark.client.TidemarkException;
import dev.tidemark.client.Written;

/** Writes customers and finds them by town, with the sample catalog. */
final class CustomersExample {
    private CustomersExample() {}

    /** A row, as Jackson reads and writes it. */
    record Customer(int customerId, String lastName, String firstName, String town, String phone) {}

    public static void main(String[] urls) {
        Options options = Tidemark.options().writer(urls[0]).worker(urls[1]).build();
        try (Tidemark tidemark = Tidemark.connect(options)) {
            Session session = tidemark.session();
            Table<Customer> customers = session.table("customers", Customer.class);

            // Writes with conditions: no update of another program is lost.
            Customer ann = new Customer(1, "Smith", "Ann", "Ghent", "555-0108");
            Written created = customers.put(1, ann, Condition.absent());
            Map<String, String> moved = Map.of("phone", "555-0199");
            Written changed = customers.patch(1, moved, Condition.version(created.version()));
            try {
                customers.delete(1, Condition.version(created.version()));
            } catch (TidemarkException.ConditionFailed e) {
                System.out.println("changed since: " + e.currentVersion().isPresent());
            }

            // A load of any length: rows are made and sent as the stream goes on.
            BulkResult load = customers.load(IntStream.range(2, 302)
                    .mapToObj(id -> Change.put(new Customer(id, "Name" + id, "Bo", "Bruges", ""))));
            System.out.println(load.committed() + " committed, " + load.rejectedTotal() + " rejected");

            // A query sees what the session wrote. Pages are read when the stream comes to them.
            try (Stream<Entry<Customer>> found =
                    session.query("customers.by_town", Customer.class).equalTo("town", "Ghent").limit(1_000).stream()) {
                found.forEach(entry -> System.out.println(entry.row().orElseThrow()));
            }

            // A page shows how stale it may be and what it may lack. This one is untyped.
            Page<ObjectNode> page = session.query("customers.by_town_last_name")
                    .equalTo("town", "Bruges")
                    .prefix("lastName", "Name2")
                    .descending()
                    .pageSize(3)
                    .maxStaleness(Duration.ofSeconds(5))
                    .waitUpTo(Duration.ofSeconds(10))
                    .page();
            page.entries().forEach(entry -> System.out.println(entry.key()));
            System.out.println("complete: " + page.freshness().isComplete() + ", more: "
                    + page.next().isPresent());

            // A receipt: the status of one write in each index.
            session.receipt(changed.token(), Duration.ofSeconds(10))
                    .indexes()
                    .forEach(index -> System.out.println(index.index() + ": " + index.status()));

            customers.load(IntStream.range(2, 302).mapToObj(Change::delete));
        }
    }
}
