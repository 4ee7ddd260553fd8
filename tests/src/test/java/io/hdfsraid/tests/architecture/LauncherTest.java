// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hdfsraid.raidshell.RaidShell;
import io.hdfsraid.rescue.RescueCommands;
import io.hdfsraid.rescue.manual.Manual;
import io.hdfsraid.tests.daemon.Until;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/**
 * The scripts of {@code bin/}, on machines where something is missing: Java and Maven are scripts
 * of a few lines here.
 */
class LauncherTest {
  private static final List<String> TOOLS =
      List.of(
          "awk",
          "basename",
          "cat",
          "cksum",
          "df",
          "dirname",
          "find",
          "flock",
          "head",
          "mkdir",
          "mv",
          "nice",
          "readlink",
          "rm",
          "sed",
          "sh",
          "sleep",
          "tail",
          "touch",
          "tr");

  @TempDir static Path generated;
  @TempDir Path machine;
  private Path home;
  private Path path;
  private final Map<String, String> environment = new TreeMap<>();

  record Outcome(int exitCode, String out, String err) {
    List<String> lines() {
      return out.lines().toList();
    }
  }

  @BeforeAll
  static void generate() throws IOException {
    Manual.main(new String[] {generated.toString(), "9.8"});
  }

  @BeforeEach
  void aMachineWithNothingButUnix() throws IOException {
    home = Files.createDirectories(machine.resolve("a home/hdfs-raid"));
    path = Files.createDirectories(machine.resolve("path"));
    for (String tool : TOOLS) {
      for (String directory : List.of("/usr/bin", "/bin")) {
        Path real = Path.of(directory, tool);
        if (Files.exists(real) && !Files.exists(path.resolve(tool))) {
          Files.createSymbolicLink(path.resolve(tool), real);
        }
      }
    }
    Files.createDirectories(home.resolve("bin"));
    for (String script : List.of("raidnode", "raidshell", "bench", "launcher.sh")) {
      Files.copy(Path.of("..", "bin", script), home.resolve("bin").resolve(script));
    }
    environment.put("PATH", path.toString());
    environment.put("HOME", machine.toString());
    environment.put("HDFS_RAID_MIN_FREE_MB", "1");
    environment.put("HDFS_RAID_FAST_START", "no");
  }

  @Test
  void theTarballRunsWithAJavaRuntimeAndPassesArgumentsOn() throws Exception {
    tarball();
    java("17.0.15");

    Outcome outcome = run("raidnode", "start", "--name", "two words");

    assertThat(outcome.exitCode).as(outcome.err).isZero();
    assertThat(outcome.lines())
        .containsSubsequence(
            "[-Dhdfsraid.home=" + home.toRealPath() + "]",
            "[io.hdfsraid.raidnode.RaidNode]",
            "[start]",
            "[--name]",
            "[two words]");
    assertThat(outcome.err).isEmpty();
  }

  @Test
  void optionsForJavaAreSplitAtBlanks() throws Exception {
    tarball();
    java("17.0.15");
    environment.put("RAIDNODE_OPTS", "-Xmx1g -Da=b");
    environment.put("RAIDSHELL_OPTS", "-Xmx2g");

    assertThat(run("raidnode", "start").lines()).contains("[-Xmx1g]", "[-Da=b]");
    assertThat(run("raidshell", "status").lines())
        .contains("[-Xmx2g]", "[io.hdfsraid.raidshell.RaidShell]");
  }

  @Test
  void kerberosIsConfiguredAsForOtherPrograms() throws Exception {
    tarball();
    java("17.0.15");
    String option = "[-Djava.security.krb5.conf=";
    assertThat(run("raidnode", "check").out).doesNotContain(option);
    environment.put("KRB5_CONFIG", "/a folder/krb5.conf");

    assertThat(run("raidnode", "check").lines()).contains(option + "/a folder/krb5.conf]");
    assertThat(run("raidshell", "status").lines()).contains(option + "/a folder/krb5.conf]");
  }

