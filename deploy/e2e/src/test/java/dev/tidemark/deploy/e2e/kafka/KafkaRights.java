package dev.tidemark.deploy.e2e.kafka;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.strimzi.api.kafka.model.user.KafkaUser;
import io.strimzi.api.kafka.model.user.KafkaUserAuthorizationSimple;
import io.strimzi.api.kafka.model.user.acl.AclResourcePatternType;
import io.strimzi.api.kafka.model.user.acl.AclRule;
import io.strimzi.api.kafka.model.user.acl.AclRuleGroupResource;
import io.strimzi.api.kafka.model.user.acl.AclRuleResource;
import io.strimzi.api.kafka.model.user.acl.AclRuleTopicResource;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

import dev.tidemark.deploy.kubernetes.Manifests;

/** What the services may do in Kafka: the one list, which the manifests of the users in {@code users.yaml} are. */
public final class KafkaRights {
    private KafkaRights() {}

    /** Each operation of each user on each resource. */
    public static List<AclBinding> all() {
        return Manifests.all(KafkaUser.class).stream().flatMap(KafkaRights::of).toList();
    }

    /** The same, one line for each rule, as the table of docs/security.md begins. */
    public static List<String> lines() {
        return Manifests.all(KafkaUser.class).stream()
                .flatMap(user -> rules(user)
                        .map(rule -> "| `" + user.getMetadata().getName() + "` | "
                                + rule.getResource().getType() + " `" + name(rule.getResource()) + "` | "
                                + String.join(
                                        ", ",
                                        rule.getOperations().stream()
                                                .map(operation -> operation.toValue())
                                                .toList())
                                + " |"))
                .toList();
    }

    /** Such as: tidemark-writer may READ topic tidemark.* */
    public static String text(AclBinding right) {
        ResourcePattern pattern = right.pattern();
        return right.entry().principal().substring("User:".length()) + " may "
                + right.entry().operation() + " "
                + pattern.resourceType().toString().toLowerCase(Locale.ROOT) + " " + pattern.name()
                + (pattern.patternType() == PatternType.PREFIXED ? "*" : "");
    }

    private static Stream<AclBinding> of(KafkaUser user) {
        return rules(user)
                .flatMap(rule -> rule.getOperations().stream()
                        .map(operation -> new AclBinding(
                                pattern(rule.getResource()),
                                new AccessControlEntry(
                                        "User:" + user.getMetadata().getName(),
                                        rule.getHost(),
                                        AclOperation.fromString(snake(operation.toValue())),
                                        AclPermissionType.ALLOW))));
    }

    private static Stream<AclRule> rules(KafkaUser user) {
        return ((KafkaUserAuthorizationSimple) user.getSpec().getAuthorization()).getAcls().stream();
    }

    private static ResourcePattern pattern(AclRuleResource resource) {
        String name = name(resource);
        boolean prefix = name.endsWith("*");
        return new ResourcePattern(
                ResourceType.fromString(resource.getType().toUpperCase(Locale.ROOT)),
                prefix ? name.substring(0, name.length() - 1) : name,
                prefix ? PatternType.PREFIXED : PatternType.LITERAL);
    }

    /** With an asterisk behind a prefix. */
    private static String name(AclRuleResource resource) {
        if (resource instanceof AclRuleTopicResource topic) {
            return topic.getName() + suffix(topic.getPatternType());
        }
        if (resource instanceof AclRuleGroupResource group) {
            return group.getName() + suffix(group.getPatternType());
        }
        throw new IllegalArgumentException("expected a topic or a group, but got " + resource.getType());
    }

    private static String suffix(AclResourcePatternType type) {
        return type == AclResourcePatternType.PREFIX ? "*" : "";
    }

    /** AlterConfigs is ALTER_CONFIGS. */
    private static String snake(String operation) {
        return operation.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toUpperCase(Locale.ROOT);
    }
}
