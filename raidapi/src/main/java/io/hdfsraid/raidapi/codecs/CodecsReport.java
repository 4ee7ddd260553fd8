// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.codecs;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import io.hdfsraid.raidapi.Absent;
import java.util.List;

/**
 * The codecs that policies may name, and the kernels that compute them.
 *
 * @param codecs the usual shapes of every family, and those that the policies name
 * @param kernels the kernels in use; empty before the first stripe was encoded or rebuilt
 */
public record CodecsReport(List<Codec> codecs, List<KernelInUse> kernels) {

  /**
   * An erasure code.
   *
   * @param name as policies name it
   * @param overhead bytes stored per byte of data
   * @param lossesTolerated number of units that may be lost, whichever they are
   * @param blocksReadPerRepair blocks read to rebuild one lost unit, in the mean over all units
   * @param nodes number of DataNodes for every unit to be on one of its own
   * @param racks number of racks for any one of them to be lost
   * @param source the publication that the code is from
   * @param policies names of the policies that raid with it
   */
  public record Codec(
      String name,
      int dataUnits,
      int parityUnits,
      double overhead,
      int lossesTolerated,
      double blocksReadPerRepair,
      int nodes,
      int racks,
      String source,
      List<String> policies) {
    public Codec {
      name = Absent.toEmpty(name);
      source = Absent.toEmpty(source);
      policies = Absent.toEmpty(policies);
    }
  }

  /** A kind of matrix that a code multiplies with. */
  public enum Matrices {
    /** Any coefficients, as those of Reed-Solomon codes. */
    GENERAL,
    /** Zeros and ones only, as those of bit-matrix codes and local groups. */
    BINARY,
    @JsonEnumDefaultValue
    UNKNOWN
  }

  /**
   * The kernel that multiplies with one kind of matrix.
   *
   * @param kernel its name, as the setting {@code coding.kernel} has it
   * @param reason why it was chosen, for people
   */
  public record KernelInUse(Matrices matrices, String kernel, String reason) {
    public KernelInUse {
      matrices = matrices == null ? Matrices.UNKNOWN : matrices;
      kernel = Absent.toEmpty(kernel);
      reason = Absent.toEmpty(reason);
    }
  }

  public CodecsReport {
    codecs = Absent.toEmpty(codecs);
    kernels = Absent.toEmpty(kernels);
  }
}
