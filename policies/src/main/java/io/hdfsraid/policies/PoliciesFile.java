package io.hdfsraid.policies;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The contents of {@code policies.yml}: what its keys are called, what they default to, what is
 * allowed. It takes the plain tree a YAML or JSON parser makes (maps, lists, strings, numbers), so
 * that a typo in a key and an impossible value are found in one go.
 */
public final class PoliciesFile {
  private static final List<String> KEYS =
      List.of("minSavingPercent", "excludes", "builtInExcludes", "policies");
  private static final List<String> POLICY_KEYS =
      List.of(
          "name",
          "paths",
          "excludes",
          "coldAfter",
          "minAge",
          "minSize",
          "codec",
          "targetReplication",
          "parityReplication",
          "schedule",
          "raidSnapshotted");

  private PoliciesFile() {}

  /** What only others can judge: which codecs there are, what a cron expression looks like. */
  public interface Checks {
    /** Empty, or what is wrong with it as a clause: "is not a known codec: 'rs'". */
    Optional<String> problemWithCodec(String name);

    /** Empty, or what is wrong with it. */
    Optional<String> problemWithSchedule(String cron);
  }

  /**
   * One thing that is wrong.
   *
   * @param key where: {@code policies[2].targetReplication}; empty for the file as a whole
   * @param message what is wrong, with the value found
   */
  public record Problem(String key, String message) {
    @Override
    public String toString() {
      return key.isEmpty() ? message : key + " " + message;
    }
  }

  /** Either the policies or everything that is wrong with them. */
  public record Parsed(Optional<Policies> policies, List<Problem> problems) {
    public Parsed {
      problems = List.copyOf(problems);
      if (policies.isPresent() != problems.isEmpty()) {
        throw new IllegalArgumentException("Either policies or problems, not both: " + problems);
      }
    }

    /**
     * The policies.
     *
     * @throws IllegalArgumentException with all problems, one per line
     */
    public Policies orThrow() {
      return policies.orElseThrow(
          () ->
              new IllegalArgumentException(
                  String.join("\n", problems.stream().map(Problem::toString).toList())));
    }
  }

  /**
   * Reads the whole tree, whatever is wrong with parts of it.
   *
   * @param tree the root mapping; null for an empty file, which is a problem, for "no policies" is
   *     written {@code policies: []}
   */
  public static Parsed parse(Map<?, ?> tree, Checks checks) {
    List<Problem> problems = new ArrayList<>();
    if (tree == null) {
      problems.add(new Problem("", "The file is empty; without any policy write 'policies: []'"));
      return new Parsed(Optional.empty(), problems);
    }
    Section root = new Section(tree, "", KEYS, problems);
    int minSaving =
        root.value("minSavingPercent", wholeNumber(0, 99))
            .orElse(Policies.DEFAULT_MIN_SAVING_PERCENT);
    List<PathGlob> excludes = new ArrayList<>(root.globs("excludes"));
    excludes.addAll(
        root.has("builtInExcludes") ? root.globs("builtInExcludes") : Policies.BUILT_IN_EXCLUDES);
    List<Policy> policies = readPolicies(root, checks);
    return problems.isEmpty()
        ? new Parsed(Optional.of(new Policies(policies, excludes, minSaving)), problems)
        : new Parsed(Optional.empty(), problems);
  }

  private static List<Policy> readPolicies(Section root, Checks checks) {
    root.require("policies");
    List<Policy> policies = new ArrayList<>();
    Map<String, String> keyOfName = new HashMap<>();
    int index = 0;
    for (Object entry : root.list("policies")) {
      String key = "policies[" + index++ + "]";
      if (entry instanceof Map<?, ?> map) {
        Section section = new Section(map, key, POLICY_KEYS, root.problems);
        readPolicy(section, checks).ifPresent(policies::add);
        section
            .text("name")
            .map(name -> keyOfName.putIfAbsent(name, key))
            .ifPresent(first -> section.problem("name", "is the name of " + first + " already"));
      } else {
        root.problems.add(
            new Problem(key, "must be a policy with name, paths, coldAfter and codec"));
      }
    }
    return policies;
  }

