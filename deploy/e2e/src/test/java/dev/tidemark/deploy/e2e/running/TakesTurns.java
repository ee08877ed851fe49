package dev.tidemark.deploy.e2e.running;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.LocalDate;
import java.time.ZoneOffset;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * A test that takes long runs on some days, and another one of its kind on the others. {@code -De2e.turns=all} runs all
 * of them, and {@code -De2e.turns=20785} those of that day since 1970.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(TakesTurns.Today.class)
public @interface TakesTurns {
    /** Which of the tests this is, from 0. */
    int turn();

    /** How many tests take turns, which is the number of days until this one comes again. */
    int of();

    /** Decides by the day. */
    final class Today implements ExecutionCondition {
        private static final boolean ALL = "all".equals(System.getProperty("e2e.turns"));

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return AnnotationSupport.findAnnotation(context.getElement(), TakesTurns.class)
                    .map(Today::decide)
                    .orElseGet(() -> ConditionEvaluationResult.enabled("takes no turns"));
        }

        private static ConditionEvaluationResult decide(TakesTurns turns) {
            return ALL || day() % turns.of() == turns.turn()
                    ? ConditionEvaluationResult.enabled("its turn has come")
                    : ConditionEvaluationResult.disabled("it is the turn of another test; -De2e.turns=all runs all");
        }

        private static long day() {
            return Long.getLong("e2e.turns", LocalDate.now(ZoneOffset.UTC).toEpochDay());
        }
    }
}
