// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.raid;

import io.hdfsraid.bench.cluster.BenchCluster;
import io.hdfsraid.erasurecode.StripeShape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.io.erasurecode.CodecUtil;
import org.apache.hadoop.io.erasurecode.ErasureCodeConstants;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;

/**
 * Rewrites files into HDFS's own erasure coding: a client copies them into a directory with an
 * erasure coding policy, where they become striped files.
 */
final class NativeRewrite {
  private static final int BUFFER = 1 << 20;

  private final BenchCluster cluster;
  private final Path directory;
  private final String coder;

  private NativeRewrite(BenchCluster cluster, Path directory, String coder) {
    this.cluster = cluster;
    this.directory = directory;
    this.coder = coder;
  }

  /** Of Reed-Solomon with 1 MiB cells, as all usual policies have. */
  static NativeRewrite into(StripeShape shape, BenchCluster cluster) throws IOException {
    String policy = "RS-%d-%d-1024k".formatted(shape.dataUnits(), shape.parityUnits());
    Path directory = new Path("/rewritten-" + policy);
    DistributedFileSystem fs = cluster.hdfs().fileSystem();
    fs.enableErasureCodingPolicy(policy);
    fs.mkdirs(directory);
    fs.setErasureCodingPolicy(directory, policy);
    return new NativeRewrite(cluster, directory, coder(shape, fs.getConf()));
  }

  private static String coder(StripeShape shape, Configuration conf) {
    RawErasureEncoder encoder =
        CodecUtil.createRawEncoder(
            conf,
            ErasureCodeConstants.RS_CODEC_NAME,
            new ErasureCoderOptions(shape.dataUnits(), shape.parityUnits()));
    try {
      return encoder.getClass().getSimpleName();
    } finally {
      encoder.release();
    }
  }

  /** The class of Hadoop that computes the parity. */
  String coder() {
    return coder;
  }

  /** Copies all sources, and removes the copies afterwards. */
  RunCost run() throws IOException {
    List<Callable<Void>> copies = new ArrayList<>();
    for (Path source : cluster.sources()) {
      copies.add(
          () -> {
            copy(source, new Path(directory, source.getName()));
            return null;
          });
    }
    long bytesBefore = cluster.bytesMoved();
    long start = System.nanoTime();
    cluster.crew().run(copies);
    double seconds = (System.nanoTime() - start) / 1e9;
    long bytes = cluster.bytesMoved() - bytesBefore;
    for (Path source : cluster.sources()) {
      cluster.remove(new Path(directory, source.getName()));
    }
    return new RunCost(seconds, bytes);
  }

  private void copy(Path source, Path target) throws IOException {
    DistributedFileSystem fs = cluster.hdfs().fileSystem();
    try (FSDataInputStream in = fs.open(source, BUFFER);
        FSDataOutputStream out = fs.create(target)) {
      IOUtils.copyBytes(in, out, BUFFER);
    }
    long copied = fs.getFileStatus(target).getLen();
    if (copied != cluster.settings().fileBytes()) {
      throw new IOException("%s has %d bytes after it was copied".formatted(target, copied));
    }
  }
}
