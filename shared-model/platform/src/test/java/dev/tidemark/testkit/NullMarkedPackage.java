package dev.tidemark.testkit;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.jspecify.annotations.NullMarked;

/** The package of a class has a package-info that is {@link NullMarked}. */
final class NullMarkedPackage extends ArchCondition<JavaClass> {

    NullMarkedPackage() {
        super("be in a package whose package-info is @NullMarked");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        JavaPackage home = type.getPackage();
        if (home.tryGetPackageInfo().isEmpty() || !home.isAnnotatedWith(NullMarked.class)) {
            events.add(SimpleConditionEvent.violated(
                    type, "package " + home.getName() + " of " + type.getName() + " is not @NullMarked"));
        }
    }
}
