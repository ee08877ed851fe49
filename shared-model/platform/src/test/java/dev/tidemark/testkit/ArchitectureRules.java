package dev.tidemark.testkit;

import java.util.List;
import java.util.stream.Stream;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.DynamicTest;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/**
 * The rules of the architecture, for a test that sees all modules.
 *
 * <p>Ports and logic live in packages named by role, adapters in packages named by technology.
 */
public final class ArchitectureRules {
    private static final String BASE = "dev.tidemark..";
    private static final DescribedPredicate<JavaClass> KAFKA_BUT_FOR_SETTINGS = resideInAPackage("org.apache.kafka..")
            .and(DescribedPredicate.not(resideInAPackage("org.apache.kafka.common.config..")))
            .as("Kafka, its settings aside,");
    private static final DescribedPredicate<JavaClass> ADAPTERS =
            resideInAnyPackage(Technology.adapterPackages()).as("adapters");

    /** The RocksDB library. */
    public static final ArchRule ROCKS_ONLY_IN_ROCKS = only(resideInAPackage("org.rocksdb.."), "rocks");

    /**
     * JDBC, PostgreSQL's driver for it, and the pool of connections. Debezium gives values as objects of the
     * driver. A source also connects to MariaDB.
     */
    public static final ArchRule JDBC_ONLY_IN_POSTGRES = only(
            resideInAnyPackage("java.sql..", "javax.sql..", "org.postgresql..", "com.zaxxer.hikari.."),
            "postgres",
            "..debezium..",
            "..mariadb..",
            "..source.jdbc..");

    /** The Kafka libraries, except for the classes that define settings. Debezium runs in Kafka Connect. */
    public static final ArchRule KAFKA_ONLY_IN_KAFKA = only(KAFKA_BUT_FOR_SETTINGS, "kafka", "..debezium..");

    /** The engine that follows a database. */
    public static final ArchRule DEBEZIUM_ONLY_IN_DEBEZIUM = only(resideInAPackage("io.debezium.."), "debezium");

    /** HTTP, as a server and as a client. The client for Java is HTTP alone, and its users see one package. */
    public static final ArchRule HTTP_ONLY_IN_HTTP =
            only(resideInAnyPackage("org.eclipse.jetty..", "java.net.http.."), "http", "dev.tidemark.client");

    /** The metrics libraries. */
    public static final ArchRule MICROMETER_ONLY_IN_METRICS =
            only(resideInAnyPackage("io.micrometer..", "io.prometheus.."), "metrics");

    /**
     * Logic knows its ports and not who stands behind them. A main wires, and what stands beside it in the package of
     * its service (the settings of all parts, the health of the whole) sees what is wired.
     */
    public static final ArchRule CORE_IMPORTS_NO_ADAPTER = noClasses()
            .that()
            .resideInAPackage(BASE)
            .and()
            .resideOutsideOfPackages(Technology.adapterPackages())
            .and()
            .resideOutsideOfPackages("dev.tidemark.writer", "dev.tidemark.worker")
            .and(DescribedPredicate.not(ClassRoles.MAINS))
            .should()
            .dependOnClassesThat(resideInAPackage(BASE).and(ADAPTERS))
            .because("only a main wires adapters to ports");

    /** What a service does with one technology does not know another. */
    public static final List<ArchRule> ADAPTERS_DO_NOT_IMPORT_EACH_OTHER = Technology.names().stream()
            .map(ArchitectureRules::importsNoOtherAdapter)
            .toList();

    /** What both services share knows neither of them, and neither knows how they are run. */
    public static final ArchRule SHARED_MODEL_KNOWS_NO_SERVICE = noClasses()
            .that()
            .resideInAPackage(BASE)
            .and()
            .resideOutsideOfPackages(
                    "dev.tidemark.writer..", "dev.tidemark.worker..", "dev.tidemark.source..", "dev.tidemark.deploy..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.tidemark.writer..", "dev.tidemark.worker..", "dev.tidemark.deploy..");

