// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.hdfsraid.blockfixer.placement.MoveStep;
import io.hdfsraid.blockfixer.repair.RepairStep;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.RepairCost;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.config.SettingsFiles;
import io.hdfsraid.raidnode.raiding.core.RaidStep;
import io.hdfsraid.raidnode.raiding.core.RegroupStep;
import io.hdfsraid.raidnode.raiding.core.ReturnStep;
import io.hdfsraid.raidnode.raiding.core.UnraidStep;
import io.hdfsraid.rescue.codec.CodecTable;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the documents say is so. */
class DocumentsTest {
  private static final Sources SOURCES = Sources.read();
  private static final Set<String> TYPES = SOURCES.types();
  private static final Document README = named("README.md");
  private static final Document ARCHITECTURE = named("ARCHITECTURE.md");
  private static final Document CODECS = named("docs/codecs.md");
  private static final Document REST = named("docs/rest.md");

  private static final int MOST_LOSSES = 4;

  /** The columns of README's table of codecs, by those of the generated one. */
  private static final Map<String, String> README_COLUMNS =
      Map.of(
          "Code", "Scheme",
          "Bytes on disk per byte", "Stored per byte",
          "Losses per stripe", "Losses borne",
          "Blocks read per repair", "Blocks read per repair",
          "DataNodes", "Nodes needed");

  private static final int README_CODECS = 4;

  /** The steps whose crashes the documents have a table of. */
  private static final List<Class<? extends Enum<?>>> STEPS =
      List.of(
          RaidStep.class,
          MoveStep.class,
          UnraidStep.class,
          ReturnStep.class,
          RegroupStep.class,
          RepairStep.class);

  /** A type, alone or before one of its members. */
  private static final Pattern OWNER =
      Pattern.compile("([A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)*)(?:\\.\\w+(?:\\(\\))?)?");

  private static final Pattern MEMBER =
      Pattern.compile("(?:[A-Z]\\w*\\.)?([a-z]+[A-Z]\\w*|[a-z]\\w*(?=\\())(?:\\(\\))?");
  private static final Pattern CONSTANT = Pattern.compile("[A-Z][A-Z_]+");
  private static final Pattern DOTTED = Pattern.compile("[a-z][A-Za-z-]*(?:\\.[a-z][A-Za-z-]*)+");
  private static final Pattern OUR_CLASS = Pattern.compile("io\\.hdfsraid\\.[a-z.]+\\.[A-Z]\\w+");
  private static final Pattern API_PATH = Pattern.compile("/api/v1[\\w/{}]*(?:\\.json)?");

  private static Document named(String name) {
    return Document.of(Document.PROJECT.resolve(name));
  }

  static List<Document> documents() {
    return Document.all();
  }

  @Test
  void theDocumentsAreThere() {
    assertThat(documents())
        .map(Document::toString)
        .contains("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/codecs.md");
  }

  @Test
  void theTableOfCodecsIsTheGeneratedOne() {
    assertThat(CODECS.between("codecs"))
        .as("in %s, as bin/raidshell codecs --markdown prints it", CODECS)
        .isEqualTo(CodecTable.ofAll().markdown());
  }

  @Test
  void theFewCodecsOfTheReadmeAreAsInTheGeneratedTable() {
    Document.Table few = only(README.tables("Code"));
    Document.Table all =
        only(
            CODECS.tables("Scheme").stream()
                .filter(table -> table.headings().contains("Source"))
                .toList());
    assertThat(few.rows()).hasSize(README_CODECS);
    for (List<String> row : few.rows()) {
      List<String> generated =
          all.rows().stream()
              .filter(each -> each.get(0).equals(row.get(0)))
              .findAny()
              .orElseThrow();
      README_COLUMNS.forEach(
          (own, column) ->
              assertThat(row.get(few.headings().indexOf(own)))
                  .as("%s of %s", own, row.get(0))
                  .isEqualTo(generated.get(all.headings().indexOf(column))));
    }
  }