  @ParameterizedTest
  @CsvSource({"17.0.15,false", "21-ea,false", "25.0.3,true"})
  void javaIsTakenFrom17OnAndANewOneIsToldNotToWarn(String version, boolean told) throws Exception {
    tarball();
    java(version);

    Outcome outcome = run("raidnode", "start");

    assertThat(outcome.exitCode).isZero();
    assertThat(outcome.out.contains("[--enable-native-access=ALL-UNNAMED]")).isEqualTo(told);
  }

  @ParameterizedTest
  @CsvSource({
    "raidnode,start,true",
    "raidnode,check,false",
    "raidnode,demo,false",
    "raidshell,bench codec,true",
    "raidshell,codecs,true",
    "raidshell,doctor,false",
    "raidshell,status,false"
  })
  void theVectorApiIsThereForWhatGainsByIt(String script, String command, boolean gains)
      throws Exception {
    tarball();
    Path bin = Files.createDirectories(machine.resolve("jdk/bin"));
    script(bin.resolve("java"), "for argument; do echo \"[$argument]\"; done");
    environment.put("JAVA_HOME", bin.getParent().toString());
    Path cpuinfo = Path.of("/proc/cpuinfo");
    boolean processor = Files.exists(cpuinfo) && Files.readString(cpuinfo).contains(" avx512vbmi ");

    for (String modules : List.of("java.base jdk.incubator.vector jdk.jcmd", "java.base")) {
      Files.writeString(
          bin.resolveSibling("release"),
          "JAVA_VERSION=\"17.0.15\"\nMODULES=\"%s\"\n".formatted(modules));

      Outcome outcome = run(script, command.split(" ", -1));

      assertThat(outcome.exitCode).as(outcome.err).isZero();
      assertThat(outcome.out.contains("[--add-modules]\n[jdk.incubator.vector]\n"))
          .as("with %s: %s", modules, outcome.out)
          .isEqualTo(gains && processor && modules.contains("vector"));
    }
  }

  @Test
  void onlyATerminalHasASize() throws Exception {
    Path terminal = Path.of("/usr/bin/script");
    assumeTrue(Files.exists(terminal), "nothing plays a terminal");
    tarball();
    java("17.0.15");
    Files.createSymbolicLink(path.resolve("stty"), Path.of("/usr/bin/stty"));
    Path onATerminal = machine.resolve("on-a-terminal");
    script(
        onATerminal,
        "exec %s -qec \"stty rows 30 cols 90; %s status\" /dev/null"
            .formatted(terminal, "sh '" + home.resolve("bin/raidshell") + "'"));

    assertThat(runFile(onATerminal.toString()).out)
        .contains("[-Dhdfsraid.columns=90]", "[-Dhdfsraid.rows=30]")
        .doesNotContain("hdfsraid.stderr-to-file");
    environment.put("COLUMNS", "70");
    assertThat(runFile(onATerminal.toString()).out).contains("[-Dhdfsraid.columns=70]");
    assertThat(run("raidshell", "status").out)
        .contains("[-Dhdfsraid.stderr-to-file=true]")
        .doesNotContain("hdfsraid.columns");
  }

  @ParameterizedTest
  @ValueSource(strings = {"raidnode", "raidshell"})
  void noJavaIsSaidInOneLine(String script) throws Exception {
    tarball();

    assertFails(
        run(script, "start"),
        script + ": No java found: install a JDK 17 or newer and put it into PATH or JAVA_HOME.");
  }

