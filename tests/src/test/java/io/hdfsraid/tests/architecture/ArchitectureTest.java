// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The picture of the modules in ARCHITECTURE.md, as rules. */
class ArchitectureTest {
  private static final String BASE = "io.hdfsraid.";

  private static final String HADOOP = "org.apache.hadoop..";
  private static final String JACKSON = "com.fasterxml.jackson..";
  private static final String SLF4J = "org.slf4j..";
  private static final String PICOCLI = "picocli..";
  private static final String CAFFEINE = "com.github.benmanes.caffeine..";
  private static final String PROGRESSBAR = "me.tongfei.progressbar..";
  private static final String COMMONMARK = "org.commonmark..";
  private static final String PARQUET = "org.apache.parquet..";
  private static final String RE2J = "com.google.re2j..";
  private static final String JNA = "com.sun.jna..";

  /** What every module may use: the JDK. {@code java.util.logging} has a rule of its own. */
  private static final List<String> JDK =
      List.of(
          "java..",
          "javax.crypto..",
          "javax.management..",
          "javax.net..",
          "javax.security.auth..",
          "javax.xml.stream..",
          "org.ietf.jgss..",
          "jdk..",
          "com.sun.management..",
          "com.sun.net.httpserver..");

  /**
   * Who may import whom of ours, and which libraries.
   *
   * @param name its folder, and its package below the base package
   */
  record Module(String name, Set<String> ours, List<String> libraries) {
    String packages() {
      return BASE + name + "..";
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Module> MODULES =
      List.of(
          new Module("erasurecode", Set.of(), List.of(JNA)),
          new Module("policies", Set.of(), List.of(RE2J)),
          new Module(
              "recency",
              Set.of("policies"),
              List.of(HADOOP, SLF4J, JACKSON, "org.rocksdb..", "com.google.protobuf..")),
          new Module("drfs", Set.of("erasurecode"), List.of(HADOOP, SLF4J)),
          new Module("blockfixer", Set.of("erasurecode", "drfs"), List.of(HADOOP, SLF4J)),
          new Module(
              "yarn",
              Set.of("erasurecode", "drfs", "blockfixer"),
              List.of(HADOOP, "io.github.bucket4j..")),
          new Module("raidapi", Set.of(), List.of(JACKSON)),
          new Module(
              "raidnode",
              Set.of("erasurecode", "policies", "recency", "drfs", "blockfixer", "yarn", "raidapi"),
              List.of(
                  HADOOP,
                  SLF4J,
                  JACKSON,
                  PICOCLI,
                  "io.dropwizard..",
                  "com.codahale.metrics..",
                  "ch.qos.logback..",
                  "jakarta..",
                  "net.sourceforge.argparse4j..",
                  "org.eclipse.jetty..",
                  "org.glassfish.jersey..",
                  "org.quartz..",
                  "io.github.bucket4j..",
                  CAFFEINE,
                  PROGRESSBAR,
                  COMMONMARK,
                  "io.micrometer..",
                  "io.prometheus..")),
          new Module("raidshell", Set.of("raidapi"), List.of(JACKSON, PICOCLI, PROGRESSBAR)),
          new Module("embedded", Set.of(), List.of(HADOOP, SLF4J)),
          new Module(
              "rescue",
              Set.of(
                  "erasurecode",
                  "policies",
                  "recency",
                  "drfs",
                  "blockfixer",
                  "yarn",
                  "raidapi",
                  "raidnode",
                  "raidshell"),
              List.of(HADOOP, JACKSON, PICOCLI)),
          new Module(
              "demo",
              Set.of(
                  "erasurecode",
                  "policies",
                  "recency",
                  "drfs",
                  "blockfixer",
                  "yarn",
                  "raidapi",
                  "raidnode",
                  "raidshell",
                  "rescue",
                  "embedded"),
              List.of(HADOOP, JACKSON, PICOCLI)),
          new Module(
              "bench",
              Set.of(
                  "erasurecode",
                  "policies",
                  "recency",
                  "drfs",
                  "blockfixer",
                  "yarn",
                  "raidapi",
                  "raidnode",
                  "raidshell",
                  "rescue",
                  "embedded"),
              List.of(HADOOP, JACKSON, PICOCLI, PARQUET, "io.github.bucket4j..")));

  /** A library that only some packages know, so that it can be replaced by rewriting these. */
  record Home(String library, List<String> packages) {
    Home(String library, String... packages) {
      this(library, List.of(packages));
    }

    String[] packagesAndBelow() {
      return packages.stream().map(name -> BASE + name + "..").toArray(String[]::new);
    }

    @Override
    public String toString() {
      return library + " only in " + packages;
    }
  }

  static final List<Home> HOMES =
      List.of(
          new Home(
              HADOOP,
              "drfs.hdfs",
              "drfs.fs",
              "blockfixer.hdfs",
              "recency.hdfs",
              "raidnode.hdfs",
              "yarn.task",
              "yarn.job",
              "embedded",
              "rescue",
              "demo",
              "bench"),
          new Home("org.rocksdb..", "recency.rocksdb"),
          new Home(PARQUET, "bench.table"),
          new Home(RE2J, "policies"),
          new Home("org.quartz..", "raidnode.schedule"),
          new Home(
              "io.github.bucket4j..", "raidnode.traffic", "yarn.task", "yarn.job", "bench.encode"),
          new Home(CAFFEINE, "raidnode.rest", "raidnode.access"),
          new Home(PROGRESSBAR, "raidshell.command", "raidnode.terminal"),
          new Home(COMMONMARK, "raidnode.web"),
          new Home("com.google.protobuf..", "recency.fsimage"),
          new Home("jakarta.ws.rs..", "raidnode.rest"),
          new Home("io.micrometer..", "raidnode.metrics"),
          new Home("io.dropwizard..", "raidnode"),
          new Home(PICOCLI, "raidnode", "raidshell", "rescue", "demo", "bench"));

  private static final JavaClasses PRODUCT =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("io.hdfsraid");

  @ParameterizedTest
  @FieldSource("MODULES")
  void aModuleUsesOnlyWhatItMay(Module module) {
    assumeHasSources(module);
    mayUse(module, module.ours, module.libraries).check(PRODUCT);
  }

  /** Each arrow of the picture is there for a reason: without it, the rule above would fail. */
  @ParameterizedTest
  @FieldSource("MODULES")
  void theRuleNoticesAUseThatIsNotAllowed(Module module) {
    assumeHasSources(module);
    Set<String> used = modulesUsedBy(module);
    for (String one : used) {
      Set<String> others = new TreeSet<>(module.ours);
      others.remove(one);
      assertThatThrownBy(() -> mayUse(module, others, module.libraries).check(PRODUCT))
          .as("%s without %s", module, one)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining(BASE + one);
    }
  }

  private static ArchRule mayUse(Module module, Set<String> ours, List<String> libraries) {
    List<String> allowed = new ArrayList<>(JDK);
    allowed.add(module.packages());
    ours.forEach(other -> allowed.add(BASE + other + ".."));
    allowed.addAll(libraries);
    // Made once: each has a pattern of its own, and is asked for every use of every class.
    List<DescribedPredicate<JavaClass>> inOneOfThem =
        allowed.stream().map(JavaClass.Predicates::resideInAPackage).toList();
    return classes()
        .that()
        .resideInAPackage(module.packages())
        .should()
        .onlyDependOnClassesThat(
            describe(
                "are of " + allowed,
                (JavaClass used) -> {
                  JavaClass element = used.getBaseComponentType();
                  return element.isPrimitive()
                      || inOneOfThem.stream().anyMatch(allows -> allows.test(element));
                }));
  }

  private static Set<String> modulesUsedBy(Module module) {
    return PRODUCT.stream()
        .filter(JavaClass.Predicates.resideInAPackage(module.packages()))
        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
        .map(dependency -> dependency.getTargetClass().getBaseComponentType().getPackageName())
        .filter(name -> name.startsWith(BASE))
        .map(name -> name.substring(BASE.length()).split("\\.", 2)[0])
        .filter(name -> !name.equals(module.name))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @ParameterizedTest
  @FieldSource("HOMES")
  void aLibraryStaysInItsPackages(Home home) {
    noClasses()
        .that()
        .resideOutsideOfPackages(home.packagesAndBelow())
        .should()
        .dependOnClassesThat()
        .resideInAPackage(home.library)
        .check(PRODUCT);
  }

  /**
   * A rule about a library that nobody uses, or about a package that was renamed, would hold for
   * ever.
   */
  @ParameterizedTest
  @FieldSource("HOMES")
  void aLibraryIsUsedInEachOfItsPackages(Home home) {
    for (String name : home.packages) {
      boolean partOfModule = name.contains(".");
      if (partOfModule ? hasSources(name) : hasMainClass(name)) {
        assertThat(
                PRODUCT.stream()
                    .filter(JavaClass.Predicates.resideInAPackage(BASE + name + ".."))
                    .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                    .anyMatch(
                        dependency ->
                            JavaClass.Predicates.resideInAPackage(home.library)
                                .test(dependency.getTargetClass())))
            .as("%s is used in %s", home.library, name)
            .isTrue();
      }
    }
  }

  /** Where JNA is absent, nothing else fails to load. */
  @Test
  void onlyOneClassKnowsJna() {
    assertThat(
            PRODUCT.stream()
                .filter(
                    type ->
                        type.getDirectDependenciesFromSelf().stream()
                            .anyMatch(
                                dependency ->
                                    JavaClass.Predicates.resideInAPackage(JNA)
                                        .test(dependency.getTargetClass())))
                .map(JavaClass::getName)
                .map(name -> name.replaceFirst("\\$.*", ""))
                .distinct())
        .containsExactly(BASE + "erasurecode.kernel.IsaLibrary");
  }

  @Test
  void packagesFormNoCycles() {
    slices().matching("io.hdfsraid.(**)").should().beFreeOfCycles().check(PRODUCT);
  }

  @Test
  void onlyMainClassesEndTheProcess() {
    noClasses()
        .that(not(haveAMainMethod()))
        .should()
        .callMethod(System.class, "exit", int.class)
        .orShould()
        .callMethod(Runtime.class, "exit", int.class)
        .orShould()
        .callMethod(Runtime.class, "halt", int.class)
        .check(PRODUCT);
  }

  private static DescribedPredicate<JavaClass> haveAMainMethod() {
    return describe(
        "have a main method",
        type ->
            type.tryGetMethod("main", String[].class)
                .filter(main -> main.getModifiers().contains(JavaModifier.STATIC))
                .isPresent());
  }

  @Test
  void nobodyLogsPastSlf4j() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.util.logging..", "org.apache.commons.logging..", "org.apache.log4j..")
        .check(PRODUCT);
  }

  /** Hadoop's client brings slf4j 1.7, which has no fluent calls. */
  @Test
  void clientsDoNotLogWithFluentCalls() {
    noClasses()
        .that()
        .resideInAnyPackage(BASE + "drfs..", BASE + "erasurecode..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.slf4j.spi..", "org.slf4j.event..")
        .check(PRODUCT);
  }

  /** A job that only tests run is one that no cluster ever sees. */
  @Test
  void everyJobIsRunByTheDaemon() {
    List<JavaClass> jobs =
        PRODUCT.stream()
            .filter(type -> type.getPackageName().matches(BASE + "(raidnode|recency).*"))
            .filter(type -> type.getSimpleName().matches("\\w+Job|Recency"))
            .toList();
    Set<String> uncalled =
        jobs.stream()
            .flatMap(type -> type.getMethods().stream())
            .filter(method -> method.getName().matches("run|follow|watch"))
            .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
            .filter(method -> method.getAccessesToSelf().stream().noneMatch(this::isOfTheDaemon))
            .map(JavaMethod::getFullName)
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(jobs).as("jobs of the daemon").hasSizeGreaterThan(10);
    assertThat(uncalled).isEmpty();
  }

  private boolean isOfTheDaemon(JavaAccess<?> access) {
    JavaClass caller = access.getOriginOwner();
    return caller.getPackageName().startsWith(BASE + "raidnode")
        && !caller.equals(access.getTargetOwner());
  }

  @Test
  void noTestCodeIsTakenForTheProduct() {
    assertThat(PRODUCT.stream().map(JavaClass::getPackageName))
        .isNotEmpty()
        .noneMatch(name -> name.startsWith("io.hdfsraid.tests"));
  }

  /** A module that has none yet is under construction. */
  private static boolean hasMainClass(String module) {
    return PRODUCT.stream()
        .filter(JavaClass.Predicates.resideInAPackage(BASE + module + ".."))
        .anyMatch(haveAMainMethod());
  }

  private static void assumeHasSources(Module module) {
    assumeTrue(hasSources(module.name), module + " has no class yet");
  }

  /** Of a package such as {@code raidnode.rest}, below the base package. */
  private static boolean hasSources(String name) {
    String module = name.split("\\.", 2)[0];
    Path sources =
        Path.of("..", module, "src", "main", "java", "io", "hdfsraid")
            .resolve(name.replace('.', '/'));
    if (!Files.isDirectory(sources)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(sources)) {
      return files
          .map(file -> file.getFileName().toString())
          .anyMatch(file -> file.endsWith(".java") && !file.equals("package-info.java"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
