package io.hdfsraid.raidnode.view;

import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.raidapi.FileHealth;
import io.hdfsraid.raidapi.HealthState;
import io.hdfsraid.raidapi.UnitView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Judged stripes as the API tells of them. */
public final class HealthViews {
  /** Worst last. */
  private static final List<HealthState> ORDER =
      List.of(
          HealthState.HEALTHY,
          HealthState.DEGRADED,
          HealthState.UNKNOWN,
          HealthState.UNRECOVERABLE);

  private HealthViews() {}

  /**
   * A file with parity.
   *
   * @param codec empty when it is not known
   */
  public record Subject(long inode, String path, String codec, long length) {}

  /** A file whose stripes were judged, with those of them that are not healthy, worst first. */
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
            .map(HealthViews::view)
            .toList());
  }

  /** The same, with all its stripes. */
  public static FileHealth complete(Subject file, List<StripeHealth> stripes) {
    return of(file, stripes, stripes.stream().map(HealthViews::view).toList());
  }

  private static FileHealth of(
      Subject file, List<StripeHealth> stripes, List<io.hdfsraid.raidapi.StripeHealth> details) {
    HealthState worst = HealthState.HEALTHY;
    int canBear = Integer.MAX_VALUE;
    int notHealthy = 0;
    long unreadable = 0;
    String problem = "";
    for (StripeHealth stripe : stripes) {
      HealthState state = state(stripe);
      worst = severity(worst) >= severity(state) ? worst : state;
      canBear = Math.min(canBear, stripe.furtherLosses());
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
        stripes.isEmpty() ? 0 : canBear,
        stripes.size(),
        notHealthy,
        unreadable,
        details,
        problem);
  }

  /** A file of which nothing can be said. */
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

  /** The greater, the worse. */
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

  private static io.hdfsraid.raidapi.StripeHealth view(StripeHealth health) {
    LocatedStripe stripe = health.stripe();
    return new io.hdfsraid.raidapi.StripeHealth(
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

  /** What there is to say of a unit. */
  interface Remark {
    String on(int unit);
  }

  static List<UnitView> units(LocatedStripe stripe, Remark remark) {
    List<UnitView> views = new ArrayList<>();
    for (StripeUnit unit : stripe.units()) {
      if (unit.located().isEmpty()) {
        continue;
      }
      LocatedBlock block = unit.located().get();
      Optional<DataNode> node = block.live().stream().map(Replica::node).findFirst();
      views.add(
          new UnitView(
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

  private static UnitView.State state(StripeUnit unit, LocatedBlock block) {
    return switch (unit.standing()) {
      case LIVE, ABSENT -> UnitView.State.LIVE;
      case LOST -> block.corrupt().isEmpty() ? UnitView.State.MISSING : UnitView.State.CORRUPT;
      case CHANGED -> UnitView.State.UNKNOWN;
    };
  }
}
