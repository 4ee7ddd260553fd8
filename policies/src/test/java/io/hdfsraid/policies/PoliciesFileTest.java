// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.hdfsraid.policies.Condition.Accesses;
import io.hdfsraid.policies.Condition.Bound;
import io.hdfsraid.policies.PoliciesFile.Checks;
import io.hdfsraid.policies.capacity.CapacityRule;
import io.hdfsraid.policies.settings.Problems;
import io.hdfsraid.policies.settings.SettingsProblem;
import io.hdfsraid.policies.window.TimeWindows;
import io.hdfsraid.policies.window.WeeklyWindow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
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

  /** Either policies or everything that is wrong. */
  private record Parsed(Optional<Policies> policies, Problems problems) {
    Policies orThrow() {
      assertThat(problems.found()).isEmpty();
      return policies.orElseThrow();
    }
  }

  private static Parsed parse(String yaml) throws IOException {
    return parse(new YAMLMapper().readValue(yaml, Map.class));
  }

  private static Parsed parse(Map<?, ?> tree) {
    Problems problems = new Problems(Path.of("policies.yml"));
    Optional<Policies> policies = PoliciesFile.parse(tree, CHECKS, problems);
    assertThat(policies.isPresent()).isEqualTo(problems.isEmpty());
    return new Parsed(policies, problems);
  }

  private static List<String> problems(String yaml) throws IOException {
    return words(parse(yaml).problems().found());
  }

  private static List<String> words(List<SettingsProblem> problems) {
    return problems.stream().map(problem -> problem.key() + " " + problem.message()).toList();
  }

  private static WeeklyWindow wholeDays(Set<DayOfWeek> days) {
    return new WeeklyWindow(days, LocalTime.MIDNIGHT, Optional.empty(), WeeklyWindow.FULL);
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
            "exclude is not a key here; did you mean excludes?",
            "minSavingPercent must be 0 to 99, but is '100'",
            "excludes[0] must be an absolute path or begin with **/, but is 'relative/**'",
            "policies[0].codek is not a key here; did you mean codec?",
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

  /** One policy that says everything there is to say. */
  @Test
  void everyKeyIsRead() throws IOException {
    Policies policies =
        parse(
                """
                timeZone: Europe/Berlin
                windows: [{days: [MON-FRI], from: 22:00, to: "06:00", intensity: 50%}, {days: [SAT, sunday]}]
                blackouts: [{from: "23:30", to: "24:00"}]
                policies:
                  - name: all
                    paths: [/a]
                    excludes: [/a/b]
                    when:
                      pathRegex: /a/\\d+
                      owners: [alice, bob]
                      groups: [staff]
                      minSize: 1MiB
                      maxSize: 1GiB
                      storagePolicies: [HOT, one_ssd]
                      encrypted: false
                      snapshotted: true
                      partition: {key: year/month, olderThan: 90d, youngerThan: 900d}
                      minAge: 30d
                      maxAge: 900d
                      coldAfter: 60d
                      accesses: {atMost: 3, atLeast: 1, within: 30d}
                    action: raid
                    coldAfter: 70d
                    minAge: 2d
                    minSize: 2MiB
                    accesses: {atMost: 0, within: 7d}
                    raidSnapshotted: true
                    codec: rs-6-3
                    targetReplication: 2
                    parityReplication: 3
                    schedule: 0 0 1 * * ?
                    misfire: run
                    timeZone: UTC
                    windows: [{days: [SAT-MON], from: "1:00", to: "24:00"}]
                    blackouts: [{days: [WED]}]
                    capacity: {startAbove: 80%, stopBelow: 70, of: /user/a}
                    budget: {bytes: 10TB, files: 100000}
                    reheat: {accesses: 5, within: 2d, minResidence: 8d, coolDown: 31d}
                """)
            .orThrow();

    ZoneId berlin = ZoneId.of("Europe/Berlin");
    WeeklyWindow nights =
        WeeklyWindow.of(
                EnumSet.range(DayOfWeek.MONDAY, DayOfWeek.FRIDAY),
                LocalTime.of(22, 0),
                LocalTime.of(6, 0))
            .at(50);
    assertThat(policies.windows())
        .isEqualTo(
            TimeWindows.of(
                List.of(nights, wholeDays(Set.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY))),
                List.of(
                    new WeeklyWindow(
                        TimeWindows.everyDay(), LocalTime.of(23, 30), Optional.empty(), 100)),
                berlin));
    PartitionKey month = PartitionKey.of("year/month");
    ZoneId utc = ZoneId.of("UTC");
    assertThat(policies.inOrder())
        .containsExactly(
            new Policy(
                "all",
                List.of(PathGlob.of("/a")),
                List.of(PathGlob.of("/a/b")),
                List.of(
                    new Condition.OwnedBy(Set.of("alice", "bob")),
                    new Condition.OfGroup(Set.of("staff")),
                    new Condition.Encrypted(false),
                    new Condition.Snapshotted(true),
                    new Condition.StoredBy(
                        Set.of(HdfsStoragePolicy.HOT, HdfsStoragePolicy.ONE_SSD)),
                    new Condition.Size(Bound.AT_LEAST, 1 << 20),
                    new Condition.Size(Bound.AT_MOST, 1 << 30),
                    new Condition.Age(Bound.AT_LEAST, Duration.ofDays(30)),
                    new Condition.Age(Bound.AT_MOST, Duration.ofDays(900)),
                    new Condition.ColdFor(Duration.ofDays(60)),
                    new Accesses(Bound.AT_MOST, 3, Duration.ofDays(30)),
                    new Accesses(Bound.AT_LEAST, 1, Duration.ofDays(30)),
                    new Condition.PartitionAge(month, Bound.AT_LEAST, Duration.ofDays(90), utc),
                    new Condition.PartitionAge(month, Bound.AT_MOST, Duration.ofDays(900), utc),
                    new Condition.PathLike(PathRegex.of("/a/\\d+"))),
                new Action.ToRaid(new Protection("rs-6-3", 2, 3)),
                new Readiness(
                    Duration.ofDays(70),
                    Duration.ofDays(2),
                    2 << 20,
                    Optional.of(new Accesses(Bound.AT_MOST, 0, Duration.ofDays(7))),
                    true),
                new RunSettings(
                    Optional.of("0 0 1 * * ?"),
                    RunSettings.Misfire.RUN,
                    utc,
                    TimeWindows.of(
                        List.of(
                            new WeeklyWindow(
                                Set.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY, DayOfWeek.MONDAY),
                                LocalTime.of(1, 0),
                                Optional.empty(),
                                100)),
                        List.of(wholeDays(Set.of(DayOfWeek.WEDNESDAY))),
                        utc),
                    Optional.of(new CapacityRule(80, 70, Optional.of("/user/a"))),
                    new Budget(OptionalLong.of(10_000_000_000_000L), OptionalLong.of(100_000))),
                Optional.of(
                    new ReheatRule(
                        5, Duration.ofDays(2), Duration.ofDays(8), Duration.ofDays(31)))));
  }

  @Test
  void everyKeyOfAPolicyIsInTheShippedFile() throws IOException {
    String shipped = Files.readString(SHIPPED);

    assertThat(PolicyReader.KEYS)
        .allSatisfy(key -> assertThat(shipped).containsPattern("(?m)^ *(- |# )?" + key + ":( |$)"));
    assertThat(WhenReader.KEYS)
        .allSatisfy(key -> assertThat(shipped).containsPattern("(?m)^ *#   " + key + ": "));
    for (String key : List.of("startAbove", "stopBelow", "of", "bytes", "files", "minResidence")) {
      assertThat(shipped).containsPattern("[{ ]" + key + ": ");
    }
  }

  /** What is shown as a comment is right, too. */
  @Test
  void theShippedFileIsValidWithItsExamplesTakenIn() throws IOException {
    String uncommented =
        Pattern.compile(
                "(?m)^( *)# ( *(?:(?:%s): .*|(?:when|builtInExcludes):|- .*))$"
                    .formatted(
                        Stream.of(PolicyReader.KEYS, WhenReader.KEYS)
                            .flatMap(List::stream)
                            .collect(Collectors.joining("|"))))
            .matcher(Files.readString(SHIPPED))
            .replaceAll("$1$2");
    Policies policies = parse(uncommented).orThrow();

    Policy warehouse = policies.inOrder().get(0);
    assertThat(warehouse.when()).hasSizeGreaterThanOrEqualTo(WhenReader.KEYS.size());
    assertThat(warehouse.reheat()).isPresent();
    assertThat(warehouse.runs().capacity()).isPresent();
    assertThat(warehouse.runs().budget()).isNotEqualTo(Budget.NONE);
    assertThat(warehouse.runs().windows()).isNotEqualTo(TimeWindows.NONE);
    assertThat(policies.windows()).isNotEqualTo(TimeWindows.NONE);
  }

  @Test
  void policiesThatDoNotRaidNeedNoCodecAndNoColdness() throws IOException {
    Policies policies =
        parse(
                """
                policies:
                  - {name: hot, paths: [/], action: leave, when: {owners: [etl]}}
                  - {name: back, paths: [/a], action: unraid, windows: [{from: "01:00", to: "05:00"}]}
                """)
            .orThrow();

    assertThat(policies.inOrder())
        .extracting(Policy::action)
        .containsExactly(new Action.ToLeave(), new Action.ToUnraid());
    assertThat(policies.inOrder().get(1).runs().windows()).isNotEqualTo(TimeWindows.NONE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "when: {owner: [a]}|when.owner is not a key here; did you mean owners?",
        "when: {owners: []}|when.owners must name at least one, or be left out",
        "when: {owners: a}|when.owners must be a list, but is 'a'",
        "when: {groups: [[a]]}|when.groups[0] must be a single value, but is '[a]'",
        "when: yes|when must have keys of its own (",
        "when: {pathRegex: '(a)\\1'}|when.pathRegex has '\\1', which is not supported",
        "when: {minSize: 2MB, maxSize: 1MB}|when.minSize is larger than maxSize, so no file ever",
        "when: {storagePolicies: [LUKEWARM]}|when.storagePolicies[0] must be one of PROVIDED, COLD",
        "when: {encrypted: maybe}|when.encrypted must be true or false, but is 'maybe'",
        "when: {snapshotted: 1}|when.snapshotted must be true or false, but is '1'",
        "when: {partition: {olderThan: 1d}}|when.partition.key is missing",
        "when: {partition: {key: dt}}|when.partition.olderThan is missing, and so is youngerThan",
        "when: {partition: {key: dt=, olderThan: 1d}}|when.partition.key must be the names of",
        "when: {partition: {key: dt, olderThan: 2d, youngerThan: 1d}}|when.partition.olderThan is"
            + " not shorter than youngerThan",
        "when: {minAge: 2d, maxAge: 2d}|when.minAge is not shorter than maxAge, so no file",
        "when: {coldAfter: 0}|when.coldAfter must be above 0, but is '0'",
        "when: {accesses: {within: 1d}}|when.accesses.atMost is missing, and so is atLeast",
        "when: {accesses: {atMost: 3}}|when.accesses.within is missing",
        "when: {accesses: {atMost: 3, atLeast: 4, within: 1d}}|when.accesses.atLeast is larger than"
            + " atMost",
        "accesses: {atLeast: 3, within: 1d}|accesses.atLeast is not a key here; the keys are"
            + " atMost, within",
        "accesses: {atMost: -1, within: 1d}|accesses.atMost must be 0 to 999999999, but is '-1'",
        "accesses: {atMost: 1, within: 0}|accesses.within must be above 0, but is '0'",
        "action: keep|action must be one of RAID, LEAVE, UNRAID, but is 'keep'",
        "misfire: later|misfire must be one of RUN, SKIP, but is 'later'",
        "timeZone: Mars|timeZone must be a time zone such as UTC or Europe/Berlin, but is 'Mars'",
        "windows: [{days: [MOO]}]|windows[0].days[0] must be a day such as MON, or days such as"
            + " MON-FRI, but is 'MOO'",
        "windows: [{days: []}]|windows[0].days must name at least one day",
        "windows: [{from: '25:00'}]|windows[0].from must be a time such as ~22:00~, in quotes, but",
        "windows: [{from: '7:00', to: '07:00'}]|windows[0].to is the same as from; for whole days",
        "windows: [{to: '00:00'}]|windows[0].to is the same as from; for whole days",
        "windows: [{intensity: 101%}]|windows[0].intensity must be 0% to 100%, but is '101%'",
        "windows: [night]|windows[0] must have some of days, from, to, intensity",
        "blackouts: [{intensity: 10}]|blackouts[0].intensity is not a key here; the keys are days",
        "capacity: {startAbove: 70%, stopBelow: 80%}|capacity.stopBelow must be below startAbove,"
            + " but they are 80% and 70%",
        "capacity: {startAbove: 70%}|capacity.stopBelow is missing",
        "capacity: {startAbove: 101%, stopBelow: 0%}|capacity.startAbove must be 1% to 100%, but is"
            + " '101%'",
        "capacity: {startAbove: 8, stopBelow: 7, of: rack}|capacity.of must be cluster or a"
            + " directory with a space quota, but is 'rack'",
        "budget: {bytes: 0}|budget.bytes must be above 0; without a limit leave it out",
        "budget: {files: 0}|budget.files must be 1 to 999999999, but is '0'",
        "reheat: {accesses: 0, within: 1d}|reheat.accesses must be 1 to 999999999, but is '0'",
        "reheat: {accesses: 3}|reheat.within is missing",
        "reheat: {accesses: 3, within: 1d, cooldown: 1d}|reheat.cooldown is not a key here; did you"
            + " mean coolDown?",
        "~minSize: 2GB, when: {maxSize: 1GB}~|minSize is larger than when.maxSize, so no file is"
            + " ever",
        "when: {maxAge: 1d}|minAge is 1d, no shorter than when.maxAge, so no file is ever ready"
      })
  void whatIsWrongWithAKeyIsSaidWithItsPath(String key, String problem) throws IOException {
    assertThat(
            problems(
                "policies: [{name: a, paths: [/a], coldAfter: 1d, codec: rs-6-3, %s}]"
                    .formatted(key)))
        .isNotEmpty()
        .first(InstanceOfAssertFactories.STRING)
        .startsWith("policies[0]." + problem.replace('~', '"'));
  }

  @Test
  void keysThatMeanNothingWithAnActionAreNamed() throws IOException {
    assertThat(
            problems(
                "policies: [{name: a, paths: [/a], action: leave, coldAfter: 1d, codec: rs-6-3,"
                    + " budget: {files: 1}},"
                    + " {name: b, paths: [/a], action: unraid, minSize: 1MB, reheat: {accesses: 1,"
                    + " within: 1d}, schedule: '0 0 1 * * ?', misfire: run, budget: {files: 3}}]"))
        .containsExactlyInAnyOrder(
            "policies[0].coldAfter means nothing with action: leave; did you mean when.coldAfter?",
            "policies[0].codec means nothing with action: leave",
            "policies[0].budget means nothing with action: leave",
            "policies[1].minSize means nothing with action: unraid; did you mean when.minSize?",
            "policies[1].reheat means nothing with action: unraid",
            "policies[1].schedule means nothing with action: unraid",
            "policies[1].misfire means nothing with action: unraid",
            "policies[1].budget means nothing with action: unraid");
  }

  @Test
  void raidingNeedsToBeToldHowColdAFileMustBe() throws IOException {
    String policy = "policies: [{name: a, paths: [/a], codec: rs-6-3, %s}]";

    assertThat(problems(policy.formatted("minAge: 1d")))
        .containsExactly("policies[0].coldAfter is missing");
    assertThat(problems(policy.formatted("when: {coldAfter: 1d}"))).isEmpty();
    assertThat(problems(policy.formatted("capacity: {startAbove: 80, stopBelow: 70}"))).isEmpty();
  }

  private static List<String> warnings(String yaml) throws IOException {
    Parsed parsed = parse(yaml);
    parsed.orThrow();
    return words(parsed.problems().warnings());
  }

  @Test
  void aPolicyThatIsNeverAskedIsWarnedOf() throws IOException {
    String first = "{name: a, paths: %s, excludes: %s, coldAfter: 1d, codec: rs-6-3%s}";
    String second = "{name: b, paths: %s, excludes: %s, coldAfter: 1d, codec: rs-6-3}";
    String file = "policies: [" + first + ", " + second + "]";
    String warning =
        "policies[1] (b) is never asked: policies[0] (a) speaks about all its paths before it";

    assertThat(warnings(file.formatted("[/a/**]", "[]", "", "[/a/**]", "[]")))
        .containsExactly(warning);
    assertThat(warnings(file.formatted("[/x, /a]", "[]", "", "['/a/b/*.gz', /x/y/**]", "[]")))
        .containsExactly(warning);
    String room = ", capacity: {startAbove: 80, stopBelow: 70%s}";
    assertThat(warnings(file.formatted("[/a/**]", "[]", room.formatted(""), "[/a/**]", "[]")))
        .containsExactly(warning);
    assertThat(
            warnings(
                file.formatted("[/a/**]", "[]", room.formatted(", of: /a/b"), "[/a/**]", "[]")))
        .as("it speaks about what is below /a/b only")
        .isEmpty();
    assertThat(warnings(file.formatted("[/a]", "[/a/b/c]", "", "[/a]", "[/a/b]")))
        .as("what it does not speak about, the other does not either")
        .containsExactly(warning);
    assertThat(warnings(file.formatted("[/a]", "[/a/b]", "", "[/a]", "[]"))).isEmpty();
    assertThat(warnings(file.formatted("[/a/b]", "[]", "", "[/a]", "[]"))).isEmpty();
    assertThat(warnings(file.formatted("[/a]", "[]", "", "[/ab/c]", "[]"))).isEmpty();
    assertThat(warnings(file.formatted("[/a/**]", "[]", "", "[/a]", "[]")))
        .as("/a itself may be a file")
        .isEmpty();
    assertThat(warnings(file.formatted("[/a]", "[]", ", when: {owners: [x]}", "[/a]", "[]")))
        .isEmpty();
  }

  @Test
  void aPolicyOfWhichAllPathsAreExcludedIsWarnedOf() throws IOException {
    String policy = "policies: [{name: a, paths: %s, excludes: %s, coldAfter: 1d, codec: rs-6-3}]";
    String warning = "policies[0].paths (a) speaks about no file: all its paths are excluded, by ";

    for (String ours : List.of("[/.raid/**]", "[/.raid]", "[/.raid/parity]", "['/.raid/*/x.?']")) {
      assertThat(warnings(policy.formatted(ours, "[]")))
          .as(ours)
          .containsExactly(warning + "/.raid/**");
    }
    assertThat(warnings(policy.formatted("[/tmp/a, '**/.Trash/**']", "[]")))
        .containsExactly(warning + "/tmp/**, **/.Trash/**");
    assertThat(warnings(policy.formatted("[/a/b]", "[/a]"))).containsExactly(warning + "/a");
    assertThat(warnings("excludes: [/x]\n" + policy.formatted("[/x/y]", "[]")))
        .containsExactly(warning + "/x");
    assertThat(warnings(policy.formatted("[/.raid/**, /a]", "[]"))).isEmpty();
    assertThat(warnings(policy.formatted("[/, '/tmp*']", "[]"))).isEmpty();
    assertThat(warnings(policy.formatted("[/.raids, /tmpfiles]", "[]"))).isEmpty();
  }

  @Test
  void leavingOutABuiltInExcludeIsWarnedOf() throws IOException {
    assertThat(
            warnings(
                "{policies: [], builtInExcludes: [/tmp, /hbase, /accumulo, '**/.*/**', /.raid/**,"
                    + " '**/_temporary/**']}"))
        .singleElement()
        .asString()
        .startsWith("builtInExcludes leaves out ")
        .contains("**/recovered.edits/**")
        .doesNotContain("/tmp", "/hbase/WALs");
    assertThat(warnings("policies: []")).isEmpty();
  }

  @Test
  void aFileWithoutPoliciesIsNotTakenForAFileWithNone() throws IOException {
    assertThat(parse((Map<?, ?>) null).problems().found()).hasSize(1);
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
