// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import io.hdfsraid.policies.Policy;
import io.hdfsraid.raidnode.config.PoliciesWatch;
import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.config.SettingsFiles;
import io.hdfsraid.raidnode.hdfs.Nameservices;
import io.hdfsraid.raidnode.schedule.Job;
import io.hdfsraid.raidnode.schedule.JobListener;
import io.hdfsraid.raidnode.schedule.KnownTrouble;
import io.hdfsraid.raidnode.schedule.Schedule;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/** The schedule of the jobs of a daemon, which follows {@code policies.yml}. */
final class Timetable {
  private static final String EVERY_SECOND = "* * * * * ?";
  private static final String WATCH_JOB = "policies-file";

  private final Schedule schedule;
  private final PoliciesWatch watch;

  /**
   * Creates a timetable; nothing runs before {@link #schedule} is started.
   *
   * @param nameservice whose policies are put in force
   */
  Timetable(
      Settings settings,
      String nameservice,
      Jobs jobs,
      JobListener listener,
      KnownTrouble trouble,
      Clock clock) {
    ZoneId zone = settings.node().schedule().timeZone();
    this.schedule = new Schedule(jobs.all(), clock, listener, trouble);
    this.watch =
        new PoliciesWatch(
            settings.folder().resolve(SettingsFiles.POLICIES),
            settings.policies(),
            zone,
            clock,
            Nameservices::problem,
            changed -> jobs.putInForce(changed.in(nameservice), schedule));
    schedule.replace(
        WATCH_JOB,
        List.of(new Job(WATCH_JOB, EVERY_SECOND, zone, watch::look).evenWhileTroubleIsOn()));
  }

  Schedule schedule() {
    return schedule;
  }

  /** Returns whether {@code policies.yml} is in force. */
  PoliciesWatch.State policiesFile() {
    return watch.state();
  }

  /** Returns when a policy runs next. */
  Optional<Instant> nextRun(Policy policy) {
    return Jobs.nextRun(schedule, policy);
  }
}
