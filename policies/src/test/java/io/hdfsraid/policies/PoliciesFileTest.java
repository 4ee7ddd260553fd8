package io.hdfsraid.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.hdfsraid.policies.PoliciesFile.Checks;
import io.hdfsraid.policies.PoliciesFile.Parsed;
import io.hdfsraid.policies.PoliciesFile.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoliciesFileTest {
  private static final Path SHIPPED = Path.of("..", "conf", "policies.yml");

  private static final Checks CHECKS =
      new Checks() {
        @Override
        public Optional<String> problemWithCodec(String name) {
          return name.startsWith("rs-")
              ? Optional.empty()
              : Optional.of("is not a known codec: '" + name + "'");
        }

        @Override
        public Optional<String> problemWithSchedule(String cron) {
          return cron.split(" ", -1).length == 6
              ? Optional.empty()
              : Optional.of("is not a cron expression: '" + cron + "'");
        }
      };

  private static Parsed parse(String yaml) throws IOException {
    return PoliciesFile.parse(new YAMLMapper().readValue(yaml, Map.class), CHECKS);
  }

  private static List<String> problems(String yaml) throws IOException {
    return parse(yaml).problems().stream().map(Problem::toString).toList();
  }

  @Test
  void theShippedFileIsValid() throws IOException {
    Policies policies = parse(Files.readString(SHIPPED)).orThrow();

    assertThat(policies.excludes()).isEqualTo(Policies.BUILT_IN_EXCLUDES);
    assertThat(policies.minSavingPercent()).isEqualTo(Policies.DEFAULT_MIN_SAVING_PERCENT);
    assertThat(policies.inOrder()).extracting(Policy::name).containsExactly("warehouse", "archive");
    Policy warehouse = policies.inOrder().get(0);
    assertThat(warehouse.coldAfter()).isEqualTo(Duration.ofDays(90));
    assertThat(warehouse.minSize()).isEqualTo(256L << 20);
    assertThat(warehouse.protection()).isEqualTo(new Protection("rs-10-4", 1, 1));
    assertThat(warehouse.schedule()).contains("0 0 1 * * ?");
  }

  @Test
  void theShippedFileShowsTheBuiltInExcludesAsTheyAre() throws IOException {
    List<String> shown =
        Pattern.compile("^#   - \"?([^\"\n]+)\"?$", Pattern.MULTILINE)
            .matcher(Files.readString(SHIPPED))
            .results()
            .map((MatchResult line) -> line.group(1))
            .toList();

    assertThat(shown).isEqualTo(Policies.BUILT_IN_EXCLUDES.stream().map(Object::toString).toList());
  }

  @Test
  void whatIsNotNamedHasTheDocumentedDefault() throws IOException {
    Policies policies =
        parse("policies: [{name: a, paths: [/a], coldAfter: 1d, codec: rs-6-3}]").orThrow();

    assertThat(policies)
        .isEqualTo(
            Policies.of(
                new Policy(
                    "a",
                    List.of(PathGlob.of("/a")),
                    List.of(),
                    Duration.ofDays(1),
                    Duration.ofDays(1),
                    0,
                    new Protection("rs-6-3", 1, 1),
                    Optional.empty())));
  }

  @Test
  void everythingThatIsWrongIsNamedAtOnceWithItsKey() throws IOException {
    assertThat(
            problems(
                """
                minSavingPercent: 100
                exclude: [/x]
                excludes: [relative/**]
                policies:
                  - name: a
                    paths: [/a/, /fine, b]
                    coldAfter: 90
                    minAge: -1d
                    minSize: 64 M
                    codec: reed-solomon
                    targetReplication: 3
                    parityReplication: 0
                    schedule: daily
                    raidSnapshotted: perhaps
                    codek: rs-6-3
                  - name: a
                    paths: []
                    coldAfter: [90d]
                    codec: rs-6-3
                    targetReplication: one
                  - archive
                  - {}
                """))
        .containsExactlyInAnyOrder(
            "exclude is not a key here; the keys are minSavingPercent, excludes, builtInExcludes,"
                + " policies",
            "minSavingPercent must be 0 to 99, but is '100'",
            "excludes[0] must be an absolute path or begin with **/, but is 'relative/**'",
            "policies[0].codek is not a key here; the keys are name, paths, excludes, coldAfter,"
                + " minAge, minSize, codec, targetReplication, parityReplication, schedule,"
                + " raidSnapshotted",
            "policies[0].paths[0] must not end with '/', for no file does; for everything below"
                + " write '/a/**'",
            "policies[0].paths[2] must be an absolute path or begin with **/, but is 'b'",
            "policies[0].coldAfter must be a duration such as 90d, 12h, 30min or 0, but is '90',"
                + " without a unit",
            "policies[0].minAge must not be negative, but is '-1d'",
            "policies[0].minSize must be a size such as 64MiB, 1GB or 0, but is '64 M'",
            "policies[0].codec is not a known codec: 'reed-solomon'",
            "policies[0].targetReplication must be 1 to 2, but is '3'",
            "policies[0].parityReplication must be 1 to 3, but is '0'",
            "policies[0].schedule is not a cron expression: 'daily'",
            "policies[0].raidSnapshotted must be true or false, but is 'perhaps'",
            "policies[1].name is the name of policies[0] already",
            "policies[1].paths must name at least one path",
            "policies[1].coldAfter must be a single value, but is '[90d]'",
            "policies[1].targetReplication must be 1 to 2, but is 'one'",
            "policies[2] must be a policy with name, paths, coldAfter and codec",
            "policies[3].name is missing",
            "policies[3].paths is missing",
            "policies[3].coldAfter is missing",
            "policies[3].codec is missing");
  }

  @Test
  void aFileWithoutPoliciesIsNotTakenForAFileWithNone() throws IOException {
    assertThat(PoliciesFile.parse(null, CHECKS).problems()).hasSize(1);
    assertThat(problems("excludes: []")).containsExactly("policies is missing");
    assertThat(problems("policies:")).containsExactly("policies is missing");
    assertThat(problems("policies: {name: a}"))
        .containsExactly("policies must be a list, but is '{name=a}'");
    assertThat(parse("policies: []").orThrow().inOrder()).isEmpty();
  }

  @Test
  void namingTheBuiltInExcludesReplacesThemAndExcludesAddsToThem() throws IOException {
    assertThat(parse("{policies: [], excludes: [/x]}").orThrow().excludes())
        .hasSize(Policies.BUILT_IN_EXCLUDES.size() + 1)
        .contains(PathGlob.of("/x"), PathGlob.of("/tmp/**"));
    assertThat(parse("{policies: [], excludes: [/x], builtInExcludes: [/y]}").orThrow().excludes())
        .containsExactly(PathGlob.of("/x"), PathGlob.of("/y"));
  }

  @Test
  void throwingNamesAllProblemsOnePerLine() throws IOException {
    Parsed parsed = parse("{policies: 1, minSavingPercent: x}");

    assertThatThrownBy(parsed::orThrow)
        .hasMessage(
            "minSavingPercent must be 0 to 99, but is 'x'\npolicies must be a list, but is '1'");
  }

  @ParameterizedTest
  @CsvSource({
    "30s, 30",
    "10min, 600",
    "10m, 600",
    "12 h, 43200",
    "90d, 7776000",
    "90 days, 7776000",
    "1 DAY, 86400",
    "0, 0",
    "0d, 0"
  })
  void durationsAreReadAsPeopleWriteThem(String text, long seconds) {
    assertThat(Quantities.duration(text)).isEqualTo(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "12 B, 12",
    "1kB, 1000",
    "1KiB, 1024",
    "64MiB, 67108864",
    "2 gb, 2000000000",
    "1TiB, 1099511627776"
  })
  void sizesAreReadAsPeopleWriteThem(String text, long bytes) {
    assertThat(Quantities.bytes(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({"9999999999999999999d", "999999999999999999d", "1.5d", "d", "1 week", "1y"})
  void otherDurationsAreRefusedWithTheTextGiven(String text) {
    assertThatThrownBy(() -> Quantities.duration(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'");
  }

  @ParameterizedTest
  @CsvSource({"999999999999999999TiB", "64", "64M", "1.5GB", "-1B"})
  void otherSizesAreRefusedWithTheTextGiven(String text) {
    assertThatThrownBy(() -> Quantities.bytes(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'");
  }
}
