// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.erasurecode.UnitSet;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Thrown when the readable units do not determine the wanted unit. Trying again helps only after a
 * unit has come back. Names the unreadable units with their blocks and the DataNodes that hold
 * them, as far as the NameNode knows any.
 */
public final class UnrecoverableStripeException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param wanted the unit that was to be rebuilt
   * @param available the units that can be read, absent ones included
   */
  public UnrecoverableStripeException(LocatedStripe stripe, int wanted, UnitSet available) {
    super(message(stripe, wanted, available));
  }

  private UnrecoverableStripeException(String path, UnrecoverableStripeException e) {
    super("%s cannot be read: %s".formatted(path, e.getMessage()), e.getCause());
    for (Throwable suppressed : e.getSuppressed()) {
      addSuppressed(suppressed);
    }
  }

  /** Returns the same exception with the path of the file that was being read. */
  public UnrecoverableStripeException at(String path) {
    return new UnrecoverableStripeException(path, this);
  }

  private static String message(LocatedStripe stripe, int wanted, UnitSet available) {
    UnitSet unreadable = UnitSet.all(stripe.codec().shape()).minus(available);
    UnitSet changed = stripe.changed();
    return "Unit %d of %s cannot be rebuilt: units %s cannot be read (%d of %d)%s, units %s can be read; its code tolerates any %d losses, but not these: %s"
        .formatted(
            wanted,
            stripe,
            unreadable,
            unreadable.size(),
            stripe.codec().shape().units(),
            changed.isEmpty() ? "" : ", of which %s changed after encoding".formatted(changed),
            available,
            stripe.codec().furtherLosses(UnitSet.none()),
            unreadable.stream()
                .mapToObj(unit -> "unit %d is %s".formatted(unit, place(stripe.unit(unit))))
                .collect(Collectors.joining("; ")));
  }

  private static String place(StripeUnit unit) {
    return unit.located().map(UnrecoverableStripeException::place).orElse("in no file");
  }

  private static String place(LocatedBlock located) {
    List<String> nodes = located.holders().stream().map(DataNode::address).sorted().toList();
    return "%s on %s"
        .formatted(located.block(), nodes.isEmpty() ? "no DataNode" : String.join(", ", nodes));
  }
}
