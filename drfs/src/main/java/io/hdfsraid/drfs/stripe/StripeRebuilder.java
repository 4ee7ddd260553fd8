package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.RebuildRecipe;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;

/**
 * Rebuilds lost units of a stripe from the others, row by row: while one row is decoded the next is
 * read, from all helpers at once. Holds no state between calls; safe for concurrent use.
 */
public final class StripeRebuilder {

  /**
   * @param executor runs the reads and the sinks, none of which waits for another; a thread that
   *     calls this rebuilder must not be one of a bounded executor's
   * @param preference which replica of a helper to read first
   */
  public StripeRebuilder(DataNodes dataNodes, Executor executor, ReplicaPreference preference) {
    this.dataNodes = dataNodes;
    this.executor = executor;
    this.preference = preference;
  }

  private final DataNodes dataNodes;
  private final Executor executor;
  private final ReplicaPreference preference;

  /**
   * Rebuilds all units the recipe rebuilds in one pass, reading exactly what it names.
   *
   * @param sinks one for each of {@code recipe.lost()}; each gets its unit's bytes in order and is
   *     not closed. When this fails, what a sink has got is to be thrown away
   * @param bytesRead called after each row, by the calling thread, with the bytes it read from
   *     DataNodes
   * @return the CRCs are not compared here: see {@link RebuiltStripe#contradicted}
   * @throws HelperLostException when no replica of a helper can be read: plan again without it
   * @throws java.io.InterruptedIOException when the calling thread is interrupted; its flag is set
   */
  @SuppressWarnings("DoNotCallSuggester")
  public RebuiltStripe rebuild(
      LocatedStripe stripe,
      RebuildRecipe recipe,
      Map<Integer, UnitSink> sinks,
      LongConsumer bytesRead)
      throws IOException {
    throw new UnsupportedOperationException(
        dataNodes + " " + executor + " " + preference + stripe + recipe + sinks + bytesRead);
  }

  /**
   * Rebuilds {@code target.remaining()} bytes of one unit, from {@code offset} on, reading no more
   * than they need. Plans by itself, and again without a helper that fails. Whether the unit itself
   * could be read does not matter. A range that is the whole unit is held against the recorded CRC.
   *
   * @param cost of reading each unit; absent ones cost nothing whatever it says
   * @param target filled from position to limit; position is then the limit
   * @throws IndexOutOfBoundsException when the range is not inside the unit
   * @throws UnrecoverableStripeException when the units left do not determine the wanted one
   * @throws java.io.InterruptedIOException when the calling thread is interrupted; its flag is set
   */
  @SuppressWarnings("DoNotCallSuggester")
  public HelperReads read(
      LocatedStripe stripe, int unit, long offset, ByteBuffer target, ReadCost cost)
      throws IOException {
    throw new UnsupportedOperationException("" + stripe + unit + offset + target + cost);
  }
}
