package dev.tidemark.testkit;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;

/** Classes with a role that the rules know. */
final class ClassRoles {
    /** A main, or the entry point of the client, which has no main; with what is nested in it. */
    static final DescribedPredicate<JavaClass> MAINS = DescribedPredicate.describe("mains", ClassRoles::isMain);

    private ClassRoles() {}

    private static boolean isMain(JavaClass type) {
        JavaClass outermost = type;
        while (outermost.getEnclosingClass().isPresent()) {
            outermost = outermost.getEnclosingClass().get();
        }
        return outermost.getSimpleName().endsWith("Main") || outermost.getName().equals("dev.tidemark.client.Tidemark");
    }
}
