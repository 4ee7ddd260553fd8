// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dropwizard.jersey.validation.Validators;
import io.dropwizard.util.DataSize;
import io.hdfsraid.policies.settings.Problems;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The settings that can be changed while the daemon runs, by their keys in {@code raidnode.yml}.
 * Changes are validated by the rules of the file.
 */
public final class TunableSettings {
  private static final Pattern KEY = Pattern.compile("(\\w+)\\.(\\w+)");
  private static final String BYTES = "bytes read and written per second, 0 for no limit";
  private static final String PER_NODE =
      "bytes per second that one DataNode sends and receives for it, 0 for no limit";

  private static final List<Tunable> TUNABLE =
      List.of(
          new Tunable(
              "raiding.workers",
              node -> node.raiding().workers(),
              "files encoded at the same time"),
          new Tunable("raiding.bytesPerSecond", node -> node.raiding().bytesPerSecond(), BYTES),
          new Tunable(
              "raiding.bytesPerSecondPerDataNode",
              node -> node.raiding().bytesPerSecondPerDataNode(),
              PER_NODE),
          new Tunable(
              "raiding.engine",
              node -> node.raiding().engine(),
              "where files are encoded: local or yarn"),
          new Tunable(
              "yarn.bytesPerSecond",
              node -> node.yarn().bytesPerSecond(),
              "bytes per second that all containers together read and write, 0 for no limit"),
          new Tunable(
              "repair.workers",
              node -> node.repair().workers(),
              "stripes repaired at the same time"),
          new Tunable(
              "repair.engine",
              node -> node.repair().engine(),
              "where stripes are repaired: local, yarn, or auto"),
          new Tunable(
              "repair.bulkFrom",
              node -> node.repair().bulkFrom(),
              "stripes that wait, from which the engine auto repairs in containers"),
          new Tunable("repair.bytesPerSecond", node -> node.repair().bytesPerSecond(), BYTES),
          new Tunable(
              "repair.bytesPerSecondPerDataNode",
              node -> node.repair().bytesPerSecondPerDataNode(),
              PER_NODE),
          new Tunable(
              "repair.urgentBytesPerSecond",
              node -> node.repair().urgentBytesPerSecond(),
              "bytes per second for stripes that tolerate no further loss, in addition to the"
                  + " others"),
          new Tunable(
              "repair.hedgeAfter",
              node -> node.repair().hedgeAfter(),
              "how long a row waits for a slow DataNode before others are read beside it, 0s for as"
                  + " long as it takes"),
          new Tunable(
              "placement.concurrentMoves",
              node -> node.placement().concurrentMoves(),
              "units moved at the same time"),
          new Tunable(
              "placement.bytesPerSecond",
              node -> node.placement().bytesPerSecond(),
              "bytes moved per second, 0 for no limit"),
          new Tunable(
              "placement.bytesPerSecondPerDataNode",
              node -> node.placement().bytesPerSecondPerDataNode(),
              PER_NODE),
          new Tunable(
              "scrub.workers",
              node -> node.scrub().workers(),
              "parity files scrubbed at the same time, at each depth"),
          new Tunable(
              "scrub.checksumsPerSecond",
              node -> node.scrub().checksumsPerSecond(),
              "replicas per second whose checksums DataNodes are asked for, 0 for no limit"),
          new Tunable("scrub.bytesPerSecond", node -> node.scrub().bytesPerSecond(), BYTES),
          new Tunable(
              "scrub.bytesPerSecondPerDataNode",
              node -> node.scrub().bytesPerSecondPerDataNode(),
              PER_NODE),
          new Tunable(
              "hdfs.streamsPerDataNode",
              node -> node.hdfs().streamsPerDataNode(),
              "simultaneous data streams of one DataNode"),
          new Tunable(
              "hdfs.nameNodeCallsPerSecond",
              node -> node.hdfs().nameNodeCallsPerSecond(),
              "calls of the NameNode per second, 0 for no limit"));

  private TunableSettings() {}

  private record Tunable(String key, Function<RaidNodeConfiguration, Object> value, String what) {}

  /** Returns all keys in order. */
  public static List<String> keys() {
    return TUNABLE.stream().map(Tunable::key).toList();
  }

  private static Tunable tunable(String key) {
    return TUNABLE.stream().filter(each -> each.key().equals(key)).findFirst().orElseThrow();
  }

  /** Returns what a setting limits, in words. */
  public static String what(String key) {
    return tunable(key).what();
  }

  /** Returns the value of a setting as the file would have it. */
  public static String value(RaidNodeConfiguration node, String key) {
    Object value = tunable(key).value().apply(node);
    return value instanceof DataSize size ? text(size.toBytes()) : value.toString();
  }

  /** Formats a size in the largest decimal unit that gives a whole number. */
  private static String text(long bytes) {
    if (bytes == 0) {
      return "0";
    }
    String[] units = {"B", "KB", "MB", "GB", "TB"};
    long amount = bytes;
    int unit = 0;
    while (amount % 1_000 == 0 && unit < units.length - 1) {
      amount /= 1_000;
      unit++;
    }
    return amount + units[unit];
  }

  /**
   * Returns a configuration with some settings replaced. Settings that are not tunable have their
   * defaults in it.
   *
   * @param wanted the new values by key
   * @throws SettingsException with all mistakes
   */
  public static RaidNodeConfiguration with(RaidNodeConfiguration node, Map<String, String> wanted)
      throws SettingsException {
    Problems problems = new Problems(Path.of("settings"));
    YamlReader reader = new YamlReader(Path.of("settings"), problems);
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    keys().forEach(key -> put(tree, key, value(node, key)));
    wanted.forEach(
        (key, value) -> {
          if (!put(tree, key, value)) {
            problems.add(key, "is not a key here; the keys are " + String.join(", ", keys()));
          }
        });
    Optional<RaidNodeConfiguration> read = reader.read(tree, RaidNodeConfiguration.class);
    read.ifPresent(
        changed ->
            Validators.newValidator().validate(changed).stream()
                .sorted(Comparator.comparing(problem -> problem.getPropertyPath().toString()))
                .forEach(
                    problem ->
                        problems.add(problem.getPropertyPath().toString(), problem.getMessage())));
    for (String key : wanted.keySet()) {
      if (!keys().contains(key)
          && problems.found().stream().noneMatch(problem -> problem.key().equals(key))) {
        problems.add(
            key, "cannot be changed while the daemon runs: change raidnode.yml and start it again");
      }
    }
    if (!problems.isEmpty()) {
      throw new SettingsException(problems.found());
    }
    return read.orElseThrow();
  }

  private static boolean put(ObjectNode tree, String key, String value) {
    var parts = KEY.matcher(key);
    if (!parts.matches()) {
      return false;
    }
    tree.withObjectProperty(parts.group(1)).put(parts.group(2), value);
    return true;
  }
}
