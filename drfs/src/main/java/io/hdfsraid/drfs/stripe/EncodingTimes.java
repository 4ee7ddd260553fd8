// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import java.util.concurrent.TimeUnit;

/**
 * The time that the thread encoding a stripe spent on each activity, in nanoseconds. Waiting for
 * memory and for the closing of the parity units is not included.
 *
 * @param read waiting for the bytes of data units
 * @param code computing parity
 * @param crc waiting for checksums: the share of the waiting time that corresponds to the share of
 *     checksums in the work of the reading and writing threads
 * @param write waiting for DataNodes to take parity
 */
public record EncodingTimes(long read, long code, long crc, long write) {

  /**
   * Derives the times of a pass from the busy times of its reading and writing threads, which
   * include checksums.
   *
   * @param readBusy busy time of all reading threads together; likewise for the others
   */
  static EncodingTimes of(
      RowPipeline.Times waited, long readBusy, long readCrc, long writeBusy, long writeCrc) {
    long crcOfReads = share(waited.reading(), readCrc, readBusy);
    long crcOfWrites = share(waited.writing(), writeCrc, writeBusy);
    return new EncodingTimes(
        waited.reading() - crcOfReads,
        waited.coding(),
        crcOfReads + crcOfWrites,
        waited.writing() - crcOfWrites);
  }

  private static long share(long waited, long part, long whole) {
    return whole <= 0 ? 0 : Math.round((double) waited * part / whole);
  }

  public EncodingTimes plus(EncodingTimes other) {
    return new EncodingTimes(
        read + other.read, code + other.code, crc + other.crc, write + other.write);
  }

  @Override
  public String toString() {
    return "read %d ms, code %d ms, crc %d ms, write %d ms"
        .formatted(millis(read), millis(code), millis(crc), millis(write));
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }
}
