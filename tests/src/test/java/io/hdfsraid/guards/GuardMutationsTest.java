// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.guards;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.pitest.mutationtest.DetectionStatus;
import org.pitest.mutationtest.MutationResult;
import org.pitest.mutationtest.config.PluginServices;
import org.pitest.mutationtest.config.ReportOptions;
import org.pitest.mutationtest.engine.gregor.config.GregorEngineFactory;
import org.pitest.mutationtest.tooling.AnalysisResult;
import org.pitest.mutationtest.tooling.EntryPoint;
import org.pitest.testapi.TestGroupConfig;
import org.pitest.util.Glob;
import org.pitest.util.Verbosity;

/**
 * PIT takes out one guard after another, and a test that the guard's line names fails each time.
 * {@code -Dguards=Raider|.*Job} tries those in the classes whose names match.
 */
@Tag("full")
@Tag("alone")
class GuardMutationsTest {
  private static final List<DetectionStatus> NOTICED =
      List.of(DetectionStatus.KILLED, DetectionStatus.TIMED_OUT, DetectionStatus.MEMORY_ERROR);

  private static final Mutants MUTANTS = new Mutants(Mutants.compiledClasses());

  static List<Guard> guards() {
    String classes = System.getProperty("guards", ".*");
    return Guard.all().stream().filter(guard -> guard.type().matches(classes)).toList();
  }

  @BeforeAll
  static void takeThemOut(@TempDir Path reports) throws Exception {
    Map<String, String> fullNames = MUTANTS.fullNames();
    Stream<String> classes = guards().stream().map(guard -> fullNames.get(guard.type())).distinct();
    Stream<String> tests = guards().stream().flatMap(guard -> guard.testClasses().stream());
    ReportOptions options = new ReportOptions();
    options.setReportDir(reports.toString());
    options.setShouldCreateTimestampedReports(false);
    options.addOutputFormats(List.of(GuardResults.NAME));
    options.setClassPathElements(classPathWithAllTests());
    options.setCodePaths(Mutants.compiledClasses().stream().map(Path::toString).toList());
    options.setSourceDirs(List.of(project()));
    options.setTargetClasses(classes.flatMap(name -> Stream.of(name, name + "$*")).toList());
    options.setTargetTests(Glob.toGlobPredicates(tests.map("*."::concat).distinct().toList()));
    options.setGroupConfig(new TestGroupConfig().withExcludedGroups("full"));
    options.setMutationEngine(new GregorEngineFactory().name());
    options.setMutators(Mutants.MUTATORS);
    options.setNumberOfThreads(2);
    options.setTimeoutConstant(20_000);
    options.setTimeoutFactor(2);
    options.setSkipFailingTests(true);
    options.setVerbosity(Verbosity.NO_SPINNER);
    options.addChildJVMArgs(
        List.of(
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx1g", NamedTests.IN_PROCESS_OF_PIT));
    File folderOfTests = project().resolve("raidnode").toFile();
    AnalysisResult result =
        new EntryPoint()
            .execute(folderOfTests, options, PluginServices.makeForContextLoader(), Map.of());
    if (result.getError().isPresent()) {
      throw result.getError().get();
    }
  }

  private static Path project() {
    return Path.of("..").toAbsolutePath().normalize();
  }

  private static List<String> classPathWithAllTests() throws IOException {
    try (Stream<Path> modules = Files.list(project())) {
      Stream<String> tests =
          modules
              .map(module -> module.resolve("target/test-classes"))
              .filter(Files::isDirectory)
              .map(Path::toString);
      return Stream.concat(Mutants.classPath().stream(), tests).distinct().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("guards")
  void aTestFailsWhenItIsTakenOut(Guard guard) {
    List<MutationResult> taken =
        GuardResults.FOUND.stream().filter(result -> guard.isAbout(mutant(result))).toList();

    assertThat(taken).as("what PIT took out for %s", guard).isNotEmpty();
    assertThat(taken)
        .as("%s", guard)
        .allSatisfy(
            result ->
                assertThat(result.getStatus())
                    .as(
                        "line %d: %s",
                        result.getDetails().getLineNumber(), result.getDetails().getDescription())
                    .isIn(NOTICED));
  }

  private static Mutants.Mutant mutant(MutationResult result) {
    String name = result.getDetails().getClassName().asJavaName();
    return Mutants.describe(result.getDetails(), MUTANTS.tree(name));
  }
}
