// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidnode.RaidNode;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The daemon as a process of its own, started as {@code bin/raidnode start} does it. */
public final class DaemonProcess implements AutoCloseable {
  private static final Pattern READY =
      Pattern.compile("RaidNode is ready: REST on (\\S+)/api/v1, metrics on (\\S+)/metrics");

  /** What belongs to the HDFS of tests, or to the tests: the daemon has to do without. */
  private static final List<String> NOT_DELIVERED =
      List.of(
          "hadoop-client-minicluster",
          "embedded/target/",
          "hdfs-raid-embedded",
          "rescue/target/",
          "hdfs-raid-rescue",
          "demo/target/",
          "hdfs-raid-demo",
          "bench/target/",
          "hdfs-raid-bench",
          "sqlite-jdbc",
          "/org/apache/kerby/",
          "test-classes",
          "-tests.jar");

  private static final Pattern STANDBY =
      Pattern.compile("The daemon stands by; REST sends to the active daemon on (\\S+)/api/v1");

  private static final Pattern SEVERAL =
      Pattern.compile("RaidNode guards .*: REST on (\\S+)/ns/NAME/api/v1");

  private final Path conf;
  private final Process process;
  private final Path output;

  private DaemonProcess(Path conf, Process process, Path output) {
    this.conf = conf;
    this.process = process;
    this.output = output;
  }

  /**
   * Starts it; it may not be ready yet, and may never be.
   *
   * @param conf the folder of {@code raidnode.yml} and {@code policies.yml}
   * @param hadoopConf as in {@code HADOOP_CONF_DIR}; empty: not set
   */
  public static DaemonProcess launch(
      Path conf, Optional<Path> hadoopConf, Map<String, String> environment) throws IOException {
    return launch(conf, hadoopConf, environment, "start");
  }

  /** Runs a command of {@code bin/raidnode}, such as {@code status}. */
  static DaemonProcess launch(
      Path conf, Optional<Path> hadoopConf, Map<String, String> environment, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add("-Dhdfsraid.conf=" + conf);
    command.add("-cp");
    command.add(
        String.join(
            File.pathSeparator,
            Stream.concat(hadoopConf.map(Path::toString).stream(), delivered()).toList()));
    command.add(RaidNode.class.getName());
    command.addAll(List.of(arguments));
    Path output = Files.createTempFile(conf, "daemon", ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    return new DaemonProcess(conf, builder.start(), output);
  }

  /** Starts it and waits until it is ready. */
  static DaemonProcess start(Path conf, Path hadoopConf) throws Exception {
    DaemonProcess daemon = launch(conf, Optional.of(hadoopConf), Map.of());
    Until.holds(() -> daemon.ready().isPresent() || !daemon.process.isAlive(), daemon::output);
    if (daemon.ready().isEmpty()) {
      throw new AssertionError("The daemon ended: " + daemon.output());
    }
    return daemon;
  }

  private static Stream<String> delivered() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> NOT_DELIVERED.stream().noneMatch(entry::contains));
  }

  /** Exit code, once it has ended by itself. */
  int exitCode() {
    try {
      if (!process.waitFor(90, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("It does not end: " + output());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new AssertionError("Interrupted", e);
    }
  }

  /** It ended by itself, with EX_TEMPFAIL and one line that says all this, and no stack trace. */
  void assertRefused(String... words) {
    assertThat(exitCode()).as(this::output).isEqualTo(75);
    assertThat(output().lines().filter(line -> line.startsWith("raidnode: ")))
        .as(this::output)
        .singleElement()
        .asString()
        .contains(words);
    assertNoStackTrace();
  }

  void assertNoStackTrace() {
    assertThat(output()).doesNotContain("\tat ", "! at ");
  }

  /** What it wrote to standard output and standard error. */
  public String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  URI address() {
    return URI.create(ready().orElseThrow().group(1));
  }

  /** Where the daemon of one of several nameservices answers. */
  URI addressOf(String nameservice) {
    return URI.create(last(SEVERAL).orElseThrow().group(1) + "/ns/" + nameservice);
  }

  URI adminAddress() {
    return URI.create(ready().orElseThrow().group(2));
  }

  public RaidNodeClient client() {
    return RaidNodeClient.at(address());
  }

  /** Where it answers while it stands by. */
  Optional<URI> standbyAddress() {
    return last(STANDBY).map(found -> URI.create(found.group(1)));
  }

  /** How often it has begun to stand by. */
  public long standbys() {
    return STANDBY.matcher(output()).results().count();
  }

  /** How often it has become the active daemon. */
  public long starts() {
    return READY.matcher(output()).results().count();
  }

  /** Whether it last said that it is the active daemon. */
  public boolean isActive() {
    int since = ready().map(MatchResult::start).orElse(-1);
    return since > last(STANDBY).map(MatchResult::start).orElse(-1);
  }

  private Optional<MatchResult> ready() {
    return last(READY);
  }

  private Optional<MatchResult> last(Pattern pattern) {
    return pattern.matcher(output()).results().reduce((former, next) -> next);
  }

  /** The folder of its configuration. */
  Path conf() {
    return conf;
  }

  long pid() {
    return process.pid();
  }

  /** As by {@code kill -9}. */
  public void kill() {
    process.destroyForcibly();
    exitCode();
  }

  /** Stops all threads where they are, as by {@code kill -STOP}. */
  public void freeze() throws IOException, InterruptedException {
    signal("-STOP");
  }

  /** Lets all threads go on. */
  public void thaw() throws IOException, InterruptedException {
    signal("-CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    int exit = new ProcessBuilder("kill", name, Long.toString(pid())).start().waitFor();
    assertThat(exit).isZero();
  }

  /** As by {@code kill}; returns when it has ended. */
  @Override
  public void close() {
    process.destroy();
    exitCode();
  }
}
