// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.work;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.EncodingTimes;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes and reads work and answers, as Hadoop's Writables do. Daemon and containers always run the
 * same version of this class, because the daemon ships it with each job.
 */
public final class WorkFormat {
  private static final int ENCODED = 0;
  private static final int FAILED = 1;

  /** More than any list of work or of an answer has. */
  private static final int LONGEST_LIST = 10_000;

  private WorkFormat() {}

  public static void write(StripeWork work, DataOutput out) throws IOException {
    out.writeInt(work.order());
    out.writeUTF(work.directory());
    out.writeInt(work.stripe());
    out.writeUTF(work.codec());
    writeList(out, work.data(), WorkFormat::writeSource);
    writeList(out, work.favoured(), (to, address) -> to.writeUTF(address));
    out.writeLong(work.parityLength());
  }

  public static StripeWork readWork(DataInput in) throws IOException {
    return new StripeWork(
        in.readInt(),
        in.readUTF(),
        in.readInt(),
        in.readUTF(),
        readList(in, WorkFormat::readSource),
        readList(in, DataInput::readUTF),
        in.readLong());
  }

  public static void write(StripeAnswer answer, DataOutput out) throws IOException {
    if (answer instanceof StripeAnswer.Encoded encoded) {
      writeHead(out, ENCODED, answer);
      out.writeUTF(encoded.attempt());
      writeList(out, encoded.dataCrcs(), DataOutput::writeInt);
      writeList(out, encoded.parityCrcs(), DataOutput::writeInt);
      writeList(out, encoded.distances(), (to, distance) -> to.writeUTF(distance.name()));
      writeList(out, encoded.failures(), WorkFormat::writeFailure);
      out.writeLong(encoded.times().read());
      out.writeLong(encoded.times().code());
      out.writeLong(encoded.times().crc());
      out.writeLong(encoded.times().write());
    } else if (answer instanceof StripeAnswer.Failed failed) {
      writeHead(out, FAILED, answer);
      out.writeUTF(failed.why());
    }
  }

  private static void writeHead(DataOutput out, int kind, StripeAnswer answer) throws IOException {
    out.writeByte(kind);
    out.writeInt(answer.order());
    out.writeInt(answer.stripe());
  }

  public static StripeAnswer readAnswer(DataInput in) throws IOException {
    int kind = in.readByte();
    int order = in.readInt();
    int stripe = in.readInt();
    return switch (kind) {
      case ENCODED ->
          new StripeAnswer.Encoded(
              order,
              stripe,
              in.readUTF(),
              readList(in, DataInput::readInt),
              readList(in, DataInput::readInt),
              readList(in, from -> Distance.valueOf(from.readUTF())),
              readList(in, WorkFormat::readFailure),
              new EncodingTimes(in.readLong(), in.readLong(), in.readLong(), in.readLong()));
      case FAILED -> new StripeAnswer.Failed(order, stripe, in.readUTF());
      default -> throw new IOException("No answer begins with byte " + kind);
    };
  }

  private static void writeSource(DataOutput out, StripeWork.Source source) throws IOException {
    out.writeLong(source.block().id());
    out.writeLong(source.block().generationStamp());
    out.writeLong(source.block().length());
    writeList(out, source.replicas(), WorkFormat::writeReplica);
    out.writeUTF(source.token());
  }

  private static StripeWork.Source readSource(DataInput in) throws IOException {
    return new StripeWork.Source(
        new Block(in.readLong(), in.readLong(), in.readLong()),
        readList(in, WorkFormat::readReplica),
        in.readUTF());
  }

  private static void writeReplica(DataOutput out, Replica replica) throws IOException {
    writeNode(out, replica.node());
    out.writeUTF(replica.storage());
    out.writeUTF(replica.storageType());
    out.writeBoolean(replica.inService());
  }

  private static Replica readReplica(DataInput in) throws IOException {
    return new Replica(readNode(in), in.readUTF(), in.readUTF(), in.readBoolean());
  }

  private static void writeNode(DataOutput out, DataNode node) throws IOException {
    out.writeUTF(node.uuid());
    out.writeUTF(node.address());
    out.writeUTF(node.host());
    out.writeUTF(node.rack());
  }

  private static DataNode readNode(DataInput in) throws IOException {
    return new DataNode(in.readUTF(), in.readUTF(), in.readUTF(), in.readUTF());
  }

  private static void writeFailure(DataOutput out, StripeAnswer.Failure failure)
      throws IOException {
    out.writeInt(failure.unit());
    out.writeInt(failure.replica());
    out.writeLong(failure.offset());
    out.writeBoolean(failure.corrupt());
    out.writeUTF(failure.message());
  }

  private static StripeAnswer.Failure readFailure(DataInput in) throws IOException {
    return new StripeAnswer.Failure(
        in.readInt(), in.readInt(), in.readLong(), in.readBoolean(), in.readUTF());
  }

  private interface Write<T> {
    void to(DataOutput out, T element) throws IOException;
  }

  private interface Read<T> {
    T from(DataInput in) throws IOException;
  }

  private static <T> void writeList(DataOutput out, List<T> list, Write<T> write)
      throws IOException {
    out.writeInt(list.size());
    for (T element : list) {
      write.to(out, element);
    }
  }

  private static <T> List<T> readList(DataInput in, Read<T> read) throws IOException {
    int size = in.readInt();
    if (size < 0 || size > LONGEST_LIST) {
      throw new IOException(
          "A list has 0 to %d elements, but got %d".formatted(LONGEST_LIST, size));
    }
    List<T> list = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      list.add(read.from(in));
    }
    return list;
  }
}
