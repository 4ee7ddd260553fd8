// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dropwizard.jersey.validation.Validators;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.erasurecode.kernel.CodingKernels;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.PoliciesFile;
import io.hdfsraid.policies.settings.Problems;
import io.hdfsraid.policies.settings.SettingsProblem;
import io.hdfsraid.raidnode.hdfs.KerberosIdentity;
import io.hdfsraid.raidnode.schedule.Cron;
import io.hdfsraid.recency.auditlog.AuditLogSettings;
import io.hdfsraid.yarn.job.JobLogin;
import jakarta.validation.ConstraintViolation;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads {@code raidnode.yml} and the {@code policies.yml} beside it. Starts nothing and changes
 * nothing.
 */
public final class SettingsFiles {
  public static final String POLICIES = "policies.yml";

  private static final int MAX_PORT = 65_535;
  private static final String HADOOP = "hadoop";
  private static final String API = "api.kerberos";
  private static final String JOBS = "yarn.kerberos";
  private static final String PRINCIPAL = ".principal";
  private static final String KEYTAB = ".keytab";

  /** All clients ask for a ticket of this service. */
  private static final String HTTP = "HTTP/";

  private static final String AUDIT_LOGS = "recency.auditLogs";

  private SettingsFiles() {}

  /**
   * Reads and validates both files.
   *
   * @param clock a schedule must name a time in the future of this clock
   * @throws SettingsException with all mistakes of both files
   */
  public static Settings read(Path nodeFile, Clock clock) throws SettingsException {
    Path folder = nodeFile.toAbsolutePath().getParent();
    Problems problems = new Problems(nodeFile);
    YamlReader reader = new YamlReader(nodeFile, problems);
    Optional<RaidNodeConfiguration> node =
        reader.tree().flatMap(tree -> reader.read(tree, RaidNodeConfiguration.class));
    node.ifPresent(read -> check(read, problems, clock));
    ZoneId zone = node.map(read -> read.schedule().timeZone()).orElseGet(clock::getZone);
    Path policiesFile = nodeFile.resolveSibling(POLICIES);
    Problems policiesProblems = new Problems(policiesFile);
    YamlReader policiesReader = new YamlReader(policiesFile, policiesProblems);
    Optional<Policies> policies =
        policies(policiesReader, policiesReader.tree(), policiesProblems, new Known(clock, zone));
    refuse(problems, policiesProblems);
    return new Settings(node.orElseThrow(), policies.orElseThrow(), folder);
  }

  /**
   * The Kerberos principals of the daemon.
   *
   * @param login as whom it logs in; empty if it uses the credentials of its user
   * @param api for whom Kerberos users get tickets; empty if their tickets are not accepted
   * @param jobs as whom jobs run; empty if they run as the daemon, or by its right to act for
   *     others
   */
  public record Identities(
      Optional<KerberosIdentity> login,
      Optional<KerberosIdentity> api,
      Optional<KerberosIdentity> jobs) {
    public static final Identities NONE =
        new Identities(Optional.empty(), Optional.empty(), Optional.empty());
  }

  /**
   * Returns the principals of the daemon. Unlike {@link #read}, this needs the rights of the
   * daemon's user, and Hadoop's configuration on the class path.
   *
   * @throws SettingsException if a principal cannot be used with its keytab, as far as can be told
   *     without the network
   */
  public static Identities identities(Path nodeFile, Settings settings) throws SettingsException {
    Problems problems = new Problems(nodeFile);
    Identities identities =
        new Identities(
            identity(settings.node().hadoop().principal(), settings.keytab(), HADOOP, problems),
            identity(
                settings.node().api().kerberos().principal(), settings.apiKeytab(), API, problems),
            identity(
                settings.node().yarn().kerberos().principal(),
                settings.containers().login().map(JobLogin::keytab),
                JOBS,
                problems));
    refuse(problems);
    return identities;
  }

  /**
   * Puts the passwords of key stores into the settings that stand elsewhere. Like {@link
   * #identities}, this needs the rights of the daemon's user.
   *
   * @throws SettingsException with all that cannot be had
   */
  public static void fetchPasswords(Path nodeFile, Settings settings) throws SettingsException {
    Problems problems = new Problems(nodeFile);
    new KeyStorePasswords(settings, problems).fetch();
    refuse(problems);
  }

  private static Optional<KerberosIdentity> identity(
      Optional<String> principal, Optional<Path> keytab, String section, Problems problems) {
    if (principal.isEmpty()) {
      return Optional.empty();
    }
    try {
      KerberosIdentity identity = KerberosIdentity.of(principal.get(), keytab.orElseThrow());
      Optional<String> unusable = identity.problemWithPrincipal();
      if (unusable.isEmpty() && !section.equals(API)) { // who is only asked for needs no user
        unusable = identity.problemWithUser();
      }
      unusable.ifPresent(problem -> problems.add(section + PRINCIPAL, problem));
      identity.problemWithKeytab().ifPresent(problem -> problems.add(section + KEYTAB, problem));
      return Optional.of(identity);
    } catch (IOException e) {
      problems.add(
          section + PRINCIPAL, "has _HOST, but this machine has no name: " + e.getMessage());
      return Optional.empty();
    }
  }

