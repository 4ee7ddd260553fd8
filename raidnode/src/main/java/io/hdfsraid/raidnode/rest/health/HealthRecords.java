// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.health;

import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.raidapi.health.FileHealth;
import io.hdfsraid.raidapi.health.HealthState;
import io.hdfsraid.raidapi.health.UnitReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Converts the health of stripes into records of the API. */
public final class HealthRecords {
  /** The states, worst last. */
  private static final List<HealthState> ORDER =
      List.of(
          HealthState.HEALTHY,
          HealthState.DEGRADED,
          HealthState.UNKNOWN,
          HealthState.UNRECOVERABLE);

  private HealthRecords() {}

  /**
   * A file with parity.
   *
   * @param codec empty if unknown
   */
  public record Subject(long inode, String path, String codec, long length) {}

  /** Returns the health of a file with its unhealthy stripes, worst first. */
  public static FileHealth of(Subject file, List<StripeHealth> stripes, int mostDetails) {
    return of(
        file,
        stripes,
        stripes.stream()
            .filter(stripe -> state(stripe) != HealthState.HEALTHY)
            .sorted(
                Comparator.comparingInt((StripeHealth stripe) -> -severity(state(stripe)))
                    .thenComparingInt(StripeHealth::furtherLosses))
            .limit(mostDetails)
            .map(HealthRecords::view)
            .toList());
  }

  /** Returns the health of a file with all its stripes. */
  public static FileHealth complete(Subject file, List<StripeHealth> stripes) {
    return of(file, stripes, stripes.stream().map(HealthRecords::view).toList());
  }

  private static FileHealth of(
      Subject file,
      List<StripeHealth> stripes,
      List<io.hdfsraid.raidapi.health.StripeReport> details) {
    HealthState worst = HealthState.HEALTHY;
    int furtherLosses = Integer.MAX_VALUE;
    int notHealthy = 0;
    long unreadable = 0;
    String problem = "";
    for (StripeHealth stripe : stripes) {
      HealthState state = state(stripe);
      worst = severity(worst) >= severity(state) ? worst : state;
      furtherLosses = Math.min(furtherLosses, stripe.furtherLosses());
      if (state != HealthState.HEALTHY) {
        notHealthy++;
        problem = problem.isEmpty() ? stripe.message() : problem;
      }
      if (state == HealthState.UNRECOVERABLE) {
        unreadable += lostDataBytes(stripe);
      }
    }
    return new FileHealth(
        file.inode(),
        file.path(),
        file.codec(),
        file.length(),
        worst,
        stripes.isEmpty() ? 0 : furtherLosses,
        stripes.size(),
        notHealthy,
        unreadable,
        details,
        problem);
  }

  /** Returns the record of a file that could not be checked. */
  public static FileHealth unknown(Subject file, String problem) {
    return new FileHealth(
        file.inode(),
        file.path(),
        file.codec(),
        file.length(),
        HealthState.UNKNOWN,
        0,
        0,
        0,
        0,
        List.of(),
        problem);
  }

  static HealthState state(StripeHealth stripe) {
    return HealthState.valueOf(stripe.state().name());
  }

  /** Returns the severity of a state; greater is worse. */
  static int severity(HealthState state) {
    return ORDER.indexOf(state);
  }

  private static long lostDataBytes(StripeHealth stripe) {
    int k = stripe.stripe().codec().shape().dataUnits();
    return stripe.lost().stream()
        .filter(unit -> unit < k)
        .mapToLong(unit -> stripe.stripe().unit(unit).length())
        .sum();
  }

  private static io.hdfsraid.raidapi.health.StripeReport view(StripeHealth health) {
    LocatedStripe stripe = health.stripe();
    return new io.hdfsraid.raidapi.health.StripeReport(
        stripe.index(),
        state(health),
        stripe.codec().shape().dataUnits() - stripe.absent().size(),
        stripe.codec().shape().parityUnits(),
        health.lost().stream().boxed().toList(),
        Math.min(health.furtherLosses(), stripe.codec().shape().parityUnits()),
        units(
            stripe,
            unit ->
                health.findings().stream()
                    .filter(finding -> finding.unit() == unit)
                    .map(finding -> finding.message())
                    .collect(Collectors.joining("; "))));
  }

  /** A remark on a unit. */
  public interface Remark {
    String on(int unit);
  }

  public static List<UnitReport> units(LocatedStripe stripe, Remark remark) {
    List<UnitReport> views = new ArrayList<>();
    for (StripeUnit unit : stripe.units()) {
      if (unit.located().isEmpty()) {
        continue;
      }
      LocatedBlock block = unit.located().get();
      Optional<DataNode> node = block.live().stream().map(Replica::node).findFirst();
      views.add(
          new UnitReport(
              unit.unit(),
              stripe.codec().shape().isParity(unit.unit()),
              block.block().id(),
              unit.length(),
              state(unit, block),
              node.map(DataNode::address),
              node.map(DataNode::rack),
              remark.on(unit.unit())));
    }
    return views;
  }

  private static UnitReport.State state(StripeUnit unit, LocatedBlock block) {
    return switch (unit.state()) {
      case LIVE, ABSENT -> UnitReport.State.LIVE;
      case LOST -> block.corrupt().isEmpty() ? UnitReport.State.MISSING : UnitReport.State.CORRUPT;
      case CHANGED -> UnitReport.State.UNKNOWN;
    };
  }
}
