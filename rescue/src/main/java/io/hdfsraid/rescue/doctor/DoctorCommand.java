// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.doctor;

import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.raidapi.ApiJson;
import io.hdfsraid.raidnode.config.RaidNodeConfiguration;
import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.config.SettingsException;
import io.hdfsraid.raidnode.config.SettingsFiles;
import io.hdfsraid.raidnode.config.YarnSettings;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.rescue.output.JsonOption;
import io.hdfsraid.rescue.output.LibraryLogging;
import io.hdfsraid.yarn.job.ContainerSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code raidshell doctor}: checks whether files can be raided on a cluster. */
@Command(
    name = "doctor",
    description = {
      "Checks whether files can be raided on the cluster of HADOOP_CONF_DIR, and which codecs fit"
          + " it. For each problem it says what it means and what to do. Needs no RaidNode, and"
          + " without --trial-job it changes nothing. Run it as the user that the RaidNode will run as.",
      "If raiding.engine or repair.engine is not local, it also checks whether YARN accepts jobs.",
      "Exit code 3: there is a warning, or a check had no answer. 6: nothing can be raided."
    })
public final class DoctorCommand implements Callable<Integer> {
  private static final List<String> HEADING =
      List.of(
          "CODEC",
          "FITS",
          "NODES",
          "NODE LOSSES",
          "RACK LOSSES",
          "MOST IN A RACK",
          "DATA AT ONCE",
          "POLICIES",
          "WHY NOT");

  private static final Duration RESOURCE_MANAGER = Duration.ofSeconds(10);

  private final Supplier<Configuration> hadoop;

  @Spec private CommandSpec spec;

  @Option(
      names = "--root",
      paramLabel = "PATH",
      description =
          "Directory of the parity. Default: hdfs.root of raidnode.yml in the --conf folder.")
  private Optional<String> root = Optional.empty();

  @Option(
      names = "--conf",
      paramLabel = "FOLDER",
      defaultValue = "${sys:hdfsraid.conf:-conf}",
      description = "Folder of raidnode.yml and policies.yml. Default: conf of the installation.")
  private Path conf;

  @Option(
      names = "--trial-job",
      description =
          "Also run a job with one container on YARN, which reads a block and writes its parity."
              + " Its files are in /hdfs-raid-trial-ID, which is deleted.")
  private boolean trialJob;

  /** On the cluster that the files on the class path name. */
  public DoctorCommand() {
    this(HdfsConfiguration::new);
  }

  public DoctorCommand(Supplier<Configuration> hadoop) {
    this.hadoop = hadoop;
  }

