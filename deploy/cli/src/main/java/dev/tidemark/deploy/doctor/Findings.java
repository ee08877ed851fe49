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

    /** Adds what others found, with failures as warnings. */
    void warn(Findings others) {
        for (Finding one : others.all) {
            all.add(
                    one.verdict() == Verdict.FAILED
                            ? new Finding(one.check(), Verdict.WARNING, one.found(), one.expected(), one.advice())
                            : one);
        }
    }

    void add(Findings others) {
        all.addAll(others.all);
    }

    List<Finding> all() {
        return List.copyOf(all);
    }
}
