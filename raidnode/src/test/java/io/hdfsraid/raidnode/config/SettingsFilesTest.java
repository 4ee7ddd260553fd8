// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.dropwizard.core.server.DefaultServerFactory;
import io.dropwizard.jetty.HttpConnectorFactory;
import io.dropwizard.jetty.HttpsConnectorFactory;
import io.dropwizard.logging.common.DefaultLoggingFactory;
import io.dropwizard.util.DataSize;
import io.dropwizard.util.Duration;
import io.hdfsraid.erasurecode.kernel.CodingKernels;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.traffic.Tuning;
import io.hdfsraid.yarn.job.ContainerSettings;
import io.hdfsraid.yarn.job.JobLogin;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsFilesTest {
  private static final Path SHIPPED = Path.of("..", "conf", "raidnode.yml");
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-03-01T00:00:00Z"), ZoneOffset.UTC);
  private static final String NO_POLICIES = "policies: []";

  @TempDir Path folder;

  private Settings read(String node, String policies) throws Exception {
    Files.writeString(folder.resolve("policies.yml"), policies);
    Path file = folder.resolve("raidnode.yml");
    Files.writeString(file, node);
    return SettingsFiles.read(file, CLOCK);
  }

  private List<String> problems(String node, String policies) {
    SettingsException refused =
        catchThrowableOfType(SettingsException.class, () -> read(node, policies));
    assertThat(refused).as("nothing was wrong").isNotNull();
    return refused.problems().stream()
        .map(problem -> problem.toString().replace(folder + "/", ""))
        .map(problem -> problem.replaceFirst(" \\(line \\d+\\)$", ""))
        .toList();
  }

  @Test
  void theShippedFilesAreReadAndSayTheDefaults() throws Exception {
    Settings shipped = SettingsFiles.read(SHIPPED, CLOCK);
    Settings defaults = read("", NO_POLICIES);
    assertThat(shipped.policies().inOrder()).hasSize(2);
    assertThat(shipped.node().sections())
        .allSatisfy(
            (name, settings) -> {
              if (!name.equals("api")) {
                assertThat(settings).isEqualTo(defaults.node().sections().get(name));
              }
            });
    ApiSettings api = defaults.node().api();
    assertThat(api.withoutToken()).as("it must be said to be so").isEqualTo("none");
    assertThat(shipped.node().api())
        .isEqualTo(
            new ApiSettings(
                api.tokensFile(),
                "admin",
                api.hosts(),
                false,
                "permitted",
                PrincipalSettings.NONE,
                RolesSettings.NONE));
    assertThat(loggers(shipped.node())).isEqualTo(loggers(defaults.node()));
    assertThat(addresses(shipped.node())).isEqualTo(addresses(defaults.node()));
    assertThat(addresses(defaults.node())).containsExactly("127.0.0.1:8090", "127.0.0.1:8091");
    assertThat(shipped.catalogDirectory())
        .isEqualTo(Path.of("..", "data", "catalog").toAbsolutePath().normalize());
  }

  private static Map<String, JsonNode> loggers(RaidNodeConfiguration node) {
    return ((DefaultLoggingFactory) node.getLoggingFactory()).getLoggers();
  }

  private static List<String> addresses(RaidNodeConfiguration node) {
    DefaultServerFactory server = (DefaultServerFactory) node.getServerFactory();
    return List.of(server.getApplicationConnectors().get(0), server.getAdminConnectors().get(0))
        .stream()
        .map(HttpConnectorFactory.class::cast)
        .map(connector -> connector.getBindHost() + ":" + connector.getPort())
        .toList();
  }

  @Test
  void theShippedFileHasEveryKeyAndSaysWhatItIs() throws IOException {
    List<String> lines = Files.readAllLines(SHIPPED);
    Set<String> shipped = new TreeSet<>();
    String section = "";
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.matches("\\w+:.*")) {
        section = line.substring(0, line.indexOf(':'));
      } else if (line.matches("  \\w+:.*")) {
        shipped.add(section + "." + line.strip().substring(0, line.strip().indexOf(':')));
        assertThat(lines.get(i - 1)).as("no comment above '%s'", line).contains("# ");
      }
    }
    Set<String> known = new TreeSet<>();
    new RaidNodeConfiguration(
            null, null, null, null, null, null, null, null, null, null, null, null, null, null)
        .sections()
        .forEach(
            (name, settings) -> {
              for (var component : settings.getClass().getRecordComponents()) {
                known.add(name + "." + component.getName());
              }
            });
    shipped.removeIf(key -> key.startsWith("server.") || key.startsWith("logging."));
    assertThat(shipped).isEqualTo(known);
  }

  @Test
  void theShippedFileNamesEveryKernel() throws IOException {
    assertThat(Files.readString(SHIPPED)).contains(String.join(", ", CodingKernels.names()));
  }

  @Test
  void everyKeyIsRead() throws Exception {
    Settings settings =
        read(
            """
            hadoop: {principal: raid/_HOST@EXAMPLE.COM, keytab: /etc/raid.keytab}
            hdfs: {nameservices: [ns1, ns2], routers: ["http://router1:50071"], root: /a/b, rack: /dc/r7, streamsPerDataNode: 9, nameNodeCallsPerSecond: 0, dataNodeTimeout: 11s}
            catalog: {directory: /var/catalog, historyRetention: 2d, historyLines: 5000}
            raiding: {engine: yarn, workers: 3, bytesPerSecond: 1GB, bytesPerSecondPerDataNode: 0, maxUnaudited: 7, quarantine: 3h, retryAfter: 9m, lostParityPercent: 2, lostParityFilesPerSecond: 50, lostParityStopAbove: 90}
            yarn: {kerberos: {principal: jobs@E.COM, keytab: /etc/jobs.keytab}, queue: cold, priority: 4, nodeLabel: old, memory: 1GiB, cores: 2, containers: 9, bytesPerSecond: 13KB, attempts: 3, bytesPerTask: 2GB, bytesPerJob: 3GB, jobs: 5, files: 12, gather: 6s, patience: 7m, javaHome: /opt/java}
            placement: {concurrentMoves: 6, concurrentMovesPerDataNode: 4, bytesPerSecond: 5KB, bytesPerSecondPerDataNode: 4KB, auditFilesPerSecond: 8, triggerBlockReports: paced}
            coding: {kernel: portable}
            repair: {engine: auto, bulkFrom: 70, workers: 5, bytesPerSecond: 0B, bytesPerSecondPerDataNode: 3MiB, urgentBytesPerSecond: 7KB, delay: 0s, retryAfter: 2s, parkAfter: 4, stormNodes: 12, stormPercent: 30, hedgeAfter: 3s}
            scrub: {workers: 3, checksumsPerSecond: 77, bytesPerSecond: 7MB, bytesPerSecondPerDataNode: 0B, presenceEvery: 5 minutes, deepEvery: 0s, firstRead: 1h}
            schedule: {timeZone: Europe/Berlin, scan: "1 0 2 * * ?", integrityCheck: "2 0 * * * ?", placementAudit: "4 0 * * * ?", cleanUp: "3 0 * * * ?"}
            recency: {atimeSince: 2025-06-01T00:00:00Z}
            api:
              tokensFile: secret/tokens
              withoutToken: viewer
              hosts: [raid.example]
              views: all
              kerberos: {principal: HTTP/_HOST@EXAMPLE.COM, keytab: http.keytab}
              roles: {viewer: {users: ["*"]}, admin: {users: [bob], groups: [ops, root]}}
            standby: {enabled: false, takeOverAfter: 12s, address: "https://raid1.example:8090"}
            server:
              applicationConnectors: [{type: http, bindHost: 0.0.0.0, port: 1}]
              adminConnectors: [{type: http, port: 2}]
            """,
            NO_POLICIES);
    RaidNodeConfiguration node = settings.node();
    assertThat(node.hadoop())
        .isEqualTo(
            new PrincipalSettings(
                Optional.of("raid/_HOST@EXAMPLE.COM"), Optional.of(Path.of("/etc/raid.keytab"))));
    assertThat(node.hdfs())
        .isEqualTo(
            new HdfsSettings(
                List.of("ns1", "ns2"),
                List.of(URI.create("http://router1:50071")),
                "/a/b",
                Optional.of("/dc/r7"),
                9,
                0,
                Duration.seconds(11)));
    assertThat(settings.catalogDirectory()).isEqualTo(Path.of("/var/catalog"));
    assertThat(node.catalog().historyRetention()).isEqualTo(Duration.days(2));
    assertThat(node.catalog().historyLines()).isEqualTo(5000);
    assertThat(node.raiding())
        .isEqualTo(
            new RaidingSettings(
                EngineName.YARN,
                3,
                DataSize.gigabytes(1),
                DataSize.bytes(0),
                7,
                Duration.hours(3),
                Duration.minutes(9),
                2,
                50,
                90));
    assertThat(node.yarn())
        .isEqualTo(
            new YarnSettings(
                Optional.empty(),
                new PrincipalSettings(
                    Optional.of("jobs@E.COM"), Optional.of(Path.of("/etc/jobs.keytab"))),
                Optional.of("cold"),
                4,
                Optional.of("old"),
                DataSize.gibibytes(1),
                2,
                9,
                DataSize.kilobytes(13),
                3,
                DataSize.gigabytes(2),
                DataSize.gigabytes(3),
                5,
                12,
                Duration.seconds(6),
                Duration.minutes(7),
                Optional.of("/opt/java")));
    assertThat(node.placement())
        .isEqualTo(
            new PlacementSettings(
                6, 4, DataSize.kilobytes(5), DataSize.kilobytes(4), 8, BlockReportRule.PACED));
    assertThat(node.coding()).isEqualTo(new CodingSettings("portable"));
    assertThat(node.repair())
        .isEqualTo(
            new RepairSettings(
                RepairEngineName.AUTO,
                70,
                5,
                DataSize.bytes(0),
                DataSize.mebibytes(3),
                DataSize.kilobytes(7),
                Duration.seconds(0),
                Duration.seconds(2),
                4,
                12,
                30,
                Duration.seconds(3)));
    assertThat(node.tuning())
        .isEqualTo(
            new Tuning(
                new Tuning.Share(3, 1_000_000_000, 0),
                new Tuning.Share(5, 0, 3 << 20),
                new Tuning.Share(5, 7_000, 3 << 20),
                new Tuning.Share(6, 5_000, 4_000),
                new Tuning.Share(3, 7_000_000, 0),
                77,
                9,
                0,
                java.time.Duration.ofSeconds(3),
                new Tuning.Containers(true, Tuning.Repairs.IN_BULK, 70, 13_000)));
    assertThat(node.scrub())
        .isEqualTo(
            new ScrubSettings(
                3,
                77,
                DataSize.megabytes(7),
                DataSize.bytes(0),
                Duration.minutes(5),
                Duration.seconds(0),
                Duration.hours(1)));
    assertThat(node.standby())
        .isEqualTo(
            new StandbySettings(
                false,
                Duration.seconds(12),
                Optional.of(URI.create("https://raid1.example:8090"))));
    assertThat(node.schedule())
        .isEqualTo(
            new ScheduleSettings(
                ZoneId.of("Europe/Berlin"),
                "1 0 2 * * ?",
                "2 0 * * * ?",
                "4 0 * * * ?",
                "3 0 * * * ?"));
    assertThat(node.recency().atimeSince()).contains(Instant.parse("2025-06-01T00:00:00Z"));
    assertThat(node.api())
        .isEqualTo(
            new ApiSettings(
                Path.of("secret", "tokens"),
                "viewer",
                List.of("raid.example"),
                false,
                "all",
                new PrincipalSettings(
                    Optional.of("HTTP/_HOST@EXAMPLE.COM"), Optional.of(Path.of("http.keytab"))),
                new RolesSettings(
                    null,
                    new RolesSettings.MembersSettings(List.of("*"), null),
                    null,
                    new RolesSettings.MembersSettings(List.of("bob"), List.of("ops", "root")))));
    assertThat(settings.apiKeytab()).contains(folder.resolve("http.keytab"));
    assertThat(node.api().roleWithoutToken()).contains(Role.VIEWER);
    assertThat(settings.tokensFile()).isEqualTo(folder.resolve("secret/tokens"));
  }

  @Test
  void everythingThatIsWrongInBothFilesIsSaidAtOnce() {
    List<String> problems =
        problems(
            """
            hdfs: {root: raid/}
            raiding: {worker: 3, maxUnaudited: many}
            coding: {kernel: fastest}
            repair: {workers: 0, delay: soon}
            schedule: {timeZone: Mars/Olympus, scan: at noon, cleanUp: "0 0 0 1 1 ? 2001"}
            recency: {atimeSince: yesterday}
            api: {withoutToken: everybody}
            server: {applicationConectors: []}
            nonsense: {a: 1}
            """,
            """
            policies:
              - name: p
                paths: [/a]
                coldAfter: 3 moons
                codec: rs-ten-four
                schedule: never
                colour: red
            """);
    assertThat(problems)
        .anyMatch(line -> line.startsWith("raidnode.yml: hdfs.root: must be an absolute path"))
        .anyMatch(
            line ->
                line.equals(
                    "raidnode.yml: raiding.worker: is not a key here; did you mean workers?"))
        .anyMatch(
            line -> line.equals("raidnode.yml: raiding.maxUnaudited: 'many' is not a whole number"))
        .anyMatch(
            line ->
                line.startsWith("raidnode.yml: coding.kernel: 'fastest' is none of auto, portable"))
        .anyMatch(
            line -> line.equals("raidnode.yml: repair.workers: must be greater than or equal to 1"))
        .anyMatch(line -> line.equals("raidnode.yml: repair.delay: Invalid duration: soon"))
        .anyMatch(
            line ->
                line.startsWith(
                    "raidnode.yml: schedule.timeZone: 'Mars/Olympus' is not a time zone"))
        .anyMatch(
            line ->
                line.startsWith("raidnode.yml: schedule.scan: 'at noon' is not a cron expression"))
        .anyMatch(
            line ->
                line.equals("raidnode.yml: schedule.cleanUp: '0 0 0 1 1 ? 2001' never comes again"))
        .anyMatch(
            line -> line.startsWith("raidnode.yml: recency.atimeSince: 'yesterday' is not a time"))
        .anyMatch(
            line ->
                line.equals(
                    "raidnode.yml: api.withoutToken: must be none, viewer, operator or admin"))
        .anyMatch(
            line ->
                line.equals(
                    "raidnode.yml: server.applicationConectors: is not a key here;"
                        + " did you mean applicationConnectors?"))
        .anyMatch(
            line -> line.startsWith("raidnode.yml: nonsense: is not a key here; the keys are"))
        .anyMatch(line -> line.startsWith("policies.yml: policies[0].coldAfter: "))
        .anyMatch(
            line ->
                line.startsWith("policies.yml: policies[0].codec: ")
                    && line.contains("rs-ten-four"))
        .anyMatch(
            line -> line.startsWith("policies.yml: policies[0].schedule: 'never' is not a cron"))
        .anyMatch(line -> line.startsWith("policies.yml: policies[0].colour: is not a key here"))
        .hasSize(17);
  }

  @Test
  void aPrincipalAndItsKeytabComeTogether() throws Exception {
    assertThat(problems("hadoop: {principal: raid@EXAMPLE.COM}", NO_POLICIES))
        .containsExactly(
            "raidnode.yml: hadoop.keytab: is missing: set hadoop.principal and hadoop.keytab, or"
                + " neither");
    assertThat(problems("hadoop: {principal: , keytab: raid.keytab}", NO_POLICIES))
        .containsExactly(
            "raidnode.yml: hadoop.principal: is missing: set hadoop.principal and hadoop.keytab, or"
                + " neither");
    assertThat(read("hadoop: {principal: , keytab: }", NO_POLICIES).keytab()).isEmpty();
    assertThat(read("hadoop: {principal: raid, keytab: k/raid}", NO_POLICIES).keytab())
        .contains(folder.resolve("k/raid"));
  }

  @Test
  void thePrincipalOfTheApiIsThatOfAWebService() {
    assertThat(problems("api: {kerberos: {principal: raid@EXAMPLE.COM}}", NO_POLICIES))
        .containsExactly(
            "raidnode.yml: api.kerberos.keytab: is missing: set api.kerberos.principal and"
                + " api.kerberos.keytab, or neither",
            "raidnode.yml: api.kerberos.principal: must begin with HTTP/, because all clients ask"
                + " for a ticket of that service; for example HTTP/_HOST@EXAMPLE.COM");
  }

  @Test
  void jobsRunAsAUserOrByALoginOfTheirOwn() throws Exception {
    String login = "kerberos: {principal: jobs@E.COM, keytab: k/jobs}";
    assertThat(read("yarn: {user: raid}", NO_POLICIES).containers())
        .returns(Optional.of("raid"), ContainerSettings::user)
        .returns(Optional.empty(), ContainerSettings::login);
    assertThat(read("yarn: {%s}".formatted(login), NO_POLICIES).containers().login())
        .contains(new JobLogin("jobs@E.COM", folder.resolve("k/jobs")));
    assertThat(problems("yarn: {user: raid, %s}".formatted(login), NO_POLICIES))
        .containsExactly(
            "raidnode.yml: yarn.user: is set beside yarn.kerberos, as whose principal jobs run: set"
                + " one");
    assertThat(problems("yarn: {kerberos: {principal: jobs@E.COM}}", NO_POLICIES))
        .containsExactly(
            "raidnode.yml: yarn.kerberos.keytab: is missing: set yarn.kerberos.principal and"
                + " yarn.kerberos.keytab, or neither");
  }

  @Test
  void rolesThatCannotBeMeantAreNamed() {
    assertThat(
            problems(
                """
                api:
                  roles:
                    admins: {users: [a]}
                    viewer: {groups: ["*"]}
                    operator: [alice]
                """,
                NO_POLICIES))
        .anyMatch(
            line ->
                line.equals(
                    "raidnode.yml: api.roles.admins: is not a key here; did you mean admin?"))
        .anyMatch(
            line ->
                line.startsWith("raidnode.yml: api.roles.viewer: '*' is no group: users: [\"*\"]"))
        .anyMatch(
            line -> line.startsWith("raidnode.yml: api.roles.operator: '[\"alice\"]' is not keys"))
        .hasSize(3);
  }

  @Test
  void rolesWithoutKerberosAndKerberosWithoutRolesAreWarnedOf() throws Exception {
    String kerberos = "kerberos: {principal: HTTP/_HOST@E.COM, keytab: k}";
    String roles = "roles: {viewer: {groups: [users]}}";
    assertThat(warnings("api: {%s}".formatted(kerberos)))
        .anyMatch(line -> line.contains("api.roles: nobody has a role"))
        .anyMatch(line -> line.contains("nobody can use the REST API"));
    assertThat(warnings("api: {%s}".formatted(roles)))
        .anyMatch(line -> line.contains("api.roles: has no effect"))
        .anyMatch(line -> line.contains("nobody can use the REST API"));
    assertThat(warnings("api: {%s, %s}".formatted(kerberos, roles))).isEmpty();
  }

  private List<String> warnings(String node) throws Exception {
    Settings settings = read(node, NO_POLICIES);
    return SettingsFiles.warnings(folder.resolve("raidnode.yml"), settings, CLOCK);
  }

  private Settings withPassword(String value) throws Exception {
    return read(
        """
        server:
          applicationConnectors:
            - {type: https, port: 0, keyStorePath: k.p12, keyStorePassword: "%s", trustStorePassword: plain}
        """
            .formatted(value),
        NO_POLICIES);
  }

  private static HttpsConnectorFactory tls(Settings settings) {
    return (HttpsConnectorFactory) settings.node().httpConnectors().get(0);
  }

  @Test
  void aPasswordMayStandInAFileThatOthersCannotRead() throws Exception {
    Path node = folder.resolve("raidnode.yml");
    Path file = Files.writeString(folder.resolve("password"), "s3cret: #1\n");
    for (String mode : List.of("rw-------", "r--r-----")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
      Settings settings = withPassword("${file:password}");
      SettingsFiles.fetchPasswords(node, settings);
      assertThat(tls(settings).getKeyStorePassword()).isEqualTo("s3cret: #1");
      assertThat(tls(settings).getTrustStorePassword()).isEqualTo("plain");
    }
    for (String mode : List.of("rw-r--r--", "rw-rw----", "rw-----w-")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
      Settings settings = withPassword("${file:password}");
      assertThatThrownBy(() -> SettingsFiles.fetchPasswords(node, settings))
          .as(mode)
          .isInstanceOf(SettingsException.class)
          .hasMessageContaining("server: keyStorePassword: ${file:password}: " + file)
          .hasMessageContaining("is open to others than its owner and its group: chmod 600")
          .hasMessageNotContaining("s3cret");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "${file:none}, does not exist",
    "${file:.}, is not a file that user",
    "${file:empty}, must hold the password in one line",
    "${file:two}, must hold the password in one line",
    "${file:long}, must hold the password in one line",
    "${credential:raidnode}, hadoop.security.credential.provider.path is not set",
    "${env:PASSWORD}, is neither ${file:PATH} nor ${credential:ALIAS}"
  })
  void aPasswordThatCannotBeHadIsNamed(String value, String why) throws Exception {
    for (String[] content :
        new String[][] {{"empty", "\n"}, {"two", "a\nb\n"}, {"long", "x".repeat(5000)}}) {
      Path file = Files.writeString(folder.resolve(content[0]), content[1]);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    Settings settings = withPassword(value);
    assertThatThrownBy(() -> SettingsFiles.fetchPasswords(folder.resolve("raidnode.yml"), settings))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("server: keyStorePassword")
        .hasMessageContaining(why);
  }

  @Test
  void theAddressForOthersHasASchemeAndAHost() throws Exception {
    assertThat(read("standby: {address: \"http://raid1:8090\"}", NO_POLICIES).node().standby())
        .isEqualTo(new StandbySettings(null, null, Optional.of(URI.create("http://raid1:8090"))));
    for (String wrong : List.of("raid1:8090", "//raid1", "ftp://raid1")) {
      assertThat(problems("standby: {address: \"%s\"}".formatted(wrong), NO_POLICIES))
          .containsExactly(
              "raidnode.yml: standby.address: '%s' is no address of an API, such as https://raid1.example.com:8090"
                  .formatted(wrong));
    }
  }

  /** No cluster of these tests has Kerberos. */
  @Test
  void aPrincipalWithoutKerberosAndAKeytabThatIsNotThereAreRefusedBeforeTheStart()
      throws Exception {
    Settings settings = read("hadoop: {principal: raid@E.COM, keytab: none}", NO_POLICIES);
    Path file = folder.resolve("raidnode.yml");

    assertThatThrownBy(() -> SettingsFiles.identities(file, settings))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("hadoop.principal: is set, but hadoop.security.authentication is not")
        .hasMessageContaining("hadoop.keytab: %s does not exist", folder.resolve("none"));
    Settings ofApi =
        read("api: {kerberos: {principal: HTTP/_HOST@E.COM, keytab: none}}", NO_POLICIES);
    assertThatThrownBy(() -> SettingsFiles.identities(file, ofApi))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("api.kerberos.principal: is set, but hadoop.security.authentication")
        .hasMessageContaining("api.kerberos.keytab: %s does not exist", folder.resolve("none"));
    Settings ofJobs = read("yarn: {kerberos: {principal: jobs@E.COM, keytab: none}}", NO_POLICIES);
    assertThatThrownBy(() -> SettingsFiles.identities(file, ofJobs))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("yarn.kerberos.principal: is set, but hadoop.security.authentication")
        .hasMessageContaining("yarn.kerberos.keytab: %s does not exist", folder.resolve("none"));
    SettingsFiles.Identities none = SettingsFiles.identities(file, read("", NO_POLICIES));
    assertThat(none).isEqualTo(SettingsFiles.Identities.NONE);
    assertThat(SettingsFiles.warnings(file, none)).isEmpty();
  }

  @Test
  void filesThatAreMissingOrNoYamlAreNamed() throws IOException {
    assertThatThrownBy(() -> SettingsFiles.read(folder.resolve("raidnode.yml"), CLOCK))
        .isInstanceOf(SettingsException.class)
        .hasMessage(
            "%s: does not exist%n%s: does not exist"
                .formatted(folder.resolve("raidnode.yml"), folder.resolve("policies.yml")));
    assertThat(problems("hdfs: [", "just words"))
        .anyMatch(line -> line.startsWith("raidnode.yml: line 1, column "))
        .anyMatch(
            line -> line.equals("policies.yml: must be keys and values, but begins with a string"))
        .hasSize(2);
    assertThat(problems("hdfs: {root: /a}\nhdfs: {root: /b}", ""))
        .anyMatch(line -> line.contains("line 2, column 5: the key 'hdfs' is there twice"))
        .anyMatch(line -> line.startsWith("policies.yml: is empty"))
        .hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "recency: {ignoredUsers: 5} | recency.ignoredUsers: '5' is not a list, such as [one,"
            + " another]",
        "recency: {namespace: imag} | recency.namespace: 'imag' is not one of image, listing",
        "recency: {auditLogs: {a: b}} | recency.auditLogs: '{\"a\":\"b\"}' is not a list, such as"
            + " [one, another]",
        "recency: {ignoredUsers: [{a: b}]} | recency.ignoredUsers[0]: '{\"a\":\"b\"}' is not a"
            + " text",
        "recency: [] | recency: '[]' is not keys and values, each 'key: value' in a line of its"
            + " own",
        "recency: 7 | recency: '7' is not keys and values, each 'key: value' in a line of its own",
        "recency: {rereadAfter: [1d]} | recency.rereadAfter: '[\"1d\"]' is not a duration, such as"
            + " 30s, 5m or 7d",
        "recency: {rereadAfter: 5} | recency.rereadAfter: '5' is not a duration, such as 30s, 5m or"
            + " 7d",
        "raiding: {workers: [1]} | raiding.workers: '[1]' is not a whole number",
        "raiding: {bytesPerSecond: much} | raiding.bytesPerSecond: 'much' is not a size, such as"
            + " 500KB or 20MB, or 0 where that means no limit",
        "logging: {appenders: [{type: tape}]} | logging.appenders[0]: 'tape' is no type that there"
            + " is here; the types are console, file, syslog, tcp, tls, udp",
        "server: 5 | server: '5' is not what belongs here: see the comments of the file delivered",
        "hdfs: {routers: [\"http://router1:50071\", \"router2:50071\"]} | hdfs.routers[1]:"
            + " 'router2:50071' is no web address of a router, such as"
            + " http://router1.example.com:50071",
        "hdfs: {routers: [router1]} | hdfs.routers[0]: 'router1' is no web address of a router,"
            + " such as http://router1.example.com:50071",
        "hdfs: {routers: [\"http://router1:500710\"]} | hdfs.routers[0]: 'http://router1:500710' is"
            + " no web address of a router, such as http://router1.example.com:50071",
        "recency: {auditLogs: [logs/hdfs-audit.log]} | recency.auditLogs[0]: 'logs/hdfs-audit.log'"
            + " must be an absolute path: where the daemon is started from says nothing of where a"
            + " NameNode writes"
      })
  void aValueOfTheWrongKindIsRefusedInPlainWords(String yaml, String problem) {
    assertThat(problems(yaml, NO_POLICIES)).containsExactly("raidnode.yml: " + problem);
  }

  @Test
  void everyProblemNamesTheLineOfItsKeyOrOfWhatItIsMissingIn() {
    String node =
        """
        # the first line
        recency:
          namespace: image

          ignoredUsers: 5
        repair: {workers: 0}
        """;
    String policies =
        """
        policies:
          - name: a
            paths: [/a]
            coldAfter: 1d
          - name: b
            paths:
              - /b
              - relative
            coldAfter: 1d
            codec: rs-6-3
        """;
    SettingsException refused =
        catchThrowableOfType(SettingsException.class, () -> read(node, policies));
    assertThat(refused.problems())
        .extracting(problem -> problem.key() + " " + problem.line().orElse(0))
        .containsExactly(
            "recency.ignoredUsers 5",
            "repair.workers 6",
            "policies[0].codec 2",
            "policies[1].paths[1] 8");
    assertThat(refused).hasMessageContaining("is not a list, such as [one, another] (line 5)\n");
  }

  @Test
  void whatIsNoYamlIsSaidToBeNoneInPlainWords() throws IOException {
    assertThat(problems("hdfs:\n  root: /a\n   rack: /b\n", NO_POLICIES))
        .singleElement()
        .asString()
        .startsWith("raidnode.yml: line 3, column ")
        .contains("is not YAML: ", "look at indentation")
        .doesNotContain("Exception", "fasterxml", "snakeyaml", "reader");
    assertThat(problems("hdfs:\n\troot: /a\n", NO_POLICIES))
        .singleElement()
        .asString()
        .startsWith("raidnode.yml: line 2, column 1: is not YAML: ")
        .contains("Do not use \\t(TAB) for indentation");
    assertThat(problems("hdfs: \u0000\u0001", NO_POLICIES))
        .singleElement()
        .asString()
        .endsWith("is not YAML: it holds characters that a text has not; is it the right file?");
    Path file = folder.resolve("raidnode.yml");
    Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});
    assertThatThrownBy(() -> SettingsFiles.read(file, CLOCK))
        .hasMessage(file + ": is not text in UTF-8");
    Files.delete(file);
    Files.createDirectory(file);
    assertThatThrownBy(() -> SettingsFiles.read(file, CLOCK))
        .hasMessage(file + ": is a directory, not a file");
  }

  @Test
  void auditLogsThatAreNotThereAreWarnedOf() throws Exception {
    Path there = Files.createFile(folder.resolve("nn1-audit.log"));
    Path none = folder.resolve("none.log");
    String yaml =
        "api: {withoutToken: admin}\nrecency: {auditLogs: [%s, %s, '%s', '%s']}"
            .formatted(there, none, folder.resolve("nn*-audit.log"), folder.resolve("x/*.log"));
    Settings settings = read(yaml, "policies:\n  - {name: p, paths: [/tmp], action: leave}\n");

    assertThat(SettingsFiles.warnings(folder.resolve("raidnode.yml"), settings, CLOCK))
        .satisfiesExactly(
            one -> assertThat(one).contains("recency.auditLogs: there is no " + none + " "),
            one -> assertThat(one).contains("there is no " + folder.resolve("x/*.log") + " "),
            one ->
                assertThat(one).contains("policies.yml: policies[0].paths: (p) speaks about no"));
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, true",
    "localhost, true",
    "'::1', true",
    "0.0.0.0, false",
    "10.1.2.3, false"
  })
  void tokensThatTravelUnencryptedAreWarnedOf(String host, boolean fine) throws Exception {
    for (String connectors : List.of("applicationConnectors", "adminConnectors")) {
      String other = connectors.startsWith("admin") ? "applicationConnectors" : "adminConnectors";
      String server =
          "server: {%s: [{type: http, bindHost: '%s', port: 7}], %s: [{type: http, bindHost: 127.0.0.1}]}"
              .formatted(connectors, host, other);
      List<String> warnings = accessWarnings("api: {withoutToken: admin}\n" + server);
      if (fine) {
        assertThat(warnings).isEmpty();
      } else {
        assertThat(warnings)
            .singleElement()
            .asString()
            .contains("server: other machines can reach port 7", "https");
      }
    }
  }

  @Test
  void noAddressMeansAllOfThem() throws Exception {
    assertThat(
            accessWarnings(
                "api: {withoutToken: admin}\nserver: {type: simple, connector: {type: http, port: 7}}"))
        .singleElement()
        .asString()
        .contains("other machines can reach port 7");
  }

  @Test
  void anApiThatNobodyCanUseIsWarnedOf() throws Exception {
    assertThat(accessWarnings("api: {tokensFile: tokens.json}"))
        .singleElement()
        .asString()
        .contains("nobody can use the REST API", "raidnode token create", "api.withoutToken");
    assertThat(accessWarnings("api: {withoutToken: viewer}")).isEmpty();
    Files.writeString(folder.resolve("tokens.json"), "{}");
    assertThat(accessWarnings("api: {tokensFile: tokens.json}")).isEmpty();
  }

  @Test
  void aRoleForEverybodyIsWarnedOfWherePeopleHaveTokens() throws Exception {
    assertThat(accessWarnings("api: {withoutToken: admin, tokensFile: tokens.json}")).isEmpty();
    Files.writeString(folder.resolve("tokens.json"), "{}");
    assertThat(accessWarnings("api: {withoutToken: admin, tokensFile: tokens.json}"))
        .singleElement()
        .asString()
        .contains("api.withoutToken: every user of this machine is admin", "none");
    assertThat(accessWarnings("api: {withoutToken: viewer, tokensFile: tokens.json}")).isEmpty();
  }

  private List<String> accessWarnings(String yaml) throws Exception {
    Settings settings = read(yaml, NO_POLICIES);
    return SettingsFiles.warnings(folder.resolve("raidnode.yml"), settings, CLOCK);
  }
}
