// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.read;

import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.StripeShape;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.AddErasureCodingPolicyResponse;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.io.erasurecode.ErasureCodeConstants;

/** A policy of HDFS's own erasure coding, under which files are striped over k DataNodes. */
record StripedPolicy(StripeShape shape, int cellBytes) {
  private static final int USUAL_CELL = 1 << 20;
  private static final int SMALL_CELL = 64 << 10;

  /** Shapes of the policies that HDFS brings along. */
  private static final List<StripeShape> USUAL =
      List.of(new StripeShape(3, 2), new StripeShape(6, 3), new StripeShape(10, 4));

  private static final StripeShape WITH_SMALL_CELLS = new StripeShape(6, 3);

  /** Returns the policy with which a codec is compared: the one with the next k. */
  static StripedPolicy like(ErasureCodec codec) {
    StripeShape shape =
        USUAL.stream()
            .filter(usual -> usual.dataUnits() >= codec.shape().dataUnits())
            .findFirst()
            .orElse(USUAL.get(USUAL.size() - 1));
    return new StripedPolicy(shape, USUAL_CELL);
  }

  /** Returns a policy of the same shape with small cells, if the benchmark has one. */
  List<StripedPolicy> andWithSmallCells() {
    return shape.equals(WITH_SMALL_CELLS)
        ? List.of(new StripedPolicy(shape, SMALL_CELL), this)
        : List.of(this);
  }

  /** Returns the name that HDFS gives it. */
  String label() {
    return "RS-%d-%d-%dk".formatted(shape.dataUnits(), shape.parityUnits(), cellBytes >> 10);
  }

  /** Makes a directory in which new files are striped. */
  void apply(DistributedFileSystem fs, Path directory) throws IOException {
    if (cellBytes != USUAL_CELL) {
      add(fs);
    }
    fs.enableErasureCodingPolicy(label());
    fs.mkdirs(directory);
    fs.setErasureCodingPolicy(directory, label());
  }

  private void add(DistributedFileSystem fs) throws IOException {
    ECSchema schema =
        new ECSchema(ErasureCodeConstants.RS_CODEC_NAME, shape.dataUnits(), shape.parityUnits());
    ErasureCodingPolicy[] policies = {new ErasureCodingPolicy(schema, cellBytes)};
    for (AddErasureCodingPolicyResponse answer : fs.addErasureCodingPolicies(policies)) {
      if (!answer.isSucceed()) {
        throw new IOException("HDFS takes no policy %s: %s".formatted(label(), answer));
      }
    }
  }
}
