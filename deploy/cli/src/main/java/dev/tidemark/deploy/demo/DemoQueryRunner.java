package dev.tidemark.deploy.demo;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.tidemark.api.IndexAnswer;
import dev.tidemark.api.RowPage.FetchedRow;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.WorkerApi;
import dev.tidemark.deploy.client.WriterApi;
import dev.tidemark.deploy.text.Amounts;
import dev.tidemark.deploy.text.AnswerTable;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.deploy.text.Tint;
import dev.tidemark.row.RowJson;

/** Asks the index, shows the answer, and compares it with a scan of the whole fact table. */
final class DemoQueryRunner {
    private static final int SHOWN = 8;

    private final WriterApi writer;
    private final WorkerApi worker;
    private final Terminal terminal;
    private final Map<String, List<FetchedRow>> scans = new HashMap<>();

    DemoQueryRunner(WriterApi writer, WorkerApi worker, Terminal terminal) {
        this.writer = writer;
        this.worker = worker;
        this.terminal = terminal;
    }

    DemoCheck ask(DemoQuery question) throws ServiceException, InterruptedException {
        IndexAnswer answer = RowJson.as(IndexAnswer.class, worker.query(question.query()));
        List<FetchedRow> all = scan(question.table());
        List<String> fromIndex = answer.entries().stream()
                .map(entry -> entry.primaryKey().toString())
                .toList();
        List<String> fromScan = all.stream()
                .filter(row -> question.matches().test(row.row()))
                .map(row -> row.key().toString())
                .toList();
        boolean same = sorted(fromIndex).equals(sorted(fromScan)) && !fromIndex.isEmpty();
        boolean expected = question.keys().isEmpty() || question.keys().equals(fromIndex);
        boolean ok = same && expected && answer.next().isEmpty();
        show(question, answer);
        DemoCheck check =
                new DemoCheck(question.commandLine(), ok, finding(question, fromIndex, fromScan, all.size(), ok));
        showCheck(check);
        return check;
    }

    private void show(DemoQuery question, IndexAnswer answer) {
        terminal.line(terminal.tinted(question.words(), Tint.BOLD));
        terminal.line(terminal.tinted("$ " + question.commandLine(), Tint.CYAN));
        List<IndexAnswer.Entry> entries = answer.entries();
        IndexAnswer shown = new IndexAnswer(
                answer.index(), entries.subList(0, Math.min(SHOWN, entries.size())), answer.next(), answer.freshness());
        terminal.lines(AnswerTable.render(shown, terminal));
        if (entries.size() > SHOWN) {
            terminal.line(terminal.tinted("  … and " + (entries.size() - SHOWN) + " more", Tint.DIM));
        }
    }

    void showCheck(DemoCheck check) {
        String sign = check.ok() ? terminal.tinted("✓", Tint.GREEN) : terminal.tinted("✗", Tint.RED);
        terminal.line(sign + " " + check.detail());
        terminal.line();
    }

    private static String finding(
            DemoQuery question, List<String> fromIndex, List<String> fromScan, int scanned, boolean ok) {
        if (!ok) {
            String expected = question.keys().isEmpty() ? "" : ", and " + question.keys() + " was expected";
            return "the index found " + fromIndex + ", a scan " + fromScan + expected;
        }
        String touched = Amounts.count(fromIndex.size(), "entry", "entries") + " read from the index";
        if (question.fetchesRows()) {
            touched += " and " + Amounts.count(fromIndex.size(), "row", "rows") + " fetched by key";
        }
        return touched + "; a scan reads " + Amounts.count(scanned, "row", "rows") + " and finds the same "
                + Amounts.count(fromScan.size());
    }

    private List<FetchedRow> scan(String table) throws ServiceException, InterruptedException {
        if (!scans.containsKey(table)) {
            scans.put(table, writer.scan(table));
        }
        return scans.getOrDefault(table, List.of());
    }

    private static List<String> sorted(List<String> keys) {
        return keys.stream().sorted().toList();
    }
}
