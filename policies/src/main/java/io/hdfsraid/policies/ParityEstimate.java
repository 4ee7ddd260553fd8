package io.hdfsraid.policies;

/** How large parity would be. Given by whoever knows codecs and how files are cut into stripes. */
@FunctionalInterface
public interface ParityEstimate {
  /**
   * How many bytes one replica of the parity has.
   *
   * @param codec a name that was accepted when the policies were read
   * @param length of the file, above 0
   */
  long parityBytes(String codec, long length, long blockSize);
}