  /** Returns warnings about principals that {@link #identities} has found to be usable. */
  public static List<String> warnings(Path nodeFile, Identities identities) {
    List<String> warnings = new ArrayList<>();
    identities
        .login()
        .flatMap(KerberosIdentity::warning)
        .ifPresent(warning -> warnings.add(HADOOP + KEYTAB + ": " + warning));
    identities
        .api()
        .flatMap(KerberosIdentity::warning)
        .ifPresent(warning -> warnings.add(API + KEYTAB + ": " + warning));
    identities
        .jobs()
        .flatMap(KerberosIdentity::warning)
        .ifPresent(warning -> warnings.add(JOBS + KEYTAB + ": " + warning));
    if (identities.login().isEmpty() && KerberosIdentity.isAskedFor()) {
      warnings.add(
          HADOOP
              + PRINCIPAL
              + ": Hadoop's configuration asks for Kerberos and no principal is set, so the daemon can work only while the ticket cache of its user has a valid ticket");
    }
    return warnings.stream().map(warning -> "%s: %s".formatted(nodeFile, warning)).toList();
  }

  private static void refuse(Problems... files) throws SettingsException {
    List<SettingsProblem> all =
        Arrays.stream(files).flatMap(file -> file.found().stream()).toList();
    if (!all.isEmpty()) {
      throw new SettingsException(all);
    }
  }

  /**
   * Returns warnings about settings that are allowed but probably not intended, such as audit logs
   * that do not exist yet.
   *
   * @throws SettingsException with all mistakes of the policies
   */
  public static List<String> warnings(Path nodeFile, Settings settings, Clock clock)
      throws SettingsException {
    List<String> warnings = new ArrayList<>();
    for (String log : auditLogs(settings.node())) {
      if (!AuditLogSettings.isThere(log)) {
        warnings.add(
            "%s: %s: there is no %s that this user can see: accesses are not known before there is"
                .formatted(nodeFile, AUDIT_LOGS, log));
      }
    }
    new AccessAdvice(settings)
        .warnings()
        .forEach(warning -> warnings.add("%s: %s".formatted(nodeFile, warning)));
    checkPolicies(nodeFile.resolveSibling(POLICIES), clock, settings.node().schedule().timeZone())
        .warnings()
        .forEach(warning -> warnings.add(warning.toString()));
    return warnings;
  }

  private static List<String> auditLogs(RaidNodeConfiguration node) {
    List<String> names = node.hdfs().nameservices();
    return names.size() < 2
        ? node.recency().auditLogs()
        : names.stream()
            .flatMap(name -> node.recency().of(name).auditLogs().stream())
            .distinct()
            .toList();
  }

  /**
   * Reads and validates a {@code policies.yml} on its own.
   *
   * @throws SettingsException with all its mistakes
   */
  public static Policies policies(Path file, Clock clock) throws SettingsException {
    return checkPolicies(file, clock, clock.getZone()).policies();
  }

  /**
   * Valid policies.
   *
   * @param warnings settings that are allowed but probably not intended
   */
  public record CheckedPolicies(Policies policies, List<SettingsProblem> warnings) {
    public CheckedPolicies {
      warnings = List.copyOf(warnings);
    }
  }

  /**
   * Reads and validates policies, and returns them with warnings.
   *
   * @param zone time zone of policies that name none
   * @throws SettingsException with all mistakes
   */
  public static CheckedPolicies checkPolicies(Path file, Clock clock, ZoneId zone)
      throws SettingsException {
    Problems problems = new Problems(file);
    YamlReader reader = new YamlReader(file, problems);
    return checked(reader, reader.tree(), problems, new Known(clock, zone));
  }

  /**
   * Validates the given content of a policies file, like {@link #checkPolicies(Path, Clock,
   * ZoneId)}.
   */
  public static CheckedPolicies checkPolicies(Path file, String content, Clock clock, ZoneId zone)
      throws SettingsException {
    Problems problems = new Problems(file);
    YamlReader reader = new YamlReader(file, problems);
    return checked(reader, reader.tree(content), problems, new Known(clock, zone));
  }

  private static CheckedPolicies checked(
      YamlReader reader, Optional<ObjectNode> tree, Problems problems, Known known)
      throws SettingsException {
    Optional<Policies> policies = policies(reader, tree, problems, known);
    refuse(problems);
    return new CheckedPolicies(policies.orElseThrow(), problems.warnings());
  }

