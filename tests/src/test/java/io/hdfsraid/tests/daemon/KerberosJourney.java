// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.hdfsraid.drfs.fs.DistributedRaidFileSystem;
import io.hdfsraid.embedded.EmbeddedYarn;
import io.hdfsraid.embedded.HadoopJars;
import io.hdfsraid.embedded.ProcessHdfs;
import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.client.RaidNodeException;
import io.hdfsraid.raidapi.files.FileSummary;
import io.hdfsraid.raidapi.health.HealthState;
import io.hdfsraid.raidnode.access.TicketException;
import io.hdfsraid.raidnode.hdfs.FsckBlockHolders;
import io.hdfsraid.raidnode.hdfs.KerberosIdentity;
import io.hdfsraid.raidnode.hdfs.ServiceTickets;
import io.hdfsraid.raidnode.traffic.NameNodeCalls;
import io.hdfsraid.raidshell.RaidShell;
import io.hdfsraid.yarn.job.StripeJobs;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.Oid;

/**
 * The main journey on an HDFS with Kerberos, block tokens, encrypted data transfer (SASL, {@code
 * privacy}) and HTTPS only. NameNode, DataNodes and daemon are processes of their own; the daemon
 * has a keytab of its own.
 *
 * <p>It is a program and no test, because Hadoop keeps in static fields who is logged in, and how.
 * {@link KerberosJourneyTest} runs it. Its argument is an empty folder, which stands first on the
 * class path, so that HDFS finds its TLS settings there.
 */
public final class KerberosJourney {
  private static final int BLOCK = 128 << 10;
  private static final int NODES = 7;

  /** The daemon looks every five seconds whether its ticket has lived for 80 percent of it. */
  private static final Duration TICKET = Duration.ofSeconds(30);

  private static final Duration OF_HDFS = Duration.ofHours(1);

  /** The longest time until a file is raided whose stripes wait for containers to start. */
  private static final Duration IN_CONTAINERS = Duration.ofMinutes(10);

  private static final String RAID = "raid/_HOST@" + Kdc.REALM;
  private static final String HTTP = "HTTP/_HOST@" + Kdc.REALM;
  private static final Pattern ENDS = Pattern.compile("lives for \\d+ s, until (\\S+?)[\"; ]");

  private final Path folder;
  private final Path conf;
  private final Kdc kdc;
  private final Random random = new Random(2032);
  private ProcessHdfs hdfs;
  private UserGroupInformation alice;
  private Path aliceKeytab;
  private Path bobKeytab;
  private Path httpKeytab;

