package io.hdfsraid.raidnode.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dropwizard.jersey.validation.Validators;
import io.hdfsraid.erasurecode.Codecs;
import io.hdfsraid.erasurecode.CodingKernels;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.PoliciesFile;
import io.hdfsraid.raidnode.recency.audit.AuditLogSettings;
import io.hdfsraid.raidnode.schedule.Cron;
import jakarta.validation.ConstraintViolation;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads {@code raidnode.yml} and the {@code policies.yml} beside it. Starts and touches nothing.
 */
public final class SettingsFiles {
  public static final String POLICIES = "policies.yml";

  private static final String AUDIT_LOGS = "recency.auditLogs";

  private SettingsFiles() {}

  /**
   * Both files, checked.
   *
   * @param clock a schedule must name a time that is yet to come
   * @throws SettingsException with everything that is wrong with either
   */
  public static Settings read(Path nodeFile, Clock clock) throws SettingsException {
    Path folder = nodeFile.toAbsolutePath().getParent();
    List<SettingsException.Problem> problems = new ArrayList<>();
    YamlReader reader = new YamlReader(nodeFile, problems);
    Optional<RaidNodeConfiguration> node =
        reader.tree().flatMap(tree -> reader.read(tree, RaidNodeConfiguration.class));
    Optional<String> token = node.flatMap(read -> check(read, folder, reader, clock));
    ZoneId zone = node.map(read -> read.schedule().timeZone()).orElseGet(clock::getZone);
    YamlReader policiesReader = new YamlReader(nodeFile.resolveSibling(POLICIES), problems);
    Optional<Policies> policies =
        policiesReader
            .tree()
            .flatMap(tree -> policies(policiesReader, tree, new Known(clock, zone)).policies());
    if (!problems.isEmpty()) {
      throw new SettingsException(problems);
    }
    return new Settings(node.orElseThrow(), policies.orElseThrow(), folder, token);
  }

  /**
   * What is allowed and probably not meant, or not yet there: the audit logs that do not exist now,
   * and what is to be said of policies.
   *
   * @throws SettingsException with everything that is wrong with the policies
   */
  public static List<String> warnings(Path nodeFile, Settings settings, Clock clock)
      throws SettingsException {
    List<String> warnings = new ArrayList<>();
    for (String log : settings.node().recency().auditLogs()) {
      if (!AuditLogSettings.isThere(log)) {
        warnings.add(
            "%s: %s: there is no %s that this user can see: accesses are not known before there is"
                .formatted(nodeFile, AUDIT_LOGS, log));
      }
    }
    checkPolicies(nodeFile.resolveSibling(POLICIES), clock, settings.node().schedule().timeZone())
        .warnings()
        .forEach(warning -> warnings.add(warning.toString()));
    return warnings;
  }

  /**
   * A {@code policies.yml} alone, wherever it is.
   *
   * @throws SettingsException with everything that is wrong with it
   */
  public static Policies policies(Path file, Clock clock) throws SettingsException {
    return checkPolicies(file, clock, clock.getZone()).policies();
  }

  /**
   * Policies that may be put in force.
   *
   * @param warnings what is allowed and probably not meant
   */
  public record CheckedPolicies(Policies policies, List<SettingsException.Problem> warnings) {
    public CheckedPolicies {
      warnings = List.copyOf(warnings);
    }
  }

  /**
   * As {@link #policies}, with the warnings.
   *
   * @param zone of policies that name none
   * @throws SettingsException with everything that is wrong with it
   */
  public static CheckedPolicies checkPolicies(Path file, Clock clock, ZoneId zone)
      throws SettingsException {
    List<SettingsException.Problem> problems = new ArrayList<>();
    YamlReader reader = new YamlReader(file, problems);
    return checked(reader, reader.tree(), problems, new Known(clock, zone));
  }

  /**
   * As {@link #checkPolicies(Path, Clock, ZoneId)}, of what the file was found to hold, or would.
   */
  public static CheckedPolicies checkPolicies(Path file, String content, Clock clock, ZoneId zone)
      throws SettingsException {
    List<SettingsException.Problem> problems = new ArrayList<>();
    YamlReader reader = new YamlReader(file, problems);
    return checked(reader, reader.tree(content), problems, new Known(clock, zone));
  }

  private static CheckedPolicies checked(
      YamlReader reader,
      Optional<ObjectNode> tree,
      List<SettingsException.Problem> problems,
      Known known)
      throws SettingsException {
    Optional<PoliciesFile.Parsed> parsed = tree.map(root -> policies(reader, root, known));
    if (!problems.isEmpty()) {
      throw new SettingsException(problems);
    }
    return new CheckedPolicies(
        parsed.orElseThrow().orThrow(),
        parsed.get().warnings().stream()
            .map(warning -> reader.at(warning.key(), warning.message()))
            .toList());
  }

  private static Optional<String> check(
      RaidNodeConfiguration node, Path folder, YamlReader reader, Clock clock) {
    Validators.newValidator().validate(node).stream()
        .sorted(Comparator.comparing(violation -> violation.getPropertyPath().toString()))
        .forEach(violation -> reader.problem(key(violation), violation.getMessage()));
    String kernel = node.coding().kernel();
    if (!CodingKernels.settings().contains(kernel)) {
      reader.problem(
          "coding.kernel",
          "'%s' is none of %s".formatted(kernel, String.join(", ", CodingKernels.settings())));
    }
    Map.of(
            "schedule.scan", node.schedule().scan(),
            "schedule.integrityCheck", node.schedule().integrityCheck(),
            "schedule.cleanUp", node.schedule().cleanUp())
        .entrySet()
        .stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            entry ->
                Cron.problemWith(entry.getValue(), clock)
                    .ifPresent(problem -> reader.problem(entry.getKey(), problem)));
    List<String> logs = node.recency().auditLogs();
    for (int i = 0; i < logs.size(); i++) {
      if (!logs.get(i).startsWith("/")) {
        reader.problem(
            AUDIT_LOGS + "[" + i + "]",
            "'%s' must be an absolute path: where the daemon is started from says nothing of where a NameNode writes"
                .formatted(logs.get(i)));
      }
    }
    return new AccessCheck(reader).token(node, folder);
  }

  /** Dropwizard's fields are not named as its keys. */
  private static String key(ConstraintViolation<?> violation) {
    return violation
        .getPropertyPath()
        .toString()
        .replaceFirst("^(server|logging|metrics|admin|health)Factory", "$1");
  }

  private static PoliciesFile.Parsed policies(YamlReader reader, ObjectNode tree, Known known) {
    PoliciesFile.Parsed parsed =
        PoliciesFile.parse(tree.isEmpty() ? null : reader.asMap(tree), known);
    parsed.problems().forEach(problem -> reader.problem(problem.key(), problem.message()));
    return parsed;
  }

  /** The codecs of the library and the cron expressions of Quartz. */
  private record Known(Clock clock, ZoneId timeZone) implements PoliciesFile.Checks {
    @Override
    public Optional<String> problemWithCodec(String name) {
      try {
        Codecs.parse(name);
        return Optional.empty();
      } catch (IllegalArgumentException e) {
        return Optional.of(e.getMessage());
      }
    }

    @Override
    public Optional<String> problemWithSchedule(String cron) {
      return Cron.problemWith(cron, clock);
    }
  }
}