  @Test
  void aWrongJavaHomeIsSaidInOneLineAlthoughPathHasAJava() throws Exception {
    tarball();
    java("17.0.15");
    environment.put("JAVA_HOME", "/no/such/jdk");

    assertFails(run("raidnode", "start"), "raidnode: JAVA_HOME is /no/such/jdk, but there is no");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.8.0_392", "11.0.2", "16"})
  void anOldJavaIsSaidInOneLine(String version) throws Exception {
    tarball();
    java(version);

    assertFails(
        run("raidnode", "start"),
        "is Java " + version + ", but HDFS-RAID needs 17 or newer: set JAVA_HOME");
  }

  @Test
  void aBuildWithoutJavacIsRefusedInOneLine() throws Exception {
    checkout();
    java("17.0.15");

    assertFails(run("raidnode", "start"), "is a Java runtime without javac: the build needs a JDK");
    Path runtime = Files.createDirectories(machine.resolve("jre/bin"));
    Files.move(path.resolve("java"), runtime.resolve("java"));
    environment.put("JAVA_HOME", machine.resolve("jre").toString());
    assertFails(run("raidnode", "start"), "a Java runtime without javac: the build needs a JDK");
  }

  @Test
  void aFullDiskIsSaidInOneLine() throws Exception {
    environment.put("HDFS_RAID_MIN_FREE_MB", "2000000000");
    tarball();
    java("17.0.15");

    assertFails(run("raidnode", "demo"), "The demo needs 2000000000 MB of free disk space, but");
    assertThat(run("raidnode", "start").exitCode).as("needs no space of its own").isZero();
    checkout();
    assertFails(run("raidnode", "start"), "The build needs 2000000000 MB of free disk space, but");
  }

  @Test
  void aFailedBuildShowsItsLastLinesAndWhereTheOthersAre() throws Exception {
    checkout();
    java("17.0.15");
    javac();
    script(
        home.resolve("mvnw"),
        "for i in 1 2 3 4 5 6 7 8 9; do echo line $i.1; echo line $i.2; echo line $i.3; done",
        "exit 1");

    Outcome outcome = run("raidnode", "start");

    assertThat(outcome.exitCode).isNotZero();
    assertThat(outcome.err)
        .contains("line 9.3", "The build failed", "dist/target/build.log")
        .doesNotContain("line 1.1");
    assertThat(home.resolve("dist/target/build.log")).content().contains("line 1.1");
    assertThat(run("raidnode", "start").exitCode).as("again").isNotZero();
  }

  @Test
  void aCheckoutIsBuiltOnceAndAgainWhenASourceIsNewer() throws Exception {
    checkout();
    java("17.0.15");
    javac();

    Outcome first = run("raidnode", "start");
    assertThat(first.exitCode).as(first.err).isZero();
    assertThat(first.err).contains("Building HDFS-RAID (first run: a few minutes)");
    assertThat(first.out).contains("[io.hdfsraid.raidnode.RaidNode]");
    assertThat(run("raidnode", "start").err).isEmpty();
    assertThat(run("raidshell", "status").err).isEmpty();

    Path stamp = home.resolve("dist/target/built");
    Path source = home.resolve("raidnode/src/main/java/A.java");
    age(stamp, 50);
    age(source, 40);
    assertThat(run("raidnode", "start").err).contains("sources have changed");
    assertThat(run("raidnode", "start").err).isEmpty();

    age(stamp, 30);
    Files.delete(source);
    assertThat(run("raidnode", "start").err).as("deleted").contains("sources have changed");

    age(source.getParent(), 40);
    age(stamp, 30);
    age(home.resolve("raidnode/pom.xml"), 20);
    age(Files.createFile(home.resolve("dist/target/hdfs-raid-9.8.tar.gz")), 10);
    assertThat(run("raidnode", "start").err).as("built by Maven").isEmpty();
  }

  @Test
  void theClassPathOfTheDaemonHasNoOtherProgramsAndThatOfTheDemoHasTheRightOrder()
      throws Exception {
    tarball();
    java("17.0.15");
    environment.put("HADOOP_CONF_DIR", "/etc/hadoop/conf");

    assertThat(run("raidnode", "--print-classpath", "start").lines())
        .map(LauncherTest::fileName)
        .containsExactly(
            "conf", "hadoop-hdfs-1.jar", "hdfs-raid-raidnode-1.jar", "hdfs-raid-raidshell-1.jar");
    assertThat(run("raidnode", "--print-classpath", "demo").lines())
        .map(LauncherTest::fileName)
        .containsExactly(
            "hdfs-raid-embedded-1.jar",
            "hadoop-client-minicluster-1.jar",
            "hdfs-raid-demo-1.jar",
            "hdfs-raid-rescue-1.jar",
            "hadoop-hdfs-1.jar",
            "hdfs-raid-raidnode-1.jar",
            "hdfs-raid-raidshell-1.jar");
  }

  @ParameterizedTest
  @MethodSource("workingCommands")
  void commandsThatNeedHdfsHaveTheRescueJarsAndNeverTheMiniCluster(String command)
      throws Exception {
    tarball();
    java("17.0.15");
    environment.put("HADOOP_CONF_DIR", "/etc/hadoop/conf");

    assertThat(classPathOf(command))
        .containsExactly(
            "conf",
            "hdfs-raid-rescue-1.jar",
            "hadoop-hdfs-1.jar",
            "hdfs-raid-raidnode-1.jar",
            "hdfs-raid-raidshell-1.jar");
    assertThat(run("raidshell", command.split(" ", -1)).lines())
        .doesNotContain("[-XX:TieredStopAtLevel=1]");
  }

  /** What is in another jar is not there unless the launcher knows its name. */
  static Stream<String> workingCommands() {
    RescueCommands rescue = new RescueCommands();
    return Stream.of(
            Stream.of("", "help", "status --help", "fsck --offline /a", "histogram --fsimage f"),
            Stream.of("histogram --fsimage=f", "no-such-command", "--json codecs"),
            rescue.commands().stream().flatMap(LauncherTest::names),
            rescue.subcommands().entrySet().stream()
                .flatMap(
                    parent ->
                        parent.getValue().stream()
                            .flatMap(LauncherTest::names)
                            .map(child -> parent.getKey() + " " + child)))
        .flatMap(each -> each);
  }

  private static Stream<String> names(Object command) {
    CommandLine.Command named = command.getClass().getAnnotation(CommandLine.Command.class);
    return Stream.concat(Stream.of(named.name()), Stream.of(named.aliases()));
  }

  @ParameterizedTest
  @MethodSource("askingCommands")
  void commandsThatAskTheDaemonStartFast(String command) throws Exception {
    tarball();
    java("17.0.15");
    environment.put("HADOOP_CONF_DIR", "/etc/hadoop/conf");

    assertThat(classPathOf(command)).containsExactly("hdfs-raid-raidshell-1.jar");
    assertThat(run("raidshell", command.split(" ", -1)).lines())
        .contains("[-XX:TieredStopAtLevel=1]");
  }

  static Stream<String> askingCommands() throws IOException {
    Set<String> names = new TreeSet<>(RaidShell.commandNames());
    names.remove("help");
    assertThat(names).contains("status").hasSizeGreaterThan(20);
    return names.stream().flatMap(name -> Stream.of(name, "--json " + name + " /a"));
  }

  private List<String> classPathOf(String command) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("--print-classpath"));
    Stream.of(command.split(" ", -1)).filter(word -> !word.isEmpty()).forEach(arguments::add);
    Outcome outcome = run("raidshell", arguments.toArray(String[]::new));
    assertThat(outcome.exitCode).as(outcome.err).isZero();
    return outcome.lines().stream().map(LauncherTest::fileName).toList();
  }

  @Test
  void theFirstCommandMakesAnArchiveOfClassesForTheNextOnes() throws Exception {
    tarball();
    environment.remove("HDFS_RAID_FAST_START");
    script(
        path.resolve("java"),
        "if [ \"$1\" = -version ]; then echo 'openjdk version \"17.0.15\" 2025' >&2; exit; fi",
        "for argument; do",
        "  case $argument in -XX:SharedArchiveFile=*.new) echo x >\"${argument#*=}\" ;; esac",
        "  echo \"[$argument]\"",
        "done");

    Outcome first = run("raidshell", "status");

    assertThat(first.exitCode).as(first.err).isZero();
    assertThat(first.out + first.err).doesNotContain("SharedArchiveFile");
    Path untilMade = home.resolve("until-made");
    script(
        untilMade,
        "cd '" + home.resolve("lib") + "'",
        "until [ -s raidshell-*.jsa ] && ! [ -e raidshell-*.lock ]; do sleep 0.05; done");
    assertThat(runFile(untilMade.toString()).exitCode).isZero();
    assertThat(run("raidshell", "status").out).contains("[-XX:SharedArchiveFile=" + home);
    assertThat(run("raidshell", "codecs").out).doesNotContain("SharedArchiveFile");
  }

  @Test
  void theBenchmarksAreBuiltInACheckoutAndDoNotReadTheConfigurationOfAnyHdfs() throws Exception {
    checkout();
    java("17.0.15");
    javac();
    environment.put("HADOOP_CONF_DIR", "/etc/hadoop/conf");

    Outcome classPath = run("bench", "--print-classpath");

    assertThat(classPath.err).contains("Building HDFS-RAID (first run: a few minutes)");
    assertThat(classPath.lines())
        .map(LauncherTest::fileName)
        .containsExactly("hdfs-raid-bench-9.8.jar", "embedded.jar", "sqlite.jar");
    Outcome outcome = run("bench", "codec", "--quick");
    assertThat(outcome.err).as("built already").isEmpty();
    assertThat(outcome.lines())
        .containsSubsequence("[io.hdfsraid.bench.Bench]", "[codec]", "[--quick]");
  }

  @Test
  void theTarballSaysWhereTheBenchmarksAre() throws Exception {
    tarball();
    java("17.0.15");

    assertFails(
        run("bench", "codec"),
        "The benchmarks are not part of the tarball: run bin/bench in a checkout of the sources.");
  }

  @Test
  void aDaemonInTheBackgroundLogsToAFileAndIsWaitedFor() throws Exception {
    tarball();
    java("17.0.15");

    Outcome outcome = run("raidnode", "start", "--daemon", "my.yml");

    assertThat(outcome.exitCode).as(outcome.err).isZero();
    assertThat(outcome.lines())
        .as("what the second process is asked")
        .containsSubsequence("[status]", "[--await]", "[my.yml]")
        .doesNotContain("[start]", "[--daemon]")
        .last()
        .isEqualTo("It logs to " + home.toRealPath() + "/data/raidnode.log");
    Until.holds(() -> daemonLog().contains("[my.yml]"), this::daemonLog);
    assertThat(daemonLog().lines())
        .containsSubsequence("[io.hdfsraid.raidnode.RaidNode]", "[start]", "[my.yml]")
        .doesNotContain("[--daemon]");
  }

  private String daemonLog() {
    try {
      return Files.readString(home.resolve("data/raidnode.log"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aDaemonInTheBackgroundThatEndsShowsTheEndOfItsLogAndItsExitCode() throws Exception {
    tarball();
    script(
        path.resolve("java"),
        "if [ \"$1\" = -version ]; then echo 'openjdk version \"17.0.15\" 2025' >&2; exit; fi",
        "case $* in",
        "  *' start'*) echo a port is taken; exit 75;;",
        "  *) exit 3;;",
        "esac");

    Outcome outcome = run("raidnode", "start", "--daemon");

    assertThat(outcome.exitCode).as(outcome.err).isEqualTo(75);
    assertThat(outcome.err).endsWith("a port is taken\n");
  }

  /** With real jars, of which one may lie where the daemon and the shell do not look. */
  @Test
  void whatIsDeliveredHasAllThatItsProgramsNeed() throws Exception {
    Path delivered = delivered();
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Files.createSymbolicLink(path.resolve("java"), java);
    environment.put("HDFS_RAID_CONF_DIR", withFreePorts(delivered.resolve("conf")).toString());

    Outcome check = runFile(delivered.resolve("bin/raidnode").toString(), "check");
    Outcome status =
        runFile(
            delivered.resolve("bin/raidshell").toString(), "status", "--url", "http://127.0.0.1:1");

    assertThat(delivered.resolve("man/man1/raidshell.1")).content().startsWith(".TH RAIDSHELL 1");
    assertThat(delivered.resolve("man/man1/raidnode.1")).exists();
    assertThat(delivered.resolve("completion/raidshell.bash")).exists();
    assertThat(delivered.resolve("completion/_raidshell")).exists();
    assertThat(check.exitCode).as(check.err).isZero();
    assertThat(status.exitCode).as(status.err).isEqualTo(2);
    assertThat(status.err).contains("http://127.0.0.1:1").doesNotContain("Exception");
  }

  @Test
  void whatIsDeliveredNamesTheLicencesOfAllItsLibraries() throws IOException {
    Path delivered = delivered();
    String listed = Files.readString(delivered.resolve("THIRD-PARTY.txt"));

    try (Stream<Path> files = Files.walk(delivered.resolve("lib"))) {
      assertThat(files.filter(file -> file.toString().endsWith(".jar")))
          .hasSizeGreaterThan(100)
          .map(file -> fileName(file.toString()).replaceFirst("\\.jar$", ""))
          .filteredOn(name -> !name.startsWith("hdfs-raid-"))
          .allSatisfy(
              name ->
                  assertThat(listed.lines())
                      .as(name)
                      .anyMatch(line -> line.contains(":" + withColon(name) + " ")));
    }
    assertThat(delivered.resolve("NOTICE")).exists();
    assertThat(delivered.resolve("hdfs-raid.cdx.json")).content().contains("\"CycloneDX\"");
    assertThat(delivered.resolve("licenses/jersey-server-jar/META-INF/NOTICE.md")).exists();
  }

  /** For example: snakeyaml:2.5. */
  private static String withColon(String artifact) {
    return artifact.replaceFirst("-(?=\\d)", ":");
  }

  /** Somebody may use the ports of the delivered configuration on this machine. */
  private Path withFreePorts(Path conf) throws IOException {
    Path copy = Files.createDirectory(machine.resolve("conf"));
    Files.copy(conf.resolve("policies.yml"), copy.resolve("policies.yml"));
    Files.writeString(
        copy.resolve("raidnode.yml"),
        Files.readString(conf.resolve("raidnode.yml")).replaceAll("port: 809[01]", "port: 0"));
    return copy;
  }

  @Test
  void whatIsDeliveredKeepsTheMiniClusterAwayFromTheDaemon() throws Exception {
    Path delivered = delivered();
    java("17.0.15");
    String raidnode = delivered.resolve("bin/raidnode").toString();

    List<String> daemon = runFile(raidnode, "--print-classpath", "start").lines();
    List<String> demo = runFile(raidnode, "--print-classpath", "demo").lines();

    assertThat(daemon)
        .hasSizeGreaterThan(50)
        .allSatisfy(
            jar -> assertThat(jar).doesNotContain("minicluster", "embedded", "rescue/", "demo/"))
        .allSatisfy(
            jar -> {
              try (JarFile file = new JarFile(jar)) {
                assertThat(file.getEntry("org/apache/hadoop/hdfs/MiniDFSCluster.class")).isNull();
              }
            });
    List<String> shell =
        runFile(delivered.resolve("bin/raidshell").toString(), "--print-classpath").lines();
    assertThat(shell)
        .containsAll(daemon)
        .hasSizeGreaterThan(daemon.size())
        .allSatisfy(jar -> assertThat(jar).doesNotContain("minicluster", "embedded", "demo/"));
    assertThat(demo)
        .as("the benchmarks and their libraries are not delivered")
        .allSatisfy(jar -> assertThat(jar).doesNotContain("sqlite", "hdfs-raid-bench"));
    assertThat(delivered.resolve("bin/bench")).doesNotExist();
    assertThat(demo).containsAll(shell).hasSizeGreaterThan(shell.size());
    assertThat(demo.get(0)).contains("hdfs-raid-embedded");
    assertThat(demo)
        .map(LauncherTest::fileName)
        .map(name -> name.replaceAll("-[0-9][0-9.]*.*", ""))
        .as("one version of each library")
        .doesNotHaveDuplicates();
  }

  private static String fileName(String entry) {
    return Path.of(entry).getFileName().toString();
  }

  private static void assertFails(Outcome outcome, String reason) {
    assertThat(outcome.exitCode).as(outcome.out + outcome.err).isNotZero();
    assertThat(outcome.err.lines().toList()).hasSize(1);
    assertThat(outcome.err).contains(reason);
    assertThat(outcome.out).isEmpty();
  }

  private void tarball() throws IOException {
    jars(home.resolve("lib"));
  }

  private static void jars(Path lib) throws IOException {
    Files.createDirectories(lib.resolve("rescue"));
    Files.createDirectories(lib.resolve("demo"));
    Files.copy(generated.resolve("lib/raidshell.words"), lib.resolve("raidshell.words"));
    for (String name :
        List.of(
            "hdfs-raid-raidnode-1",
            "hdfs-raid-raidshell-1",
            "hadoop-hdfs-1",
            "rescue/hdfs-raid-rescue-1",
            "demo/hadoop-client-minicluster-1",
            "demo/hdfs-raid-embedded-1",
            "demo/hdfs-raid-demo-1")) {
      Files.createFile(lib.resolve(name + ".jar"));
    }
  }

  /** A checkout whose Maven "builds" by making the folder that the assembly makes. */
  private void checkout() throws IOException {
    Files.createDirectories(home.resolve("raidnode/src/main/java"));
    Files.createFile(home.resolve("raidnode/src/main/java/A.java"));
    Files.createFile(home.resolve("raidnode/pom.xml"));
    Files.createDirectories(home.resolve("conf"));
    Files.writeString(
        home.resolve("pom.xml"),
        "<project>\n  <artifactId>hdfs-raid</artifactId>\n  <version>9.8</version>\n</project>\n");
    String lib = "dist/target/hdfs-raid-9.8/lib";
    script(
        home.resolve("mvnw"),
        "mkdir -p " + lib + "/rescue " + lib + "/demo bench/target",
        "touch " + lib + "/hdfs-raid-raidnode-9.8.jar " + lib + "/hdfs-raid-raidshell-9.8.jar",
        "touch " + lib + "/rescue/hdfs-raid-rescue-9.8.jar",
        "touch bench/target/hdfs-raid-bench-9.8.jar",
        "echo /m2/embedded.jar:/m2/sqlite.jar >bench/target/classpath");
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file : files.toList()) {
        age(file, 60);
      }
    }
  }

  private static void age(Path file, int seconds) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(seconds)));
  }

  /** Prints its arguments, each in brackets. */
  private void java(String version) throws IOException {
    script(
        path.resolve("java"),
        "if [ \"$1\" = -version ]; then echo 'openjdk version \""
            + version
            + "\" 2025' >&2; exit; fi",
        "for argument; do echo \"[$argument]\"; done");
  }

  private void javac() throws IOException {
    script(path.resolve("javac"), "exit 1");
  }

  private static void script(Path file, String... lines) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static Path delivered() throws IOException {
    Path target = Path.of("..", "dist", "target");
    assumeTrue(Files.isDirectory(target), "nothing is delivered before the phase `package`");
    try (Stream<Path> built = Files.list(target)) {
      Optional<Path> folder =
          built
              .filter(file -> file.getFileName().toString().matches("hdfs-raid-[0-9.]+"))
              .findFirst();
      assumeTrue(folder.isPresent(), "nothing is delivered before the phase `package`");
      return folder.get();
    }
  }

  private Outcome run(String script, String... arguments) throws Exception {
    return runFile(home.resolve("bin").resolve(script).toString(), arguments);
  }

  private Outcome runFile(String file, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("/bin/sh", file));
    command.addAll(List.of(arguments));
    Path out = machine.resolve("out");
    Path err = machine.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    Process process = builder.start();
    assertThat(process.waitFor(3, TimeUnit.MINUTES)).as("ends: %s", command).isTrue();
    return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
  }
}