  private KerberosJourney(Path folder, Kdc kdc) throws IOException {
    this.folder = folder;
    this.kdc = kdc;
    this.conf = Files.createDirectory(folder.resolve("raidnode"));
  }

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    int exitCode = 1;
    try (Kdc kdc = Kdc.start(folder)) {
      System.setProperty("java.security.krb5.conf", kdc.krb5Conf(OF_HDFS).toString());
      new KerberosJourney(folder, kdc).run();
      exitCode = 0;
    } catch (Throwable e) {
      e.printStackTrace(System.out);
    }
    System.exit(exitCode); // the KDC and Hadoop's client leave threads behind
  }

  private static void say(String step) {
    System.out.printf("%tT %s%n", System.currentTimeMillis(), step);
  }

  private void run() throws Exception {
    Path hdfsKeytab = kdc.keytab(folder.resolve("hdfs.keytab"), "hdfs/localhost", "HTTP/localhost");
    aliceKeytab = kdc.keytab(folder.resolve("alice.keytab"), "alice");
    bobKeytab = kdc.keytab(folder.resolve("bob.keytab"), "bob");
    Path raidKeytab = folder.resolve("raid.keytab");
    String principal = KerberosIdentity.of(RAID, raidKeytab).principal();
    kdc.keytab(raidKeytab, principal.replace("@" + Kdc.REALM, ""));
    httpKeytab = kdc.keytab(folder.resolve("http.keytab"), service().replace("@" + Kdc.REALM, ""));
    makeKeyStores();
    Map<String, String> secure = settings(hdfsKeytab);
    Configuration login = new Configuration();
    secure.forEach(login::set);
    UserGroupInformation.setConfiguration(login);
    UserGroupInformation.loginUserFromKeytab("hdfs/localhost@" + Kdc.REALM, hdfsKeytab.toString());
    alice =
        UserGroupInformation.loginUserFromKeytabAndReturnUGI(
            "alice@" + Kdc.REALM, aliceKeytab.toString());
    ProcessHdfs.Builder builder =
        ProcessHdfs.builder()
            .dataNodes(NODES)
            .blockSize(BLOCK)
            .withBlockTokens()
            .deadAfter(Duration.ofSeconds(12))
            .javaOptions("-Djava.security.krb5.conf=" + kdc.krb5Conf(OF_HDFS));
    secure.forEach(builder::set);
    try (ProcessHdfs started = builder.start()) {
      hdfs = started;
      say("HDFS runs");
      journey(raidKeytab);
      encodesInContainers(raidKeytab, hdfsKeytab);
    }
  }

  private void journey(Path raidKeytab) throws Exception {
    hdfs.fileSystem().mkdirs(path("/alice"), new FsPermission((short) 0755));
    hdfs.fileSystem().setOwner(path("/alice"), "alice", "users");
    byte[] first = load("/alice/first", 7 * BLOCK + 4711);
    wrongSettings(raidKeytab);
    configure(RAID, raidKeytab, httpKeytab);

    kdc.stop();
    try (DaemonProcess daemon = launch()) {
      until(() -> daemon.output().contains("no KDC answers"), daemon::output);
      kdc.goOn();
      until(() -> daemon.output().contains("RaidNode is ready"), daemon::output);
      assertThat(daemon.output()).contains("Logged in as " + principalOfDaemon());
      say("The daemon waited for the KDC");
      awaitRaided(daemon, 1);
      assertThat(daemon.output())
          .as("SPNEGO and HTTPS")
          .contains(
              "The index was rebuilt from the NameNode's image",
              "HDFS alone decides who may read files")
          .doesNotContain("refused us", "No NameNode of");

      long block = blocks("/alice/first").get(0).getBlock().getBlockId();
      assertThat(
              new FsckBlockHolders(hdfs.fileSystem(), hdfs.configuration(), new NameNodeCalls())
                  .holders(List.of(block)))
          .as("fsck, over SPNEGO and HTTPS")
          .hasSize(1)
          .hasEntrySatisfying(
              block, holder -> assertThat(holder.toString()).contains("/alice/first"));

      losesAndRepairs(daemon, first);
      doctorLogsIn();
      peopleUseTheirTickets(daemon);
      ticketsAreAcceptedOnceAndUnchanged(daemon);
      crossesTwoLifetimes(daemon);
      survivesTheKdc(daemon);
      daemon.assertNoStackTrace();
      anotherTakesOver(daemon);
    }
  }

  /** In jobs that have a login of their own, and that outlive its ticket. */
  private void encodesInContainers(Path raidKeytab, Path hdfsKeytab) throws Exception {
    EmbeddedYarn.Builder builder =
        EmbeddedYarn.builder(
                hdfs.fileSystem(),
                HadoopJars.of(Path.of("..", "applications", "hadoop", "target", "jars")),
                folder.resolve("yarn"))
            .classes(StripeJobs.unpackaged())
            .javaOption("-Djava.security.krb5.conf=" + kdc.krb5Conf(OF_HDFS));
    settings(hdfsKeytab).forEach(builder::set);
    for (String part : List.of("resourcemanager", "nodemanager")) {
      builder
          .set("yarn.%s.principal".formatted(part), "hdfs/localhost@" + Kdc.REALM)
          .set("yarn.%s.keytab".formatted(part), hdfsKeytab.toString());
    }
    Path jobsKeytab = kdc.keytab(folder.resolve("jobs.keytab"), "jobs");
    try (EmbeddedYarn yarn = builder.start()) {
      say("YARN runs");
      configure(
          RAID,
          raidKeytab,
          httpKeytab,
          """
          raiding: {engine: yarn}
          yarn:
            {kerberos: {principal: jobs@%s, keytab: %s}, memory: 512MiB, gather: 0s, bytesPerSecond: 40kB}
          """
              .formatted(Kdc.REALM, jobsKeytab));
      byte[] bytes = load("/alice/fifth", 7 * BLOCK);
      try (DaemonProcess daemon = launch(conf, site(yarn.configuration()))) {
        until(() -> daemon.output().contains("RaidNode is ready"), daemon::output);
        awaitRaided(daemon, 5, IN_CONTAINERS);
        // Idle connections of the user of the jobs have ended by then, as his ticket has.
        Instant useless = Instant.now().plus(TICKET);
        until(() -> Instant.now().isAfter(useless), daemon::output);
        byte[] later = load("/alice/sixth", 5 * BLOCK);
        awaitRaided(daemon, 6, IN_CONTAINERS);
        assertThat(daemon.client().status().transfers())
            .as("bytes that passed through the daemon")
            .noneMatch(transfer -> transfer.purpose().equals("raiding"));
        assertThat(applications(yarn.configuration()))
            .hasSize(2)
            .allSatisfy(
                application ->
                    assertThat(application)
                        .returns("jobs", ApplicationReport::getUser)
                        .returns(
                            FinalApplicationStatus.SUCCEEDED,
                            ApplicationReport::getFinalApplicationStatus));
        assertThat(read("/alice/sixth", hdfs.configuration())).isEqualTo(later);
        assertThat(read("/alice/fifth", hdfs.configuration())).isEqualTo(bytes);
        awaitHealthy(daemon);
        daemon.assertNoStackTrace();
      }
      say("Containers have encoded as jobs");
    }
  }

  private static List<ApplicationReport> applications(Configuration conf) throws Exception {
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(conf);
      yarn.start();
      return yarn.getApplications();
    }
  }

  /** Returns a folder with the configuration of HDFS and YARN. */
  private Path site(Configuration all) throws IOException {
    Path site = Files.createDirectories(folder.resolve("site"));
    for (String file :
        List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml", "mapred-site.xml")) {
      write(site.resolve(file), all);
    }
    Files.copy(folder.resolve("ssl-client.xml"), site.resolve("ssl-client.xml"));
    return site;
  }

  private DaemonProcess launch() throws IOException {
    return launch(conf, hadoopConf());
  }

  private DaemonProcess launch(Path ownConf, Path hadoopConf) throws IOException {
    return DaemonProcess.launch(
        ownConf,
        Optional.of(hadoopConf),
        Map.of(
            "JAVA_TOOL_OPTIONS",
            "-Djava.security.krb5.conf=" + kdc.krb5Conf(TICKET),
            "KRB5CCNAME",
            folder.resolve("no-ticket").toString()));
  }

  /** What {@code raidnode check} and the start find without asking anybody. */
  private void wrongSettings(Path keytab) throws Exception {
    Configuration simple = new Configuration();
    simple.set("hadoop.security.authentication", "simple");
    KerberosIdentity right = KerberosIdentity.of(RAID, keytab);
    assertThat(right.problemWithPrincipal(hdfs.configuration())).isEmpty();
    assertThat(right.problemWithKeytab()).isEmpty();
    assertThat(right.warning()).isEmpty();
    assertThat(right.problemWithUser(hdfs.configuration())).isEmpty();
    Configuration noRule = hdfs.configuration();
    noRule.set("hadoop.security.auth_to_local", "RULE:[1:$1@$0](.*@OTHER.COM)s/@.*//");
    assertThat(right.problemWithUser(noRule).orElseThrow())
        .contains(right.principal() + " stands for no user", "hadoop.security.auth_to_local");
    assertThat(right.problemWithUser(hdfs.configuration())).isEmpty();
    assertThat(right.problemWithPrincipal(simple).orElseThrow())
        .contains("hadoop.security.authentication is not kerberos", "HADOOP_CONF_DIR");

    Path open = Files.copy(keytab, folder.resolve("open.keytab"));
    KerberosIdentity known = KerberosIdentity.of(RAID, open);
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("r--r--r--"));
    assertThat(known.problemWithKeytab().orElseThrow())
        .contains("is open to others than its owner", "chmod 400");
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("r--r-----"));
    assertThat(known.problemWithKeytab()).isEmpty();
    assertThat(known.warning().orElseThrow()).contains("can be read by its group");

    Path text = Files.writeString(folder.resolve("text"), "no keytab");
    Files.setPosixFilePermissions(text, PosixFilePermissions.fromString("r--------"));
    assertThat(KerberosIdentity.of(RAID, text).problemWithKeytab().orElseThrow())
        .contains("is not a keytab");
    assertThat(KerberosIdentity.of(RAID, folder.resolve("none")).problemWithKeytab().orElseThrow())
        .contains("does not exist");

    configure("bob@" + Kdc.REALM, keytab, keytab);
    try (DaemonProcess daemon = launch()) {
      assertThat(daemon.exitCode()).as(daemon::output).isEqualTo(78);
      assertThat(daemon.output())
          .contains(
              "hadoop.keytab: ",
              "has no key for bob@EXAMPLE.COM, only for " + right.principal(),
              "api.kerberos.keytab: ",
              "has no key for %s, only for %s".formatted(service(), right.principal()));
      daemon.assertNoStackTrace();
    }
    configure("", "", httpKeytab);
    try (DaemonProcess daemon = launch()) {
      daemon.assertRefused("neither a keytab nor a valid ticket", "kinit");
    }
    say("Wrong settings are refused");
  }

  /** The daemon is frozen meanwhile, so that nobody repairs before the degraded read. */
  private void losesAndRepairs(DaemonProcess daemon, byte[] bytes) throws Exception {
    daemon.freeze();
    LocatedBlock lost = blocks("/alice/first").get(1);
    String dead = lost.getLocations()[0].getXferAddr();
    int node = dataNodeAt(dead);
    hdfs.killDataNode(node);
    assertThatThrownBy(() -> read("/alice/first", hdfs.configuration()))
        .isInstanceOf(BlockMissingException.class);
    Configuration degraded = hdfs.configuration();
    degraded.set("fs.hdfs.impl", DistributedRaidFileSystem.class.getName());
    assertThat(read("/alice/first", degraded)).as("read by alice").isEqualTo(bytes);
    daemon.thaw();
    say("alice has read through the loss");

    until(
        () ->
            Arrays.stream(blocks("/alice/first").get(1).getLocations())
                .anyMatch(place -> !place.getXferAddr().equals(dead)),
        daemon::output);
    assertThat(read("/alice/first", hdfs.configuration())).isEqualTo(bytes);
    awaitHealthy(daemon);
    hdfs.restartDataNode(node);
    say("The block is repaired");
  }

  private record Said(int exitCode, String output) {}

  /** In a process of its own, for it logs in by itself. */
  private Said shell(Path ticketCache, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Djava.security.krb5.conf=" + kdc.krb5Conf(TICKET));
    command.add("-Dhdfsraid.conf=" + conf);
    command.add("-cp");
    command.add(hadoopConf() + File.pathSeparator + System.getProperty("java.class.path"));
    command.add(RaidShell.class.getName());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("KRB5CCNAME", ticketCache.toString());
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Said(process.waitFor(), said);
  }

  private void doctorLogsIn() throws Exception {
    Said doctor = shell(folder.resolve("no-ticket"), "doctor");
    assertThat(doctor.exitCode()).as(doctor.output()).isLessThanOrEqualTo(3);
    assertThat(doctor.output())
        .contains(
            "Kerberos: Logged in as " + principalOfDaemon(),
            "Kerberos of the REST API: Tickets for %s are accepted".formatted(service()),
            "raid has the rights of the")
        .doesNotContain("FAIL", "UNKNOWN");
    say("doctor has asked everything");
  }

  /**
   * By the shell, from the ticket caches of kinit: alice is a viewer by her group, bob an admin.
   */
  private void peopleUseTheirTickets(DaemonProcess daemon) throws Exception {
    Path ofAlice = kdc.ticketCache(folder.resolve("krb5cc_alice"), "alice", aliceKeytab);
    Path ofBob = kdc.ticketCache(folder.resolve("krb5cc_bob"), "bob", bobKeytab);
    String url = "--url=" + daemon.address();
    String[] change = {
      url, "--kerberos", "settings", "raiding.workers=3", "--yes", "--reason=journey"
    };
    Said status = shell(ofAlice, url, "--kerberos", "status");
    assertThat(status.exitCode()).as(status.output()).isZero();
    Said refused = shell(ofAlice, change);
    assertThat(refused.exitCode()).as(refused.output()).isNotZero();
    assertThat(refused.output())
        .contains("alice has the role viewer, and this needs the role admin", "api.roles");
    Said changed = shell(ofBob, change);
    assertThat(changed.exitCode()).as(changed.output()).isZero();
    assertThat(shell(ofAlice, url, "--kerberos", "history", "--by=bob").output())
        .contains("bob", "raiding.workers")
        .doesNotContain("unproven");
    Said nobody = shell(folder.resolve("no-ticket"), change);
    assertThat(nobody.exitCode()).as(nobody.output()).isNotZero();
    assertThat(nobody.output()).contains("There is no valid Kerberos ticket", "Run kinit");
    assertThat(daemon.output().lines().filter(line -> line.contains(" audit: PUT ")))
        .satisfiesExactly(
            line ->
                assertThat(line).contains("user=\"alice\" known=\"kerberos\"", "status=\"403\""),
            line ->
                assertThat(line)
                    .contains("user=\"bob\" known=\"kerberos\"", "status=\"200\"")
                    .contains("reason=\"journey\""));
    say("People have used their tickets");
    noTicketIsSentUnlessItIsWanted(ofAlice);
  }

  /** Java itself would answer any server that asks for a ticket. */
  private void noTicketIsSentUnlessItIsWanted(Path ticketCache) throws Exception {
    List<String> proofs = new CopyOnWriteArrayList<>();
    HttpServer stranger = HttpServer.create(new InetSocketAddress(0), 0);
    stranger.createContext(
        "/",
        exchange -> {
          proofs.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
          exchange.getResponseHeaders().add("WWW-Authenticate", "Negotiate");
          exchange.sendResponseHeaders(401, -1);
          exchange.close();
        });
    stranger.start();
    try {
      String host = InetAddress.getLocalHost().getCanonicalHostName();
      Said said =
          shell(
              ticketCache,
              "--url=http://%s:%d".formatted(host, stranger.getAddress().getPort()),
              "status");
      assertThat(said.exitCode()).as(said.output()).isNotZero();
      assertThat(proofs).as(said.output()).isNotEmpty().containsOnly("null");
    } finally {
      stranger.stop(0);
    }
  }

  /** Java alone would accept a ticket again whose clear text somebody has changed. */
  private void ticketsAreAcceptedOnceAndUnchanged(DaemonProcess daemon) throws Exception {
    GSSContext context = asAlice(this::context);
    byte[] token = asAlice(() -> context.initSecContext(new byte[0], 0, 0));
    HttpResponse<String> accepted = negotiate(daemon, token);
    assertThat(accepted.statusCode()).as(accepted.body()).isEqualTo(200);
    String answer = accepted.headers().firstValue("WWW-Authenticate").orElseThrow();
    byte[] proof = Base64.getDecoder().decode(answer.replaceFirst("^Negotiate ", ""));
    asAlice(() -> context.initSecContext(proof, 0, proof.length));
    assertThat(context.isEstablished() && context.getMutualAuthState())
        .as("the daemon has proved who it is")
        .isTrue();

    HttpResponse<String> again = negotiate(daemon, token);
    assertThat(again.statusCode()).isEqualTo(401);
    assertThat(again.headers().allValues("WWW-Authenticate"))
        .containsExactly("Bearer", "Negotiate");
    assertThat(daemon.output()).contains("Request is a replay");
    ServiceTickets tickets = new ServiceTickets(service(), httpKeytab);
    byte[] other = asAlice(() -> context().initSecContext(new byte[0], 0, 0));
    assertThat(tickets.read(other).principal()).isEqualTo("alice@" + Kdc.REALM);
    for (int i = 0; i < other.length; i++) {
      byte[] changed = other.clone();
      changed[i] ^= 1;
      assertThatThrownBy(() -> tickets.read(changed))
          .as("with another byte at %d", i)
          .isInstanceOf(TicketException.class);
    }
    byte[] shorter = Arrays.copyOf(token, token.length / 2);
    assertThat(negotiate(daemon, shorter).statusCode()).isEqualTo(401);
    ServiceTickets ofAnother = new ServiceTickets("HTTP/other@" + Kdc.REALM, httpKeytab);
    assertThatThrownBy(
            () -> ofAnother.read(asAlice(() -> context().initSecContext(new byte[0], 0, 0))))
        .isInstanceOf(TicketException.class)
        .hasMessageContaining("it is for " + service());
    say("Tickets are accepted once and unchanged");
  }

  private GSSContext context() throws Exception {
    GSSManager manager = GSSManager.getInstance();
    GSSContext context =
        manager.createContext(
            manager.createName(service(), new Oid("1.2.840.113554.1.2.2.1")),
            new Oid("1.3.6.1.5.5.2"),
            null,
            GSSContext.DEFAULT_LIFETIME);
    context.requestMutualAuth(true);
    return context;
  }

  private static HttpResponse<String> negotiate(DaemonProcess daemon, byte[] token)
      throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(daemon.address().resolve(ApiPaths.STATUS))
                .header("Authorization", "Negotiate " + Base64.getEncoder().encodeToString(token))
                .build(),
            BodyHandlers.ofString());
  }

  /** The NameNode is started again, or the daemon's old connection would hide an old ticket. */
  private void crossesTwoLifetimes(DaemonProcess daemon) throws Exception {
    String first = ticketEnds(daemon);
    until(() -> !ticketEnds(daemon).equals(first), daemon::output);
    String second = ticketEnds(daemon);
    until(() -> !ticketEnds(daemon).equals(second), daemon::output);
    assertThat(failedLogins(daemon)).as("of the start, and none since").isEqualTo(1);
    say("Two tickets have been replaced");
    hdfs.killNameNode();
    hdfs.restartNameNode();
    load("/alice/second", 5 * BLOCK);
    awaitRaided(daemon, 2);
    say("A file was raided with the third ticket");
  }

  private void survivesTheKdc(DaemonProcess daemon) throws Exception {
    kdc.stop();
    until(() -> kerberosHealth(daemon).contains("has no valid ticket"), daemon::output);
    say("The KDC has been away for longer than a ticket lives");
    kdc.goOn();
    until(
        () -> daemon.output().contains("Logged in as %s again".formatted(principalOfDaemon())),
        daemon::output);
    assertThat(kerberosHealth(daemon)).contains("\"healthy\":true");
    // One at the start, one when it went, and one a minute, of the login and of the NameNode each.
    assertThat(failedLogins(daemon)).as(daemon::output).isBetween(2L, 8L);
    hdfs.killNameNode();
    hdfs.restartNameNode();
    load("/alice/third", 6 * BLOCK);
    awaitRaided(daemon, 3);
    awaitHealthy(daemon);
    say("The daemon has survived the KDC");
  }

  /** It stands by for longer than a ticket lives. */
  private void anotherTakesOver(DaemonProcess active) throws Exception {
    Path own = Files.createDirectory(folder.resolve("standby"));
    for (String file : List.of("raidnode.yml", "policies.yml")) {
      Files.copy(conf.resolve(file), own.resolve(file));
    }
    try (DaemonProcess standby = launch(own, hadoopConf())) {
      until(() -> standby.standbys() == 1, standby::output);
      Path ofAlice = kdc.ticketCache(folder.resolve("krb5cc_standby"), "alice", aliceKeytab);
      Said status =
          shell(ofAlice, "--url=" + standby.standbyAddress().orElseThrow(), "--kerberos", "status");
      assertThat(status.exitCode()).as(status.output()).isZero();
      Instant useless = Instant.now().plus(TICKET);
      until(() -> Instant.now().isAfter(useless), standby::output);
      active.kill();
      until(() -> standby.starts() == 1, standby::output);
      load("/alice/fourth", 6 * BLOCK);
      awaitRaided(standby, 4);
      assertThat(standby.output()).doesNotContain("The Kerberos login as");
      standby.assertNoStackTrace();
    }
    say("Another daemon has taken over");
  }

  private static long failedLogins(DaemonProcess daemon) {
    return daemon.output().lines().filter(line -> line.contains("The Kerberos login as")).count();
  }

  private Map<String, String> settings(Path keytab) {
    String hdfsPrincipal = "hdfs/localhost@" + Kdc.REALM;
    String http = "HTTP/localhost@" + Kdc.REALM;
    return Map.ofEntries(
        Map.entry("hadoop.security.authentication", "kerberos"),
        Map.entry("hadoop.security.authorization", "true"),
        Map.entry("hadoop.rpc.protection", "privacy"),
        Map.entry("hadoop.kerberos.min.seconds.before.relogin", "1"),
        Map.entry(
            "hadoop.user.group.static.mapping.overrides",
            "hdfs=supergroup;raid=supergroup;alice=users;bob=ops;jobs=users"),
        Map.entry("dfs.permissions.superusergroup", "supergroup"),
        Map.entry("dfs.cluster.administrators", "hdfs,raid"),
        Map.entry("dfs.namenode.kerberos.principal", hdfsPrincipal),
        Map.entry("dfs.namenode.keytab.file", keytab.toString()),
        Map.entry("dfs.namenode.kerberos.internal.spnego.principal", http),
        Map.entry("dfs.datanode.kerberos.principal", hdfsPrincipal),
        Map.entry("dfs.datanode.keytab.file", keytab.toString()),
        Map.entry("dfs.web.authentication.kerberos.principal", http),
        Map.entry("dfs.web.authentication.kerberos.keytab", keytab.toString()),
        Map.entry("dfs.data.transfer.protection", "privacy"),
        Map.entry("dfs.http.policy", "HTTPS_ONLY"),
        Map.entry("dfs.namenode.accesstime.precision", "1000"));
  }

  private void makeKeyStores() throws Exception {
    String store = " -storetype PKCS12 -storepass changeit -noprompt -keystore ";
    Path keys = folder.resolve("hdfs.p12");
    Path certificate = folder.resolve("hdfs.pem");
    Path trusted = folder.resolve("trusted.p12");
    keytool(
        "-genkeypair -alias hdfs -keyalg EC -dname CN=localhost"
            + " -ext san=dns:localhost,ip:127.0.0.1"
            + store
            + keys);
    keytool("-exportcert -rfc -alias hdfs -file " + certificate + store + keys);
    keytool("-importcert -alias hdfs -file " + certificate + store + trusted);
    for (String side : List.of("server", "client")) {
      Configuration ssl = new Configuration(false);
      ssl.set("ssl.%s.truststore.location".formatted(side), trusted.toString());
      ssl.set("ssl.%s.truststore.password".formatted(side), "changeit");
      ssl.set("ssl.%s.truststore.type".formatted(side), "PKCS12");
      if (side.equals("server")) {
        ssl.set("ssl.server.keystore.location", keys.toString());
        ssl.set("ssl.server.keystore.password", "changeit");
        ssl.set("ssl.server.keystore.keypassword", "changeit");
        ssl.set("ssl.server.keystore.type", "PKCS12");
      }
      write(folder.resolve("ssl-%s.xml".formatted(side)), ssl);
    }
  }

  private static void keytool(String arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments.split(" ", -1)));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }

  private static void write(Path file, Configuration conf) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      conf.writeXml(out);
    }
  }

  private void configure(String principal, Object keytab, Path ofApi) throws IOException {
    configure(principal, keytab, ofApi, "raiding: {quarantine: 0s}\n");
  }

  private void configure(String principal, Object keytab, Path ofApi, String more)
      throws IOException {
    Files.writeString(
        conf.resolve("raidnode.yml"),
        """
        hadoop: {principal: %s, keytab: %s}
        catalog: {directory: catalog}
        repair: {delay: 0s, retryAfter: 1s}
        schedule: {scan: "0/2 * * * * ?", integrityCheck: "1/2 * * * * ?"}
        recency: {atimeSince: 2020-01-01T00:00:00Z}
        api:
          withoutToken: viewer
          kerberos: {principal: %s, keytab: %s}
          roles: {viewer: {groups: [users]}, admin: {users: [bob]}}
        server:
          applicationConnectors: [{type: http, bindHost: 127.0.0.1, port: 0}]
          adminConnectors: [{type: http, bindHost: 127.0.0.1, port: 0}]
          requestLog: {appenders: []}
        """
                .formatted(principal, keytab, HTTP, ofApi)
            + more);
    Files.writeString(
        conf.resolve("policies.yml"),
        "policies:\n  - {name: cold, paths: [/alice/**], coldAfter: 1s, minAge: 0, codec: rs-3-2}\n");
  }

  private Path hadoopConf() throws IOException {
    Path tls = hdfs.confDirectory().resolve("ssl-client.xml");
    if (!Files.exists(tls)) {
      Files.copy(folder.resolve("ssl-client.xml"), tls);
    }
    return hdfs.confDirectory();
  }

  private static String service() throws IOException {
    return KerberosIdentity.of(HTTP, Path.of("any")).principal();
  }

  private static String principalOfDaemon() throws IOException {
    return KerberosIdentity.of(RAID, Path.of("any")).principal();
  }

  private static org.apache.hadoop.fs.Path path(String name) {
    return new org.apache.hadoop.fs.Path(name);
  }

  private byte[] load(String path, int length) throws Exception {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    asAlice(
        () -> {
          try (FileSystem fs = FileSystem.newInstance(hdfs.uri(), hdfs.configuration());
              OutputStream out = fs.create(path(path))) {
            out.write(bytes);
          }
          return bytes;
        });
    return bytes;
  }

  private byte[] read(String path, Configuration client) throws Exception {
    return asAlice(
        () -> {
          try (FileSystem fs = FileSystem.newInstance(hdfs.uri(), client);
              FSDataInputStream in = fs.open(path(path))) {
            return in.readAllBytes();
          }
        });
  }

  private <T> T asAlice(PrivilegedExceptionAction<T> action) throws Exception {
    alice.reloginFromKeytab();
    return alice.doAs(action);
  }

  private List<LocatedBlock> blocks(String path) throws IOException {
    return hdfs.fileSystem()
        .getClient()
        .getLocatedBlocks(path, 0, Long.MAX_VALUE)
        .getLocatedBlocks();
  }

  private void awaitRaided(DaemonProcess daemon, int files) throws Exception {
    awaitRaided(daemon, files, Until.LONGEST);
  }

  private void awaitRaided(DaemonProcess daemon, int files, Duration longest) throws Exception {
    Until.holds(() -> raided(daemon) == files, longest, daemon::output);
    for (FileSummary file :
        daemon.client().files("/alice", Optional.empty(), Paging.first(100)).items()) {
      until(
          () -> blocks(file.path()).stream().allMatch(block -> block.getLocations().length == 1),
          daemon::output);
    }
  }

  private static long raided(DaemonProcess daemon) throws Exception {
    try {
      return daemon.client().files("/alice", Optional.empty(), Paging.first(100)).items().stream()
          .filter(file -> file.state() == FileState.RAIDED)
          .count();
    } catch (RaidNodeException e) {
      if (e.code() == ErrorCode.NOT_READY) {
        return 0; // the NameNode has just been started again, and decides who sees names
      }
      throw e;
    }
  }

  private static void awaitHealthy(DaemonProcess daemon) throws Exception {
    until(
        () -> daemon.client().fsck("/alice", Paging.FIRST).summary().worst() == HealthState.HEALTHY,
        daemon::output);
  }

  private int dataNodeAt(String address) {
    for (int node = 0; node < NODES; node++) {
      if (hdfs.xferAddress(node).equals(address)) {
        return node;
      }
    }
    throw new AssertionError("No DataNode has the address " + address);
  }

  private static void until(Until.Condition condition, Supplier<String> otherwise)
      throws Exception {
    Until.holds(condition, otherwise);
  }

  private static String ticketEnds(DaemonProcess daemon) throws Exception {
    Matcher matcher = ENDS.matcher(kerberosHealth(daemon));
    return matcher.find() ? matcher.group(1) : "";
  }

  /** Returns what the health check says, in JSON. */
  private static String kerberosHealth(DaemonProcess daemon) throws Exception {
    URI checks = daemon.adminAddress().resolve("/healthcheck");
    HttpResponse<InputStream> answer =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(checks).build(), BodyHandlers.ofInputStream());
    try (InputStream body = answer.body()) {
      return io.hdfsraid.raidapi.ApiJson.mapper().readTree(body).path("kerberos").toString();
    }
  }
}
