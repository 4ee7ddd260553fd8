// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.blockfixer.detect.DetectionSource;
import io.hdfsraid.blockfixer.detect.Fault;
import io.hdfsraid.blockfixer.detect.UnitFinding;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.Interrupts;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.erasurecode.UnitSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;

/**
 * Finds the units of a stripe that hold other bytes than recorded, after a rebuild has shown that
 * some do. Reads the units in full and relies on no checksum of a DataNode.
 */
final class WrongHelperSearch {
  private static final int AT_ONCE = 1 << 20;

  private final DataNodes dataNodes;
  private final LongConsumer bytesRead;

  WrongHelperSearch(DataNodes dataNodes, LongConsumer bytesRead) {
    this.dataNodes = dataNodes;
    this.bytesRead = bytesRead;
  }

  /**
   * Returns a finding for each live replica that holds other bytes. A replica that cannot be read
   * proves nothing here.
   */
  List<UnitFinding> among(LocatedStripe stripe, UnitSet units) throws IOException {
    List<UnitFinding> wrong = new ArrayList<>();
    for (int number : units.minus(stripe.absent()).toArray()) {
      StripeUnit unit = stripe.unit(number);
      LocatedBlock located = unit.located().orElseThrow();
      for (Replica replica : located.live()) {
        Optional<Integer> crc = read(located, replica);
        if (crc.isPresent() && crc.get() != unit.crc()) {
          wrong.add(
              new UnitFinding(
                  number,
                  located.block(),
                  Optional.of(replica),
                  // As with bit rot, the node's own checksums do not reveal it.
                  Fault.ROTTEN,
                  DetectionSource.READ,
                  "%s on %s, unit %d of %s: its bytes have CRC32C %08x, but %08x was recorded"
                      .formatted(
                          located.block(), replica.node(), number, stripe, crc.get(), unit.crc())));
        }
      }
    }
    return wrong;
  }

  private Optional<Integer> read(LocatedBlock located, Replica replica) throws IOException {
    CRC32C crc = new CRC32C();
    long length = located.block().length();
    ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(length, AT_ONCE));
    try (BlockInput input = dataNodes.open(located.block(), replica, 0, length)) {
      for (long left = length; left > 0; left -= bytes.limit()) {
        bytes.clear().limit((int) Math.min(left, bytes.capacity()));
        input.readFully(bytes);
        bytesRead.accept(bytes.limit());
        crc.update(bytes.flip());
      }
    } catch (IOException e) {
      if (Thread.currentThread().isInterrupted() || Interrupts.isInterrupt(e)) {
        throw e;
      }
      return Optional.empty();
    }
    return Optional.of((int) crc.getValue());
  }
}
