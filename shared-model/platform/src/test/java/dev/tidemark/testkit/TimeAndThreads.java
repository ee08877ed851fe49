package dev.tidemark.testkit;

import java.time.Clock;
import java.util.Set;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

/** Finds calls that read a clock, make a thread, or rest. */
final class TimeAndThreads extends ArchCondition<JavaClass> {
    private static final Set<String> CLOCK_READS = Set.of("currentTimeMillis", "nanoTime");
    private static final Set<String> THREAD_CALLS = Set.of("sleep", "<init>", "onSpinWait");
    private static final Set<String> ASYNC = Set.of("runAsync", "supplyAsync", "delayedExecutor");

    TimeAndThreads() {
        super("read no clock, make no thread and never rest");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        type.getCodeUnitAccessesFromSelf().stream()
                .filter(access -> isForbidden(access.getTarget()))
                .forEach(access -> events.add(SimpleConditionEvent.violated(access, access.getDescription())));
    }

    private static boolean isForbidden(AccessTarget.CodeUnitAccessTarget target) {
        JavaClass owner = target.getOwner();
        String name = target.getName();
        if (owner.isEquivalentTo(System.class)) {
            return CLOCK_READS.contains(name);
        }
        if (owner.isEquivalentTo(Clock.class)) {
            return name.startsWith("system") || name.startsWith("tick");
        }
        if (owner.getPackageName().equals("java.time")) {
            // Instant.now(Clock) takes the clock that it was given.
            return name.equals("now")
                    && target.getRawParameterTypes().stream().noneMatch(type -> type.isEquivalentTo(Clock.class));
        }
        if (owner.getPackageName().equals("java.util.concurrent") && name.equals("<init>")) {
            return owner.getSimpleName().endsWith("Executor")
                    || owner.getSimpleName().endsWith("Pool");
        }
        return (owner.isEquivalentTo(CompletableFuture.class) && ASYNC.contains(name))
                || owner.isEquivalentTo(Executors.class)
                || (owner.isAssignableTo(Thread.class) && THREAD_CALLS.contains(name))
                || (owner.isEquivalentTo(TimeUnit.class) && name.equals("sleep"))
                || owner.isEquivalentTo(Timer.class);
    }
}