  /** Empty when anything in the section is wrong; then the problems are written down. */
  private static Optional<Policy> readPolicy(Section section, Checks checks) {
    section.require("name", "paths", "coldAfter", "codec");
    Optional<String> name = section.text("name");
    List<PathGlob> paths = section.globs("paths");
    if (paths.isEmpty() && section.isFine("paths")) {
      section.problem("paths", "must name at least one path");
    }
    List<PathGlob> excludes = section.globs("excludes");
    Optional<Duration> coldAfter = section.value("coldAfter", Quantities::duration);
    Optional<Duration> minAge = section.value("minAge", Quantities::duration);
    Optional<Long> minSize = section.value("minSize", Quantities::bytes);
    Optional<String> codec = section.checked("codec", checks::problemWithCodec);
    Optional<Integer> target =
        section.value("targetReplication", wholeNumber(1, Protection.MAX_TARGET_REPLICATION));
    Optional<Integer> parity =
        section.value("parityReplication", wholeNumber(1, Protection.MAX_PARITY_REPLICATION));
    Optional<String> schedule = section.checked("schedule", checks::problemWithSchedule);
    Optional<Boolean> snapshotted = section.value("raidSnapshotted", PoliciesFile::yesOrNo);
    if (!section.isFine()) {
      return Optional.empty();
    }
    return Optional.of(
        new Policy(
            name.orElseThrow(),
            paths,
            excludes,
            coldAfter.orElseThrow(),
            minAge.orElse(Policy.DEFAULT_MIN_AGE),
            minSize.orElse(0L),
            new Protection(codec.orElseThrow(), target.orElse(1), parity.orElse(1)),
            schedule,
            snapshotted.orElse(false)));
  }

  private static boolean yesOrNo(String text) {
    if (!text.matches("true|false")) {
      throw new IllegalArgumentException("must be true or false, but is '%s'".formatted(text));
    }
    return text.equals("true");
  }

  private static Function<String, Integer> wholeNumber(int least, int most) {
    return text -> {
      if (text.matches("-?\\d{1,9}")) {
        int number = Integer.parseInt(text);
        if (number >= least && number <= most) {
          return number;
        }
      }
      throw new IllegalArgumentException(
          "must be %d to %d, but is '%s'".formatted(least, most, text));
    };
  }

  /** One mapping of the tree: answers with values and writes down what is wrong with them. */
  private static final class Section {
    private final Map<String, Object> values = new HashMap<>();
    private final Set<String> wrong = new HashSet<>();
    private final String at;
    private final List<Problem> problems;

    Section(Map<?, ?> tree, String at, List<String> known, List<Problem> problems) {
      this.at = at;
      this.problems = problems;
      tree.forEach(
          (key, value) -> {
            String name = String.valueOf(key);
            if (!known.contains(name)) {
              problem(name, "is not a key here; the keys are " + String.join(", ", known));
            } else if (value != null) {
              values.put(name, value);
            }
          });
    }

    void problem(String key, String message) {
      wrong.add(key);
      problems.add(new Problem(at.isEmpty() ? key : at + "." + key, message));
    }

    boolean isFine() {
      return wrong.isEmpty();
    }

    boolean isFine(String key) {
      return !wrong.contains(key);
    }

    boolean has(String key) {
      return values.containsKey(key);
    }

    void require(String... keys) {
      for (String key : keys) {
        if (!has(key)) {
          problem(key, "is missing");
        }
      }
    }

    Collection<?> list(String key) {
      Object value = values.getOrDefault(key, List.of());
      if (value instanceof Collection<?> entries) {
        return entries;
      }
      problem(key, "must be a list, but is '" + value + "'");
      return List.of();
    }

    List<PathGlob> globs(String key) {
      List<PathGlob> globs = new ArrayList<>();
      int index = 0;
      for (Object entry : list(key)) {
        String place = key + "[" + index++ + "]";
        try {
          globs.add(PathGlob.of(String.valueOf(entry)));
        } catch (IllegalArgumentException e) {
          wrong.add(key);
          problem(place, e.getMessage());
        }
      }
      return globs;
    }

    Optional<String> text(String key) {
      return value(key, Function.identity());
    }

    Optional<String> checked(String key, Function<String, Optional<String>> problemWith) {
      Optional<String> text = text(key);
      text.flatMap(problemWith).ifPresent(message -> problem(key, message));
      return text;
    }

    /**
     * @param parser throws IllegalArgumentException with what is wrong
     */
    <T> Optional<T> value(String key, Function<String, T> parser) {
      if (!has(key)) {
        return Optional.empty();
      }
      Object value = values.get(key);
      if (!(value instanceof String) && !(value instanceof Number) && !(value instanceof Boolean)) {
        problem(key, "must be a single value, but is '" + value + "'");
        return Optional.empty();
      }
      String text = value.toString().strip();
      try {
        if (text.isEmpty()) {
          throw new IllegalArgumentException("must not be empty");
        }
        return Optional.of(parser.apply(text));
      } catch (IllegalArgumentException e) {
        problem(key, e.getMessage());
        return Optional.empty();
      }
    }
  }
}