    /** The services meet in Kafka and over HTTP only. */
    public static final ArchRule WRITER_DOES_NOT_SEE_THE_WORKER = apart("writer", "worker");

    /** The services meet in Kafka and over HTTP only. */
    public static final ArchRule WORKER_DOES_NOT_SEE_THE_WRITER = apart("worker", "writer");

    /** Each package is a slice of its own, and the slices have an order. */
    public static final ArchRule NO_PACKAGE_CYCLES =
            slices().matching("dev.tidemark.(**)").should().beFreeOfCycles();

    /** Time, threads and rest come through constructors, so that a test and the simulation can decide on them. */
    public static final ArchRule TIME_AND_THREADS_ONLY_IN_RUNTIME = classes()
            .that()
            .resideInAPackage(BASE)
            .and()
            .resideOutsideOfPackage("dev.tidemark.runtime")
            .and(DescribedPredicate.not(ClassRoles.MAINS))
            .should(new TimeAndThreads());

    /** Absence is a type, everywhere. */
    public static final ArchRule EVERY_PACKAGE_IS_NULL_MARKED =
            classes().that().resideInAPackage(BASE).should(new NullMarkedPackage());

    private ArchitectureRules() {}

    /** The production classes that the module under test can see. */
    public static JavaClasses productionClasses() {
        ClassFileImporter importer = new ClassFileImporter()
                .withImportOption(location -> !location.contains("/test-classes/") && !location.contains("-tests.jar"));
        return ArchConfiguration.withThreadLocalScope(configuration -> {
            // The rules go by the names of libraries' classes; reading these classes as well takes long.
            configuration.setResolveMissingDependenciesFromClassPath(false);
            return importer.importPackages("dev.tidemark");
        });
    }

    /** One test for each rule. */
    public static Stream<DynamicTest> tests(JavaClasses classes) {
        Stream<ArchRule> rules = Stream.concat(
                Stream.of(
                        ROCKS_ONLY_IN_ROCKS,
                        JDBC_ONLY_IN_POSTGRES,
                        KAFKA_ONLY_IN_KAFKA,
                        DEBEZIUM_ONLY_IN_DEBEZIUM,
                        HTTP_ONLY_IN_HTTP,
                        MICROMETER_ONLY_IN_METRICS,
                        CORE_IMPORTS_NO_ADAPTER,
                        SHARED_MODEL_KNOWS_NO_SERVICE,
                        WRITER_DOES_NOT_SEE_THE_WORKER,
                        WORKER_DOES_NOT_SEE_THE_WRITER,
                        NO_PACKAGE_CYCLES,
                        TIME_AND_THREADS_ONLY_IN_RUNTIME,
                        EVERY_PACKAGE_IS_NULL_MARKED),
                ADAPTERS_DO_NOT_IMPORT_EACH_OTHER.stream());
        return rules.map(rule -> DynamicTest.dynamicTest(
                rule.getDescription(), () -> rule.allowEmptyShould(true).check(classes)));
    }

    private static ArchRule only(DescribedPredicate<JavaClass> library, String technology, String... others) {
        return noClasses()
                .that()
                .resideInAPackage(BASE)
                .and()
                .resideOutsideOfPackage(Technology.packageOf(technology))
                .and()
                .resideOutsideOfPackages(others)
                .should()
                .dependOnClassesThat(library)
                .because("one technology lives in packages named " + technology);
    }

    private static ArchRule importsNoOtherAdapter(String technology) {
        return noClasses()
                .that()
                .resideInAPackage(BASE)
                .and()
                .resideInAPackage(Technology.packageOf(technology))
                .and(DescribedPredicate.not(ClassRoles.MAINS))
                .should()
                .dependOnClassesThat(resideInAPackage(BASE)
                        .and(ADAPTERS)
                        .and(DescribedPredicate.not(resideInAPackage(Technology.packageOf(technology)))))
                .because("adapters meet in ports");
    }

    private static ArchRule apart(String service, String other) {
        return noClasses()
                .that()
                .resideInAPackage("dev.tidemark." + service + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.tidemark." + other + "..", "dev.tidemark.deploy..");
    }
}
