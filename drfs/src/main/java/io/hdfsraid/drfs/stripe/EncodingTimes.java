package io.hdfsraid.drfs.stripe;

import java.util.concurrent.TimeUnit;

/**
 * Where the time went of the thread that encoded a stripe, in nanoseconds. What it did beside, such
 * as waiting for memory and for the closing of the parity units, is not in it.
 *
 * @param read waiting for the bytes of data units
 * @param code computing parity
 * @param crc waiting for threads that computed checksums of what they had read or were to write: of
 *     all waiting, the share that checksums had in the work that was waited for
 * @param write waiting for DataNodes to take parity
 */
public record EncodingTimes(long read, long code, long crc, long write) {

  /**
   * Of a pass whose reading and writing threads were busy for so long, checksums included.
   *
   * @param readBusy of all threads together, as the others
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