  private static Optional<Policies> policies(
      YamlReader reader, Optional<ObjectNode> tree, Problems problems, Known known) {
    return tree.flatMap(
        root -> PoliciesFile.parse(root.isEmpty() ? null : reader.asMap(root), known, problems));
  }

  private static void check(RaidNodeConfiguration node, Problems problems, Clock clock) {
    Validators.newValidator().validate(node).stream()
        .sorted(Comparator.comparing(violation -> violation.getPropertyPath().toString()))
        .forEach(violation -> problems.add(key(violation), violation.getMessage()));
    bothOrNeither(node.hadoop().principal(), node.hadoop().keytab(), HADOOP, problems);
    PrincipalSettings api = node.api().kerberos();
    bothOrNeither(api.principal(), api.keytab(), API, problems);
    if (api.principal().filter(name -> !name.startsWith(HTTP)).isPresent()) {
      problems.add(
          API + PRINCIPAL,
          "must begin with %s, because all clients ask for a ticket of that service; for example HTTP/_HOST@EXAMPLE.COM"
              .formatted(HTTP));
    }
    PrincipalSettings jobs = node.yarn().kerberos();
    bothOrNeither(jobs.principal(), jobs.keytab(), JOBS, problems);
    if (jobs.principal().isPresent() && node.yarn().user().isPresent()) {
      problems.add(
          "yarn.user", "is set beside yarn.kerberos, as whose principal jobs run: set one");
    }
    node.standby()
        .address()
        .filter(uri -> uri.getHost() == null || !String.valueOf(uri.getScheme()).matches("https?"))
        .ifPresent(
            uri ->
                problems.add(
                    "standby.address",
                    "'%s' is no address of an API, such as https://raid1.example.com:8090"
                        .formatted(uri)));
    List<URI> routers = node.hdfs().routers();
    for (int i = 0; i < routers.size(); i++) {
      if (routers.get(i) != null && !isWebAddress(routers.get(i))) {
        problems.add(
            "hdfs.routers[" + i + "]",
            "'%s' is no web address of a router, such as http://router1.example.com:50071"
                .formatted(routers.get(i)));
      }
    }
    String kernel = node.coding().kernel();
    if (!CodingKernels.settings().contains(kernel)) {
      problems.add(
          "coding.kernel",
          "'%s' is none of %s".formatted(kernel, String.join(", ", CodingKernels.settings())));
    }
    Map.of(
            "schedule.scan", node.schedule().scan(),
            "schedule.integrityCheck", node.schedule().integrityCheck(),
            "schedule.cleanUp", node.schedule().cleanUp())
        .entrySet()
        .stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            entry ->
                Cron.problemWith(entry.getValue(), clock)
                    .ifPresent(problem -> problems.add(entry.getKey(), problem)));
    List<String> logs = node.recency().auditLogs();
    for (int i = 0; i < logs.size(); i++) {
      if (node.hdfs().nameservices().size() > 1
          && !logs.get(i).contains(RecencySettings.NAMESERVICE)) {
        problems.add(
            AUDIT_LOGS + "[" + i + "]",
            "'%s' must have %s in its path: each of the nameservices has a log of its own"
                .formatted(logs.get(i), RecencySettings.NAMESERVICE));
      }
      if (!logs.get(i).startsWith("/")) {
        problems.add(
            AUDIT_LOGS + "[" + i + "]",
            "'%s' must be an absolute path: where the daemon is started from says nothing of where a NameNode writes"
                .formatted(logs.get(i)));
      }
    }
  }

  private static boolean isWebAddress(URI uri) {
    return String.valueOf(uri.getScheme()).matches("https?")
        && uri.getRawAuthority() != null
        && uri.getPort() <= MAX_PORT
        && List.of("", "/").contains(uri.getPath());
  }

  private static void bothOrNeither(
      Optional<String> principal, Optional<Path> keytab, String section, Problems problems) {
    if (principal.isPresent() != keytab.isPresent()) {
      problems.add(
          section + (principal.isPresent() ? KEYTAB : PRINCIPAL),
          "is missing: set %s.principal and %s.keytab, or neither".formatted(section, section));
    }
  }

  /** Translates names of Dropwizard's fields into keys. */
  private static String key(ConstraintViolation<?> violation) {
    return violation
        .getPropertyPath()
        .toString()
        .replaceFirst("^(server|logging|metrics|admin|health)Factory", "$1");
  }

  /** The codecs of the library and the cron expressions of Quartz, for validating policies. */
  private record Known(Clock clock, ZoneId timeZone) implements PoliciesFile.Checks {
    @Override
    public Optional<String> problemWithCodec(String name) {
      try {
        Codecs.parse(name);
        return Optional.empty();
      } catch (IllegalArgumentException e) {
        return Optional.of(e.getMessage());
      }
    }

    @Override
    public Optional<String> problemWithSchedule(String cron) {
      return Cron.problemWith(cron, clock);
    }
  }
}
