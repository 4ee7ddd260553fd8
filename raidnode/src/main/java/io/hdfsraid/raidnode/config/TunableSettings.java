package io.hdfsraid.raidnode.config;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dropwizard.jersey.validation.Validators;
import io.dropwizard.util.DataSize;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The settings that can be changed while the daemon works, by the keys of {@code raidnode.yml} and
 * checked by the same rules. Where they apply is for others to say.
 */
public final class TunableSettings {
  private static final Pattern KEY = Pattern.compile("(\\w+)\\.(\\w+)");
  private static final String BYTES = "bytes read and written in a second, 0 for no limit";
  private static final String PER_NODE =
      "bytes that one DataNode sends and receives in a second for it, 0 for no limit";

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
              "repair.workers",
              node -> node.repair().workers(),
              "stripes repaired at the same time"),
          new Tunable("repair.bytesPerSecond", node -> node.repair().bytesPerSecond(), BYTES),
          new Tunable(
              "repair.bytesPerSecondPerDataNode",
              node -> node.repair().bytesPerSecondPerDataNode(),
              PER_NODE),
          new Tunable(
              "repair.urgentBytesPerSecond",
              node -> node.repair().urgentBytesPerSecond(),
              "likewise for stripes that bear no further loss, beside the others"),
          new Tunable(
              "repair.hedgeAfter",
              node -> node.repair().hedgeAfter(),
              "how long a row waits for a slow DataNode before others are read beside it, 0s for as long as it takes"),
          new Tunable(
              "placement.moves", node -> node.placement().moves(), "units moved at the same time"),
          new Tunable(
              "placement.bytesPerSecond",
              node -> node.placement().bytesPerSecond(),
              "bytes moved in a second, 0 for no limit"),
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
              "replicas whose checksums DataNodes are asked for in a second, 0 for no limit"),
          new Tunable("scrub.bytesPerSecond", node -> node.scrub().bytesPerSecond(), BYTES),
          new Tunable(
              "scrub.bytesPerSecondPerDataNode",
              node -> node.scrub().bytesPerSecondPerDataNode(),
              PER_NODE),
          new Tunable(
              "hdfs.streamsPerDataNode",
              node -> node.hdfs().streamsPerDataNode(),
              "streams of one DataNode that carry bytes at the same time"),
          new Tunable(
              "hdfs.nameNodeCallsPerSecond",
              node -> node.hdfs().nameNodeCallsPerSecond(),
              "calls of the NameNode in a second, 0 for no limit"));

  private TunableSettings() {}

  private record Tunable(String key, Function<RaidNodeConfiguration, Object> value, String what) {}

  /** All keys, in order. */
  public static List<String> keys() {
    return TUNABLE.stream().map(Tunable::key).toList();
  }

  private static Tunable tunable(String key) {
    return TUNABLE.stream().filter(each -> each.key().equals(key)).findFirst().orElseThrow();
  }

  /** What a setting bounds, in words. */
  public static String what(String key) {
    return tunable(key).what();
  }

  /** The value of a setting, as it would be written in the file. */
  public static String value(RaidNodeConfiguration node, String key) {
    Object value = tunable(key).value().apply(node);
    return value instanceof DataSize size ? text(size.toBytes()) : value.toString();
  }

  /** In the largest decimal unit of which it is a whole number. */
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
   * The tunable settings of a configuration with others in the place of some; what cannot be tuned
   * is left at its default here.
   *
   * @param wanted by key
   * @throws SettingsException with everything that is wrong with them
   */
  public static RaidNodeConfiguration with(RaidNodeConfiguration node, Map<String, String> wanted)
      throws SettingsException {
    List<SettingsException.Problem> problems = new ArrayList<>();
    YamlReader reader = new YamlReader(Path.of("settings"), problems);
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    keys().forEach(key -> put(tree, key, value(node, key)));
    wanted.forEach(
        (key, value) -> {
          if (!put(tree, key, value)) {
            reader.problem(key, "is not a key here; the keys are " + String.join(", ", keys()));
          }
        });
    Optional<RaidNodeConfiguration> read = reader.read(tree, RaidNodeConfiguration.class);
    read.ifPresent(
        changed ->
            Validators.newValidator().validate(changed).stream()
                .sorted(Comparator.comparing(problem -> problem.getPropertyPath().toString()))
                .forEach(
                    problem ->
                        reader.problem(
                            problem.getPropertyPath().toString(), problem.getMessage())));
    for (String key : wanted.keySet()) {
      if (!keys().contains(key)
          && problems.stream().noneMatch(problem -> problem.key().equals(key))) {
        reader.problem(
            key, "cannot be changed while the daemon runs: change raidnode.yml and start it again");
      }
    }
    if (!problems.isEmpty()) {
      throw new SettingsException(problems);
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
