// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.task;

import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.hdfs.HdfsDataNodes;
import io.hdfsraid.drfs.hdfs.UnitFiles;
import io.hdfsraid.drfs.parity.UnitOutput;
import io.hdfsraid.drfs.parity.UnitOutputs;
import io.hdfsraid.drfs.stripe.EncodedStripe;
import io.hdfsraid.drfs.stripe.FailedReplica;
import io.hdfsraid.drfs.stripe.NearestReplicas;
import io.hdfsraid.drfs.stripe.RowMemory;
import io.hdfsraid.drfs.stripe.StripeEncoder;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.yarn.work.Answer;
import io.hdfsraid.yarn.work.EncodeWork;
import io.hdfsraid.yarn.work.Source;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** Encodes stripes in a container. */
final class StripeEncoding {
  private final TaskConnection connection;
  private final UnitFiles files;

  StripeEncoding(TaskConnection connection) throws IOException {
    this.connection = connection;
    this.files = new UnitFiles(connection.fileSystem());
  }

  /**
   * Encodes a stripe.
   *
   * @throws InterruptedIOException if the container is being stopped
   */
  Answer encode(EncodeWork work, TaskAttemptContext context) throws IOException {
    try {
      return encoded(work, context);
    } catch (InterruptedIOException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw e;
      }
      return failed(work, e);
    } catch (IOException | IllegalArgumentException e) {
      return failed(work, e);
    }
  }

  private Answer failed(EncodeWork work, Exception why) throws IOException {
    return new Answer.Failed(
        work.order(), work.stripe(), connection.attempt(), TaskConnection.describe(why));
  }

  private Answer encoded(EncodeWork work, TaskAttemptContext context) throws IOException {
    ErasureCodec codec = Codecs.parse(work.codec());
    HdfsDataNodes dataNodes =
        new HdfsDataNodes(
            connection.fileSystem(),
            connection.blockPool(),
            new TaskTokens(work.data(), List.of()));
    StripeEncoder encoder =
        new StripeEncoder(
            dataNodes,
            connection.io(),
            new NearestReplicas(connection.here()),
            RowMemory.UNLIMITED);
    EncodedStripe encoded =
        encoder.encode(
            codec,
            codec.layout(),
            work.data().stream().map(Source::located).toList(),
            outputs(work),
            bytes -> {
              context.progress();
              connection
                  .rate()
                  .passed(bytes + bytes * codec.shape().parityUnits() / work.data().size());
            });
    List<Distance> distances = new ArrayList<>();
    for (int unit = 0; unit < work.data().size(); unit++) {
      Replica replica = encoded.readFrom().get(unit);
      Distance distance = connection.here().distanceTo(replica.node());
      distances.add(distance);
      TaskConnection.count(context, distance, work.data().get(unit).block().length());
    }
    return new Answer.Encoded(
        work.order(),
        work.stripe(),
        connection.attempt(),
        encoded.dataCrcs(),
        encoded.parityCrcs(),
        distances,
        failures(work, encoded.failed()),
        encoded.times());
  }

  private List<UnitOutput> outputs(EncodeWork work) throws IOException {
    int m = work.favoured().size();
    return UnitOutputs.open(
        m,
        parity ->
            files.open(
                "%s/%d-%s"
                    .formatted(work.directory(), work.stripe() * m + parity, connection.attempt()),
                work.parityLength(),
                Optional.of(work.favoured().get(parity))));
  }

  private static List<Answer.Failure> failures(EncodeWork work, List<FailedReplica> failed) {
    return failed.stream()
        .map(
            one ->
                new Answer.Failure(
                    one.unit(),
                    work.data().get(one.unit()).replicas().indexOf(one.replica()),
                    one.offset(),
                    one.corrupt(),
                    one.cause().toString()))
        .toList();
  }
}
