package dev.tidemark.deploy.doctor;

import java.util.ArrayList;
import java.util.List;

import dev.tidemark.deploy.doctor.Finding.Verdict;

/** Collects findings in the order in which they are made. */
final class Findings {
    private final List<Finding> all = new ArrayList<>();

    void ok(String check, String found) {
        all.add(new Finding(check, Verdict.OK, found, "", ""));
    }

    void skipped(String check, String why) {
        all.add(new Finding(check, Verdict.SKIPPED, why, "", ""));
    }

    void warning(String check, String found, String expected, String advice) {
        all.add(new Finding(check, Verdict.WARNING, found, expected, advice));
    }

    void failed(String check, String found, String expected, String advice) {
        all.add(new Finding(check, Verdict.FAILED, found, expected, advice));
    }

    List<Finding> all() {
        return List.copyOf(all);
    }
}
