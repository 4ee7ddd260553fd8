// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.doctor;

import io.hdfsraid.yarn.job.ContainerSettings;
import io.hdfsraid.yarn.job.StripeJobs;
import io.hdfsraid.yarn.job.YarnFacts;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * Checks whether YARN accepts our jobs. No result is worse than a warning: what containers cannot
 * do, the daemon does.
 */
final class YarnCheck {
  private static final String NAME = "YARN";
  private static final String QUEUE = "YARN: queue";
  private static final String CONTAINER = "YARN: container";

  private YarnCheck() {}

  /**
   * Asks YARN as the user that jobs would run as.
   *
   * @param patience how long to wait for a ResourceManager that does not answer
   */
  static List<CheckResult> of(Configuration hadoop, ContainerSettings settings, Duration patience) {
    try {
      String noBlockPool = "";
      return judge(new StripeJobs(hadoop, noBlockPool, settings, patience).facts(), settings);
    } catch (IOException | RuntimeException e) { // the latter for addresses that make no sense
      return List.of(
          CheckResult.warn(
              NAME,
              "It could not be asked: " + Answer.firstLine(e),
              "HADOOP_CONF_DIR needs the yarn-site.xml and mapred-site.xml of the cluster. If the"
                  + " daemon's user may not act for yarn.user, set hadoop.proxyuser in the"
                  + " core-site.xml of the ResourceManagers. If yarn.kerberos is set, look whether its"
                  + " keytab is the newest of its principal."));
    }
  }

  static List<CheckResult> judge(YarnFacts facts, ContainerSettings settings) {
    return List.of(nodeManagers(facts), queue(facts), container(facts, settings));
  }

  private static CheckResult nodeManagers(YarnFacts facts) {
    String seen =
        "active NodeManagers: %d; jobs run as %s".formatted(facts.nodeManagers(), facts.user());
    return facts.nodeManagers() == 0
        ? CheckResult.warn(NAME, seen, "Start NodeManagers, or set the engines to local.")
        : CheckResult.ok(NAME, seen);
  }

  private static CheckResult queue(YarnFacts facts) {
    if (facts.queue().isEmpty()) {
      return CheckResult.ok(QUEUE, "yarn.queue names none, so the cluster chooses one");
    }
    YarnFacts.Queue queue = facts.queue().get();
    if (queue.state().isEmpty()) {
      return CheckResult.warn(
          QUEUE,
          "There is no queue " + queue.name(),
          "Name another one in yarn.queue, unless the cluster makes it for the first job.");
    }
    String seen = "%s is %s".formatted(queue.name(), queue.state().get());
    if (!queue.state().get().equals("RUNNING")) {
      return CheckResult.warn(
          QUEUE, seen + ", so it takes no jobs", "Start it, or name another one in yarn.queue.");
    }
    return queue.maySubmit()
        ? CheckResult.ok(QUEUE, seen)
        : CheckResult.warn(
            QUEUE,
            "%s, but %s may not submit jobs to it".formatted(seen, facts.user()),
            "Let the user submit applications there, or name another user or queue in the section"
                + " yarn of raidnode.yml.");
  }

  private static CheckResult container(YarnFacts facts, ContainerSettings settings) {
    String seen =
        "asks for %d MiB and cores: %d; the largest has %d MiB and cores: %d"
            .formatted(
                settings.memoryMegabytes(),
                settings.cores(),
                facts.largestMegabytes(),
                facts.mostCores());
    boolean fits =
        settings.memoryMegabytes() <= facts.largestMegabytes()
            && settings.cores() <= facts.mostCores();
    return fits
        ? CheckResult.ok(CONTAINER, seen)
        : CheckResult.warn(CONTAINER, seen, "Lower yarn.memory or yarn.cores.");
  }
}