  /** Plans the repair of every set of up to four losses of every codec. */
  @Test
  @Tag("full")
  void whatSeveralLossesReadIsWhatTheCodecsSay() {
    Document.Table table =
        only(
            CODECS.tables("Scheme").stream()
                .filter(each -> each.rows().get(0).size() == 1 + MOST_LOSSES)
                .toList());
    for (List<String> row : table.rows()) {
      ErasureCodec codec = Codecs.parse(row.get(0));
      for (int losses = 1; losses <= MOST_LOSSES; losses++) {
        assertThat(Double.parseDouble(row.get(losses)))
            .as("%d lost of %s", losses, codec)
            .isCloseTo(RepairCost.of(codec, losses).averageReads(), within(0.005));
      }
    }
  }

  @Test
  void everyFamilyOfCodecsIsInTheGuideToThem() {
    assertThatThrownBy(() -> Codecs.parse("none"))
        .satisfies(
            e ->
                assertThat(CODECS.code())
                    .containsAll(groups("(\\w+(?:-\\w+)*-[A-Z0-9]+)(?:,|$)", e.getMessage())));
  }

  @ParameterizedTest
  @MethodSource("documents")
  void everyCommandExists(Document document) {
    List<String> lines = new ArrayList<>(document.lines("sh"));
    lines.addAll(typed(document));
    lines.addAll(document.code());
    List<String> problems = new ArrayList<>();
    int commands = 0;
    for (String line : lines) {
      ShellLine command = ShellLine.of(line);
      if (command.isOurs()) {
        commands++;
        command.problem().ifPresent(problems::add);
      }
    }

    assertThat(problems).isEmpty();
    if (!document.isOfTheDesign()) {
      assertThat(commands).as("commands in %s", document).isPositive();
    }
  }

  /** What stands behind a prompt. */
  private static List<String> typed(Document document) {
    return document.lines("console").stream()
        .filter(line -> line.startsWith("$ "))
        .map(line -> line.substring(2))
        .toList();
  }

  /** Figures of an example are of the day it was run; headings must be those of today. */
  @ParameterizedTest
  @MethodSource("documents")
  void everyHeadingOfAnExampleIsOneOfTheShell(Document document) {
    List<String> headings =
        document.lines("console").stream()
            .filter(line -> line.matches(" *[A-Z]+(?: +[A-Z]+){2,}"))
            .flatMap(line -> Arrays.stream(line.strip().split(" {2,}", -1)))
            .toList();

    assertThat(headings)
        .allSatisfy(
            heading ->
                assertThat(
                        SOURCES.contains("\"  " + heading + "\"")
                            || SOURCES.contains("\"" + heading + "\""))
                    .as(heading)
                    .isTrue());
    assertThat(document.lines("console").stream().filter(line -> line.startsWith("$ ")).count())
        .as("examples with a table")
        .isLessThanOrEqualTo(headings.size());
  }

  @Test
  void theReadmeHasTheTwoCommandsThatDoAllTheSetUp() {
    assertThat(README.lines("sh").stream().map(line -> line.replaceAll(" *#.*", "")))
        .startsWith("bin/raidnode demo", "./mvnw verify");
  }

  @ParameterizedTest
  @MethodSource("documents")
  void everyTypeMemberAndConstantIsInTheSources(Document document) {
    Set<String> unknown = new TreeSet<>();
    for (String code : document.code()) {
      for (String word : code.split("[ ,·<>]+", -1)) {
        group(OWNER, word).filter(name -> !isType(name)).forEach(unknown::add);
        group(MEMBER, word).filter(name -> !SOURCES.words().contains(name)).forEach(unknown::add);
        if (CONSTANT.matcher(word).matches() && !SOURCES.words().contains(word)) {
          unknown.add(word);
        }
      }
    }

    assertThat(unknown).isEmpty();
  }

