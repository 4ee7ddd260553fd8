// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.architecture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.hdfsraid.raidapi.version.Build;
import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.config.SettingsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is delivered: tarballs, the Debian package, and the container. */
class PackagesTest {
  private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
  private static final Path BUILT = PROJECT.resolve("dist/target");
  private static final String VERSION = Build.current().version();
  private static final Path DAEMON = BUILT.resolve("hdfs-raid-" + VERSION + ".tar.gz");
  private static final Path SHELL = BUILT.resolve("hdfs-raid-shell-" + VERSION + ".tar.gz");
  private static final Path DEMO = BUILT.resolve("hdfs-raid-demo-" + VERSION + ".tar.gz");
  private static final Path DEB = BUILT.resolve("hdfs-raid_" + VERSION + "_all.deb");
  private static final Path CONTAINER = PROJECT.resolve("dist/src/main/container");
  private static final double MB = 1e6;

  @TempDir Path folder;

  private record Outcome(int exitCode, String text) {}

  @BeforeEach
  void areBuilt() {
    assumeTrue(Files.exists(DEB), "there are no packages: they are made by the phase package");
  }

  private Outcome run(String... command) throws Exception {
    return run(Map.of(), command);
  }

  private Outcome run(Map<String, String> environment, String... command) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().putAll(environment);
    builder.environment().put("HDFS_RAID_FAST_START", "no");
    Process process = builder.start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("%s ends", List.of(command)).isTrue();
    return new Outcome(process.exitValue(), text);
  }

  private String succeed(String... command) throws Exception {
    Outcome outcome = run(command);
    assertThat(outcome.exitCode).as("%s: %s", List.of(command), outcome.text).isZero();
    return outcome.text;
  }

  private Path unpacked(Path tarball) throws Exception {
    succeed("tar", "-xzf", tarball.toString());
    String name = tarball.getFileName().toString().replace(".tar.gz", "").replace("-demo", "");
    return folder.resolve(name);
  }

  @Test
  void theyAreNoLargerThanTheyMustBe() throws Exception {
    // Hadoop's client is 50 of them, and RocksDB for two platforms 12.
    assertThat(Files.size(DAEMON) / MB).as("daemon and shell, MB").isLessThan(96);
    assertThat(Files.size(SHELL) / MB).as("the shell alone, MB").isLessThan(6);
    Path client = unpacked(DAEMON).resolve("lib/client");
    try (Stream<Path> jars = Files.list(client)) {
      assertThat(jars.toList())
          .singleElement()
          .satisfies(jar -> assertThat(Files.size(jar) / MB).isLessThan(0.6));
    }
  }

  @Test
  void theDaemonHasItsNativeLibraryAndTheDemoComesApart() throws Exception {
    Path home = unpacked(DAEMON);
    assertThat(home.resolve("lib/demo")).doesNotExist();
    Outcome demo = run(home.resolve("bin/raidnode").toString(), "demo");
    assertThat(demo.exitCode).isEqualTo(2);
    assertThat(demo.text).contains("unpack hdfs-raid-demo-*.tar.gz", home + "/lib/demo");
    // What looks like a catalog and is none: only RocksDB itself can tell.
    Path conf = Files.createDirectory(folder.resolve("conf"));
    Files.writeString(conf.resolve("raidnode.yml"), "catalog: {directory: c}");
    Files.writeString(conf.resolve("policies.yml"), "policies: []");
    Files.createDirectory(conf.resolve("c"));
    Files.createFile(conf.resolve("c/lock"));
    Files.writeString(conf.resolve("c/CURRENT"), "nothing\n");
    Outcome check =
        run(
            Map.of("HDFS_RAID_CONF_DIR", conf.toString()),
            home.resolve("bin/raidnode").toString(),
            "catalog",
            "check");
    assertThat(check.text).contains("cannot be read").doesNotContain("Exception", "Error");
    assertThat(check.exitCode).isEqualTo(75);

    unpacked(DEMO);
    assertThat(succeed(home.resolve("bin/raidnode").toString(), "--print-classpath", "demo"))
        .contains("lib/demo/hadoop-client-minicluster", "lib/demo/hdfs-raid-embedded");
  }

  @Test
  void theShellWorksAlone() throws Exception {
    Path home = unpacked(SHELL);
    String shell = home.resolve("bin/raidshell").toString();
    Path jar = home.resolve("lib/hdfs-raid-raidshell-" + VERSION + ".jar");
    try (JarFile file = new JarFile(jar.toFile())) {
      assertThat(file.getManifest().getMainAttributes().getValue("Class-Path").split(" ", -1))
          .hasSizeGreaterThan(5)
          .allSatisfy(name -> assertThat(home.resolve("lib").resolve(name)).exists());
    }

    Outcome status = run(shell, "status", "--url", "http://127.0.0.1:1");
    assertThat(status.text).contains("http://127.0.0.1:1").doesNotContain("Exception");
    assertThat(status.exitCode).isEqualTo(2);
    assertThat(succeed(shell, "help")).contains("status", "unraid");
    for (String[] command :
        List.of(new String[] {"doctor"}, new String[] {"fsck", "--offline", "/a"})) {
      List<String> words = new ArrayList<>(List.of(shell));
      words.addAll(List.of(command));
      Outcome refused = run(words.toArray(String[]::new));
      assertThat(refused.text).contains("This is the shell alone").doesNotContain("Exception");
      assertThat(refused.exitCode).isEqualTo(2);
    }
  }

  @Test
  void theDebianPackageHasEverythingInItsPlace() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/dpkg-deb")), "there is no dpkg");
    Path root = Files.createDirectory(folder.resolve("root"));
    succeed("dpkg-deb", "-x", DEB.toString(), root.toString());

    assertThat(Files.readSymbolicLink(root.resolve("usr/bin/raidnode")).toString())
        .isEqualTo("../lib/hdfs-raid/bin/raidnode");
    String unit = Files.readString(root.resolve("usr/lib/systemd/system/raidnode.service"));
    assertThat(unit)
        .contains(
            "User=hdfs-raid\n",
            "ExecStart=/usr/lib/hdfs-raid/bin/raidnode start\n",
            "ReadWritePaths=-/var/lib/hdfs-raid\n")
        .doesNotContain("/opt/", "Copy to");
    assertThat(succeed("dpkg-deb", "-f", DEB.toString(), "Version")).isEqualTo(VERSION + "\n");
    assertThat(succeed("dpkg-deb", "-I", DEB.toString(), "conffiles").lines())
        .containsExactlyInAnyOrder(
            "/etc/hdfs-raid/raidnode.yml", "/etc/hdfs-raid/policies.yml", "/etc/default/raidnode");
    Settings settings =
        SettingsFiles.read(root.resolve("etc/hdfs-raid/raidnode.yml"), Clock.systemUTC());
    assertThat(settings.catalogDirectory()).isEqualTo(Path.of("/var/lib/hdfs-raid/catalog"));
    assertThat(settings.tokensFile()).isEqualTo(Path.of("/var/lib/hdfs-raid/tokens.json"));
    assertThat(root.resolve("usr/share/doc/hdfs-raid/docs/install.md")).exists();
    assertThat(root.resolve("usr/lib/hdfs-raid/lib/demo")).doesNotExist();
  }

  /** In a folder of its own, by a dpkg that runs the scripts of the package there. */
  @Test
  @Tag("full")
  void theDebianPackageIsInstalledUpgradedAndPurged() throws Exception {
    for (String program : List.of("/usr/bin/dpkg", "/usr/bin/systemd-sysusers")) {
      assumeTrue(Files.isExecutable(Path.of(program)), program + " is not there");
    }
    assumeTrue(System.getProperty("user.name").equals("root"), "only root can give files away");
    Path root = Files.createDirectory(folder.resolve("root"));
    for (String each : List.of("var/lib/dpkg/info", "var/lib/dpkg/updates", "etc")) {
      Files.createDirectories(root.resolve(each));
    }
    Files.createFile(root.resolve("var/lib/dpkg/status"));
    Path conf = root.resolve("etc/hdfs-raid/policies.yml");
    Path data = root.resolve("var/lib/hdfs-raid");

    dpkg(root, "--install", former().toString());
    assertThat(conf).exists();
    assertThat(Files.readString(root.resolve("etc/passwd"))).contains("hdfs-raid:");
    assertThat(succeed("stat", "-c", "%a", data.toString())).isEqualTo("750\n");
    Files.writeString(conf, "policies: [] # mine\n");
    Files.writeString(data.resolve("tokens.json"), "kept");

    assertThat(dpkg(root, "--force-confdef", "--force-confold", "--install", DEB.toString()))
        .contains("Unpacking hdfs-raid (" + VERSION + ") over (0.0.1)")
        .doesNotContain("does not run yet");
    assertThat(conf).content().contains("# mine");
    assertThat(data.resolve("tokens.json")).content().isEqualTo("kept");

    assertThat(dpkg(root, "--remove", "hdfs-raid")).contains("nobody repairs them");
    assertThat(root.resolve("usr/lib/hdfs-raid")).doesNotExist();
    assertThat(conf).content().contains("# mine");
    assertThat(data).exists();

    dpkg(root, "--purge", "hdfs-raid");
    assertThat(conf.getParent()).doesNotExist();
    assertThat(data).doesNotExist();
  }

  private String dpkg(Path root, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                "dpkg",
                "--root=" + root,
                "--force-script-chrootless",
                "--force-depends",
                "--log=/dev/null"));
    command.addAll(List.of(arguments));
    return succeed(command.toArray(String[]::new));
  }

  /** Returns the same package, as if of a version before. */
  private Path former() throws Exception {
    Path tree = folder.resolve("former");
    succeed("dpkg-deb", "-R", DEB.toString(), tree.toString());
    Path control = tree.resolve("DEBIAN/control");
    Files.writeString(
        control, Files.readString(control).replace("Version: " + VERSION, "Version: 0.0.1"));
    Path former = folder.resolve("former.deb");
    succeed("dpkg-deb", "-Znone", "-b", tree.toString(), former.toString());
    return former;
  }

  @Test
  void theContainerRunsWithoutRightsAndItsConfigurationIsRight() throws Exception {
    String recipe = Files.readString(CONTAINER.resolve("Dockerfile"));
    assertThat(recipe)
        .contains("ARG VERSION=" + VERSION, "USER 10001:10001")
        .doesNotContain("latest");

    JsonNode compose = new YAMLMapper().readTree(CONTAINER.resolve("compose.yml").toFile());
    JsonNode raidnode = compose.at("/x-raidnode");
    assertThat(raidnode.path("read_only").asBoolean()).isTrue();
    assertThat(raidnode.path("cap_drop").path(0).asText()).isEqualTo("ALL");
    for (JsonNode service : compose.path("services")) {
      assertThat(service.path("ports"))
          .allSatisfy(port -> assertThat(port.asText()).startsWith("127.0.0.1:"));
      assertThat(service.path("image").asText("none")).doesNotContain("latest");
    }
    // Inline configurations cannot be put on a read-only root.
    assertThat(compose.has("configs")).isFalse();
    Settings settings =
        SettingsFiles.read(CONTAINER.resolve("conf/raidnode.yml"), Clock.systemUTC());
    assertThat(settings.node().api().roleWithoutToken()).isEmpty();
    assertThat(settings.policies().inOrder()).hasSize(1);
    assertThat(mounted(compose)).isNotEmpty().allSatisfy(file -> assertThat(file).exists());
  }

  private static List<Path> mounted(JsonNode compose) throws IOException {
    List<Path> files = new ArrayList<>();
    for (JsonNode service : compose.path("services")) {
      for (JsonNode volume : service.path("volumes")) {
        if (volume.asText().startsWith(".")) {
          files.add(CONTAINER.resolve(volume.asText().split(":", -1)[0]).toRealPath());
        }
      }
    }
    return files;
  }
}