  @Override
  public Integer call() throws IOException {
    LibraryLogging.hush();
    Optional<Settings> settings = settings();
    String parityRoot =
        root.or(() -> settings.map(found -> found.node().hdfs().root()))
            .orElse(ParitySettings.DEFAULT_ROOT);
    try {
      new ParitySettings(parityRoot, ParitySettings.AccessRule.INHERIT);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage());
    }
    Policies policies =
        settings.map(Settings::policies).orElseGet(() -> new Policies(List.of(), List.of(), 0));
    DoctorReport checkup = examine(settings, policies, parityRoot);
    PrintWriter out = spec.commandLine().getOut();
    if (JsonOption.of(spec)) {
      out.println(ApiJson.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(checkup));
    } else {
      show(checkup, Screen.of(spec));
    }
    out.flush();
    return exitCode(checkup.grade()).number();
  }

  /** Without a login, nothing else has an answer. */
  private DoctorReport examine(Optional<Settings> settings, Policies policies, String parityRoot)
      throws IOException {
    Configuration cluster = hadoop.get();
    List<CheckResult> kerberos =
        KerberosCheck.logIn(conf.resolve("raidnode.yml"), settings, cluster);
    if (kerberos.stream().anyMatch(result -> result.grade() == Grade.FAIL)) {
      String nobody = "nobody";
      return DoctorReport.of(
          FileSystem.getDefaultUri(cluster).toString(), nobody, kerberos, List.of());
    }
    DoctorReport report = doctor(policies).examine(Survey.of(cluster, parityRoot)).after(kerberos);
    boolean usesContainers =
        settings.map(Settings::node).filter(RaidNodeConfiguration::usesContainers).isPresent();
    if (!usesContainers && !trialJob) {
      return report;
    }
    ContainerSettings containers =
        settings.map(Settings::containers).orElseGet(() -> YarnSettings.defaults().container(conf));
    List<CheckResult> yarn = new ArrayList<>(YarnCheck.of(cluster, containers, RESOURCE_MANAGER));
    if (trialJob && report.grade() == Grade.FAIL) {
      yarn.add(CheckResult.unknown("YARN: trial job", "a check has failed"));
    } else if (trialJob) {
      yarn.add(
          new TrialJob(cluster, containers, RESOURCE_MANAGER, spec.commandLine().getErr()).run());
    }
    return report.before(yarn);
  }

  /** Returns the settings, if there are any: a cluster can be checked without them. */
  private Optional<Settings> settings() {
    Path file = conf.resolve("raidnode.yml");
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(SettingsFiles.read(file, Clock.system(ZoneId.systemDefault())));
    } catch (SettingsException e) {
      throw new ParameterException(
          spec.commandLine(),
          "%s Name another folder by --conf, or one without these files."
              .formatted(e.getMessage()));
    }
  }

  /** All usual codecs, and those of other shapes that policies name. */
  private static Doctor doctor(Policies policies) {
    Map<String, List<String>> policiesByCodec = new TreeMap<>();
    for (Policy policy : policies.inOrder().stream().filter(Policy::raids).toList()) {
      policiesByCodec
          .computeIfAbsent(policy.protection().codec(), codec -> new ArrayList<>())
          .add(policy.name());
    }
    List<ErasureCodec> codecs = new ArrayList<>(Codecs.all());
    for (String codec : policiesByCodec.keySet()) {
      if (codecs.stream().noneMatch(usual -> usual.name().equals(codec))) {
        codecs.add(Codecs.parse(codec));
      }
    }
    return new Doctor(codecs, policiesByCodec);
  }

  private static void show(DoctorReport checkup, Screen screen) {
    screen.line("%s, asked as %s".formatted(checkup.hdfs(), checkup.user()));
    screen.blank();
    for (CheckResult finding : checkup.findings()) {
      screen.line("%-7s %s: %s".formatted(finding.grade(), finding.check(), finding.seen()));
      if (!finding.advice().isEmpty()) {
        screen.line("        " + finding.advice());
      }
    }
    if (!checkup.codecs().isEmpty()) {
      screen.blank();
      screen.table(HEADING, checkup.codecs().stream().map(DoctorCommand::row).toList());
    }
    screen.blank();
    screen.line(
        switch (checkup.grade()) {
          case OK -> "Files can be raided here.";
          case UNKNOWN -> "No check failed, but some had no answer.";
          case WARN -> "Files can be raided here. Read the warnings.";
          case FAIL -> "Nothing can be raided here until every FAIL is resolved.";
        });
  }

  private static List<String> row(CodecFit fit) {
    return List.of(
        fit.codec(),
        fit.fits() ? "YES" : "no",
        Integer.toString(fit.nodesNeeded()),
        fit.fits() ? Integer.toString(fit.nodeLosses()) : "-",
        fit.fits() ? Integer.toString(fit.rackLosses()) : "-",
        fit.fits() ? Integer.toString(fit.unitsInARack()) : "-",
        fit.fits() ? Screen.bytes(fit.dataAtOnce()) : "-",
        fit.policies().isEmpty() ? "-" : String.join(", ", fit.policies()),
        fit.fits() ? "-" : fit.whyNot());
  }

  private static ExitCode exitCode(Grade grade) {
    return switch (grade) {
      case OK -> ExitCode.OK;
      case UNKNOWN, WARN -> ExitCode.FINDINGS;
      case FAIL -> ExitCode.REFUSED;
    };
  }
}