  /** One of ours, one that we import, or one that needs no import. */
  private static boolean isType(String name) {
    if (TYPES.contains(name)) {
      return true;
    }
    try {
      return Class.forName("java.lang." + name) != null;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static Stream<String> group(Pattern pattern, String word) {
    return Stream.of(pattern.matcher(word)).filter(Matcher::matches).map(m -> m.group(1));
  }

  /** Keys of the configuration, packages, extended attributes, keys of Hadoop. */
  @ParameterizedTest
  @MethodSource("documents")
  void everyDottedNameIsInTheSources(Document document) throws Exception {
    Set<String> keys = configurationKeys();
    Set<String> unknown = new TreeSet<>();
    for (String code : document.code()) {
      if (DOTTED.matcher(code).matches()
          && !keys.contains(code)
          && !Sources.hasPackage(code)
          && !Files.exists(Document.PROJECT.resolve(code))
          && !isAFileOfTheConfiguration(code)
          && !SOURCES.contains(code)) {
        unknown.add(code);
      }
    }

    assertThat(unknown).isEmpty();
  }

  private static boolean isAFileOfTheConfiguration(String name) {
    return Files.exists(Document.PROJECT.resolve("conf").resolve(name));
  }

  /** {@code section.key} for the two upper levels of raidnode.yml. */
  private static Set<String> configurationKeys() throws IOException {
    Set<String> keys = new TreeSet<>();
    String section = "";
    for (String line : Files.readAllLines(Document.PROJECT.resolve("conf/raidnode.yml"))) {
      if (line.matches("[a-z]\\w*:.*")) {
        section = line.substring(0, line.indexOf(':'));
      } else if (line.matches(" {2}[a-z]\\w*:.*")) {
        keys.add(section + "." + line.strip().substring(0, line.strip().indexOf(':')));
      }
    }
    assertThat(keys).contains("hdfs.root", "repair.delay");
    return keys;
  }

  @ParameterizedTest
  @MethodSource("documents")
  void everyClassNamedInFullIsThere(Document document) throws Exception {
    for (MatchResult name : OUR_CLASS.matcher(document.text()).results().toList()) {
      assertThat(Class.forName(name.group(), false, getClass().getClassLoader())).isNotNull();
    }
  }

  @ParameterizedTest
  @MethodSource("documents")
  void everyLinkInTheProjectLeadsSomewhere(Document document) {
    for (String link : document.links()) {
      if (!link.matches("[a-z]+:.*")) {
        String[] parts = link.split("#", 2);
        Path file =
            parts[0].isEmpty()
                ? document.file()
                : document.file().resolveSibling(parts[0]).normalize();
        assertThat(file).as("%s links to %s", document, link).exists();
        if (parts.length == 2) {
          assertThat(Document.of(file).anchors())
              .as("%s links to %s", document, link)
              .contains(parts[1]);
        }
      }
    }
  }

  @Test
  void everyFileOfTheConfigurationIsReadAsTheDaemonReadsIt() throws Exception {
    Path conf = Document.PROJECT.resolve("conf");

    SettingsFiles.read(conf.resolve("raidnode.yml"), Clock.systemUTC());

    try (Stream<Path> files = Files.list(conf)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .as("read above")
          .containsExactlyInAnyOrder("raidnode.yml", SettingsFiles.POLICIES);
    }
  }

  @Test
  void everyExampleOfThePagesOnSecurityIsReadAsTheDaemonReadsIt(@TempDir Path folder)
      throws Exception {
    List<String> examples =
        Stream.of("https", "kerberos", "kerberos-users", "audit")
            .flatMap(page -> named("docs/" + page + ".md").blocks("yaml").stream())
            .toList();
    assertThat(examples).hasSize(4);
    Files.writeString(folder.resolve(SettingsFiles.POLICIES), "policies: []");
    for (String example : examples) {
      Path file = Files.writeString(folder.resolve("raidnode.yml"), example);
      SettingsFiles.read(file, Clock.systemUTC());
    }
  }

  @Test
  void everyExampleOfPoliciesIsReadWithoutAWarning(@TempDir Path folder) throws Exception {
    List<String> examples = named("docs/policy-examples.md").blocks("yaml");
    assertThat(examples).hasSize(3);
    Path file = folder.resolve(SettingsFiles.POLICIES);
    for (String example : examples) {
      Files.writeString(file, example);
      SettingsFiles.CheckedPolicies read =
          SettingsFiles.checkPolicies(file, Clock.systemUTC(), ZoneOffset.UTC);
      assertThat(read.policies().inOrder()).isNotEmpty();
      assertThat(read.warnings()).isEmpty();
    }
  }

  /** Every key of the delivered file that is not explained by its neighbours alone. */
  @Test
  void everyConditionIsInTheGuideToPolicies() throws Exception {
    String delivered = Files.readString(Document.PROJECT.resolve("conf/policies.yml"));
    List<String> conditions = groups("(?m)^    #   (\\w+): ", delivered);
    List<String> explained =
        only(named("docs/policies.md").tables("Key")).column(0).stream()
            .flatMap(cell -> groups("`(\\w+)`", cell).stream())
            .toList();

    assertThat(explained).containsExactlyInAnyOrderElementsOf(conditions);
  }

  @Test
  void theModulesAreThoseOfTheBuild() throws Exception {
    Document.Table table = only(ARCHITECTURE.tables("Module"));
    Set<String> modules =
        new TreeSet<>(
            Set.of(
                "client",
                "dist",
                "tests",
                "tests/assertions",
                "applications/hadoop",
                "applications/hadoop-3.3",
                "applications/hadoop-3.4",
                "applications/router",
                "applications/servers-3.3",
                "applications/spark"));
    for (List<String> row : table.rows()) {
      String name = plain(row.get(0));
      String pom = Files.readString(Document.PROJECT.resolve(name).resolve("pom.xml"));
      modules.add(name);
      assertThat(row.get(1)).as(name).isEqualTo(first(pom, "<description>(.*?)</description>"));
      assertThat(Arrays.stream(row.get(2).split(", ")).filter(used -> !used.isEmpty()))
          .as("used by %s", name)
          .containsExactlyInAnyOrderElementsOf(modulesUsed(pom));
    }

    String parent = Files.readString(Document.PROJECT.resolve("pom.xml"));
    assertThat(groups("<module>(.*?)</module>", parent))
        .containsExactlyInAnyOrderElementsOf(modules);
  }

  private static List<String> modulesUsed(String pom) {
    return groups("(?s)<dependency>(.*?)</dependency>", pom).stream()
        .filter(dependency -> !dependency.contains("<scope>test</scope>"))
        .flatMap(
            dependency -> groups("<artifactId>hdfs-raid-(.*?)</artifactId>", dependency).stream())
        .distinct()
        .toList();
  }

  @Test
  void thereIsATableOfCrashesForEveryKindOfStep() {
    Map<String, List<String>> written = new TreeMap<>();
    for (Document document : documents()) {
      for (Document.Table table : document.tables("After this step of")) {
        assertThat(
                written.put(
                    first(table.heading(), "`(\\w+)`"),
                    table.column(0).stream().map(DocumentsTest::plain).toList()))
            .as("one table for %s", table.heading())
            .isNull();
      }
    }

    assertThat(written)
        .isEqualTo(
            STEPS.stream()
                .collect(
                    Collectors.toMap(
                        Class::getSimpleName,
                        type -> Arrays.stream(type.getEnumConstants()).map(Enum::name).toList())));
    assertThat(written.keySet()).as("all that is announced").isEqualTo(SOURCES.announced());
  }

  @Test
  void theJobsOfTheDaemonAreInTheArchitecture() {
    Set<String> jobs = new TreeSet<>(SOURCES.jobs());
    jobs.add("policy NAME");
    for (ScrubDepth depth : ScrubDepth.values()) {
      jobs.add("scrub-" + depth.tag());
    }

    Document.Table table = only(ARCHITECTURE.tables("Job"));
    assertThat(table.column(0).stream().map(DocumentsTest::plain))
        .containsExactlyInAnyOrderElementsOf(jobs);
    assertThat(
            table.column(table.headings().indexOf("Pools")).stream()
                .flatMap(cell -> groups("`(raid-[a-z-]+)`", cell).stream()))
        .as("pools of threads")
        .isNotEmpty()
        .allMatch(pool -> SOURCES.contains("\"" + pool + "\""));
  }

  @Test
  void theCallsOfTheRestApiAreThoseOfTheResourcesAndOfTheClient() throws Exception {
    Map<String, List<String>> served = resources();
    Map<String, List<String>> written = new TreeMap<>();
    for (List<String> row : only(REST.tables("Call")).rows()) {
      written.put(plain(row.get(0)), groups("`(\\w+)`", row.get(1)));
    }

    assertThat(written).isEqualTo(served);
    assertThat(
            served.keySet().stream().map(call -> call.substring(call.indexOf(' ') + 1)).distinct())
        .as("paths that the client knows")
        .containsExactlyInAnyOrderElementsOf(apiPaths());
  }

  @ParameterizedTest
  @MethodSource("documents")
  void noOtherPathOfTheApiIsNamed(Document document) throws Exception {
    List<String> known = new ArrayList<>(apiPaths());
    known.add(ApiPaths.ROOT);

    assertThat(API_PATH.matcher(document.text()).results().map(MatchResult::group))
        .isSubsetOf(known);
  }

  private static List<String> apiPaths() throws IllegalAccessException {
    List<String> paths = new ArrayList<>();
    for (Field field : ApiPaths.class.getFields()) {
      String value = (String) field.get(null);
      if (value.startsWith(ApiPaths.ROOT + "/")) {
        paths.add(value);
      }
    }
    return paths;
  }

  /** Method and path of every call, with the types it answers and, then, takes. */
  private static Map<String, List<String>> resources() throws Exception {
    Map<String, List<String>> calls = new TreeMap<>();
    Path folder = Document.PROJECT.resolve("raidnode/src/main/java/io/hdfsraid/raidnode/rest");
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(each -> each.toString().endsWith("Resource.java")).toList()) {
        Class<?> resource =
            Class.forName(
                "io.hdfsraid.raidnode.rest."
                    + folder.relativize(file).toString().replace(".java", "").replace('/', '.'));
        for (Method method : resource.getDeclaredMethods()) {
          String verb =
              method.isAnnotationPresent(GET.class)
                  ? "GET "
                  : method.isAnnotationPresent(POST.class)
                      ? "POST "
                      : method.isAnnotationPresent(PUT.class) ? "PUT " : "";
          if (!verb.isEmpty()) {
            calls.put(verb + path(resource, method), types(method));
          }
        }
      }
    }
    return calls;
  }

