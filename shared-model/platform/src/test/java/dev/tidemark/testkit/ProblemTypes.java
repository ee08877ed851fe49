package dev.tidemark.testkit;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.JavaFieldAccess;

import dev.tidemark.row.ProblemType;

/** The kinds of problems that a service can answer, found in its code. */
public final class ProblemTypes {
    private ProblemTypes() {}

    /** Those that production code on the class path refers to, as answers name them. */
    public static Set<String> answered() {
        return ArchitectureRules.productionClasses().stream()
                .flatMap(type -> type.getFieldAccessesFromSelf().stream())
                .filter(access -> access.getTargetOwner().isEquivalentTo(ProblemType.class)
                        && !access.getOriginOwner().isEquivalentTo(ProblemType.class))
                .map(JavaFieldAccess::getName)
                .map(name -> ProblemType.valueOf(name).uri())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Those that a service's description lists, at its schema {@code Problem}.
     *
     * @param description an OpenAPI document, read from YAML
     */
    public static Set<String> listed(Map<?, ?> description) {
        Map<?, ?> within = description;
        for (String name : List.of("components", "schemas", "Problem", "properties", "type")) {
            within = (Map<?, ?>) Objects.requireNonNull(within.get(name), name);
        }
        Set<String> types = new TreeSet<>();
        Iterable<?> listed = (Iterable<?>) Objects.requireNonNull(within.get("enum"), "enum");
        listed.forEach(type -> types.add(String.valueOf(type)));
        types.remove("about:blank");
        return types;
    }
}
