package dev.tidemark.deploy.e2e.load;

import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.e2e.guarantee.NoAcknowledgedWriteLost;
import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.http.Facts;
import dev.tidemark.deploy.oracle.RowTimeline.Write;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.Agent;

/** One client that writes rows of its own without end, and notes what it was told. Owned by its runner's thread. */
final class LoadClient implements Agent {
    private static final int KEYS = 80;
    private static final int BULK = 25;

    private final String name;
    private final String table;
    private final Facts facts;
    private final NoAcknowledgedWriteLost history;
    private final Random random;
    private final People people;
    private int loads;

    LoadClient(String name, String table, Facts facts, NoAcknowledgedWriteLost history, Random random) {
        this.name = name;
        this.table = table;
        this.facts = facts;
        this.history = history;
        this.random = random;
        this.people = new People(random);
    }

    @Override
    public String roleName() {
        return "load-" + name;
    }

    @Override
    public int doWork() throws InterruptedException {
        int dice = random.nextInt(100);
        if (dice < 45) {
            String key = anyKey();
            single(Write.put(key, people.row(key)));
        } else if (dice < 75) {
            single(Write.patch(anyKey(), people.patch()));
        } else if (dice < 90) {
            single(Write.delete(anyKey()));
        } else if (dice < 97) {
            bulk();
        } else {
            allOrNothing();
        }
        return 0;
    }

    private void single(Write write) throws InterruptedException {
        try {
            history.answered(
                    write,
                    switch (write.kind()) {
                        case PUT -> facts.put(table, write.key(), write.body());
                        case PATCH -> facts.patch(table, write.key(), write.body());
                        case DELETE -> facts.delete(table, write.key());
                    });
        } catch (ConnectException e) {
            history.notDone();
        } catch (IOException e) {
            history.unknown(write);
        }
    }

    private void bulk() throws InterruptedException {
        Set<String> keys = new LinkedHashSet<>();
        while (keys.size() < BULK) {
            keys.add(anyKey());
        }
        List<Write> writes = new ArrayList<>();
        for (String key : keys) {
            writes.add(random.nextInt(5) == 0 ? Write.delete(key) : Write.put(key, people.row(key)));
        }
        try {
            Answer answer = facts.load(table, lines(writes), "");
            if (answer.ok()) {
                history.bulkAnswered(writes, answer);
            } else {
                writes.forEach(history::unknown);
            }
        } catch (ConnectException e) {
            history.notDone();
        } catch (IOException e) {
            writes.forEach(history::unknown);
        }
    }

    private void allOrNothing() throws InterruptedException {
        loads++;
        List<Write> inserts = new ArrayList<>();
        for (int i = 0; i < BULK; i++) {
            String key = name + "-load" + loads + "-" + i;
            inserts.add(Write.put(key, people.row(key)));
        }
        try {
            Answer answer = facts.load(table, lines(inserts), "?atomic=true");
            if (answer.ok()) {
                history.bulkAnswered(inserts, answer);
            } else {
                history.atomicUnknown(inserts);
            }
        } catch (ConnectException e) {
            history.notDone();
        } catch (IOException e) {
            history.atomicUnknown(inserts);
        }
    }

    private static List<ObjectNode> lines(List<Write> writes) {
        List<ObjectNode> lines = new ArrayList<>();
        for (Write write : writes) {
            lines.add(
                    write.kind() == Write.Kind.DELETE
                            ? RowJson.mapper().createObjectNode().put("$delete", write.key())
                            : write.body());
        }
        return lines;
    }

    private String anyKey() {
        return name + "-" + random.nextInt(KEYS);
    }
}