  private static String path(Class<?> resource, Method method) {
    Function<jakarta.ws.rs.Path, String> value = path -> path == null ? "" : path.value();
    return (value.apply(resource.getAnnotation(jakarta.ws.rs.Path.class))
            + value.apply(method.getAnnotation(jakarta.ws.rs.Path.class)))
        .replaceAll("/+", "/");
  }

  private static List<String> types(Method method) {
    List<Type> types = new ArrayList<>(List.of(method.getGenericReturnType()));
    Arrays.stream(method.getParameters())
        .filter(parameter -> parameter.getAnnotations().length == 0)
        .map(Parameter::getParameterizedType)
        .forEach(types::add);
    return types.stream()
        .flatMap(type -> groups("\\.([A-Z]\\w*)", type.getTypeName()).stream())
        .toList();
  }

  private static Document.Table only(List<Document.Table> tables) {
    assertThat(tables).hasSize(1);
    return tables.get(0);
  }

  private static String plain(String cell) {
    return cell.replace("`", "");
  }

  private static String first(String text, String pattern) {
    List<String> found = groups(pattern, text);
    assertThat(found).as("%s in %s", pattern, text).isNotEmpty();
    return found.get(0);
  }

  private static List<String> groups(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().map(found -> found.group(1)).toList();
  }
}
