package io.hdfsraid.raidnode.config;

import io.dropwizard.jersey.validation.Validators;
import io.hdfsraid.erasurecode.Codecs;
import io.hdfsraid.erasurecode.CodingKernels;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.PoliciesFile;
import io.hdfsraid.raidnode.schedule.Cron;
import jakarta.validation.ConstraintViolation;
import java.nio.file.Path;
import java.time.Clock;
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
    Optional<Policies> policies =
        readPolicies(new YamlReader(nodeFile.resolveSibling(POLICIES), problems), clock);
    if (!problems.isEmpty()) {
      throw new SettingsException(problems);
    }
    return new Settings(node.orElseThrow(), policies.orElseThrow(), folder, token);
  }

  /**
   * A {@code policies.yml} alone, wherever it is.
   *
   * @throws SettingsException with everything that is wrong with it
   */
  public static Policies policies(Path file, Clock clock) throws SettingsException {
    List<SettingsException.Problem> problems = new ArrayList<>();
    Optional<Policies> policies = readPolicies(new YamlReader(file, problems), clock);
    if (!problems.isEmpty()) {
      throw new SettingsException(problems);
    }
    return policies.orElseThrow();
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
    return new AccessCheck(reader).token(node, folder);
  }

  /** Dropwizard's fields are not named as its keys. */
  private static String key(ConstraintViolation<?> violation) {
    return violation
        .getPropertyPath()
        .toString()
        .replaceFirst("^(server|logging|metrics|admin|health)Factory", "$1");
  }

  private static Optional<Policies> readPolicies(YamlReader reader, Clock clock) {
    return reader
        .tree()
        .flatMap(
            tree -> {
              PoliciesFile.Parsed parsed =
                  PoliciesFile.parse(tree.isEmpty() ? null : reader.asMap(tree), new Known(clock));
              parsed
                  .problems()
                  .forEach(problem -> reader.problem(problem.key(), problem.message()));
              return parsed.policies();
            });
  }

  /** The codecs of the library and the cron expressions of Quartz. */
  private record Known(Clock clock) implements PoliciesFile.Checks {
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
