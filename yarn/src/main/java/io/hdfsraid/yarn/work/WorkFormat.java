// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.work;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.EncodingTimes;
import io.hdfsraid.erasurecode.RowLayout;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Writes and reads work and answers, as Hadoop's Writables do. Daemon and containers always run the
 * same version of this class, because the daemon ships it with each job.
 */
public final class WorkFormat {
  private static final int ENCODE = 0;
  private static final int REPAIR = 1;

  private static final int ENCODED = 0;
  private static final int FAILED = 1;
  private static final int SENT = 2;
  private static final int FINISHED = 3;

  /** More than any list of work or of an answer has. */
  private static final int LONGEST_LIST = 10_000;

  private WorkFormat() {}

  public static void write(Work work, DataOutput out) throws IOException {
    if (work instanceof EncodeWork encode) {
      out.writeByte(ENCODE);
      writeEncode(out, encode);
    } else if (work instanceof RepairWork repair) {
      out.writeByte(REPAIR);
      writeRepair(out, repair);
    }
  }

  public static Work readWork(DataInput in) throws IOException {
    int kind = in.readByte();
    return switch (kind) {
      case ENCODE -> readEncode(in);
      case REPAIR -> readRepair(in);
      default -> throw new IOException("No work begins with byte " + kind);
    };
  }

  private static void writeEncode(DataOutput out, EncodeWork work) throws IOException {
    out.writeInt(work.order());
    out.writeUTF(work.directory());
    out.writeInt(work.stripe());
    out.writeUTF(work.codec());
    writeList(out, work.data(), WorkFormat::writeSource);
    writeList(out, work.favoured(), (to, address) -> to.writeUTF(address));
    out.writeLong(work.parityLength());
  }

  private static EncodeWork readEncode(DataInput in) throws IOException {
    return new EncodeWork(
        in.readInt(),
        in.readUTF(),
        in.readInt(),
        in.readUTF(),
        readList(in, WorkFormat::readSource),
        readList(in, DataInput::readUTF),
        in.readLong());
  }

  private static void writeRepair(DataOutput out, RepairWork work) throws IOException {
    out.writeInt(work.order());
    out.writeLong(work.parityInode());
    out.writeInt(work.stripe());
    out.writeUTF(work.codec());
    out.writeInt(work.layout().subUnits());
    out.writeInt(work.layout().chunk());
    out.writeLong(work.stripeLength());
    writeList(out, work.units(), WorkFormat::writeUnit);
    writeList(out, work.targets(), WorkFormat::writeTarget);
  }

  private static RepairWork readRepair(DataInput in) throws IOException {
    return new RepairWork(
        in.readInt(),
        in.readLong(),
        in.readInt(),
        in.readUTF(),
        new RowLayout(in.readInt(), in.readInt()),
        in.readLong(),
        readList(in, WorkFormat::readUnit),
        readList(in, WorkFormat::readTarget));
  }

  private static void writeUnit(DataOutput out, RepairWork.Unit unit) throws IOException {
    out.writeLong(unit.length());
    out.writeInt(unit.crc());
    out.writeBoolean(unit.absent());
    writeList(out, unit.source().stream().toList(), WorkFormat::writeSource);
  }

  private static RepairWork.Unit readUnit(DataInput in) throws IOException {
    return new RepairWork.Unit(
        in.readLong(),
        in.readInt(),
        in.readBoolean(),
        readList(in, WorkFormat::readSource).stream().findFirst());
  }

  private static void writeTarget(DataOutput out, RepairWork.Target target) throws IOException {
    out.writeInt(target.unit());
    writeBlock(out, target.block());
    out.writeInt(target.crc());
    writeNode(out, target.node());
    out.writeUTF(target.storageType());
    out.writeUTF(target.token());
  }

  private static RepairWork.Target readTarget(DataInput in) throws IOException {
    return new RepairWork.Target(
        in.readInt(), readBlock(in), in.readInt(), readNode(in), in.readUTF(), in.readUTF());
  }

  public static void write(Answer answer, DataOutput out) throws IOException {
    if (answer instanceof Answer.Encoded encoded) {
      writeHead(out, ENCODED, answer);
      out.writeInt(encoded.stripe());
      out.writeUTF(encoded.attempt());
      writeList(out, encoded.dataCrcs(), DataOutput::writeInt);
      writeList(out, encoded.parityCrcs(), DataOutput::writeInt);
      writeList(out, encoded.distances(), (to, distance) -> to.writeUTF(distance.name()));
      writeList(out, encoded.failures(), WorkFormat::writeFailure);
      out.writeLong(encoded.times().read());
      out.writeLong(encoded.times().code());
      out.writeLong(encoded.times().crc());
      out.writeLong(encoded.times().write());
    } else if (answer instanceof Answer.Failed failed) {
      writeHead(out, FAILED, answer);
      out.writeInt(failed.stripe());
      out.writeUTF(failed.attempt());
      out.writeUTF(failed.why());
    } else if (answer instanceof Answer.Sent sent) {
      writeHead(out, SENT, answer);
      out.writeUTF(sent.attempt());
      for (Distance distance : Distance.values()) {
        out.writeLong(sent.bytesRead().getOrDefault(distance, 0L));
      }
    } else if (answer instanceof Answer.Finished finished) {
      writeHead(out, FINISHED, answer);
      out.writeUTF(finished.attempt());
      out.writeInt(finished.unit());
    }
  }

  private static void writeHead(DataOutput out, int kind, Answer answer) throws IOException {
    out.writeByte(kind);
    out.writeInt(answer.order());
  }

  public static Answer readAnswer(DataInput in) throws IOException {
    int kind = in.readByte();
    int order = in.readInt();
    return switch (kind) {
      case ENCODED ->
          new Answer.Encoded(
              order,
              in.readInt(),
              in.readUTF(),
              readList(in, DataInput::readInt),
              readList(in, DataInput::readInt),
              readList(in, from -> Distance.valueOf(from.readUTF())),
              readList(in, WorkFormat::readFailure),
              new EncodingTimes(in.readLong(), in.readLong(), in.readLong(), in.readLong()));
      case FAILED -> new Answer.Failed(order, in.readInt(), in.readUTF(), in.readUTF());
      case SENT -> new Answer.Sent(order, in.readUTF(), readBytesRead(in));
      case FINISHED -> new Answer.Finished(order, in.readUTF(), in.readInt());
      default -> throw new IOException("No answer begins with byte " + kind);
    };
  }

  private static Map<Distance, Long> readBytesRead(DataInput in) throws IOException {
    Map<Distance, Long> bytes = new EnumMap<>(Distance.class);
    for (Distance distance : Distance.values()) {
      long read = in.readLong();
      if (read > 0) {
        bytes.put(distance, read);
      }
    }
    return bytes;
  }

  private static void writeBlock(DataOutput out, Block block) throws IOException {
    out.writeLong(block.id());
    out.writeLong(block.generationStamp());
    out.writeLong(block.length());
  }

  private static Block readBlock(DataInput in) throws IOException {
    return new Block(in.readLong(), in.readLong(), in.readLong());
  }

  private static void writeSource(DataOutput out, Source source) throws IOException {
    writeBlock(out, source.block());
    writeList(out, source.replicas(), WorkFormat::writeReplica);
    out.writeUTF(source.token());
  }

  private static Source readSource(DataInput in) throws IOException {
    return new Source(readBlock(in), readList(in, WorkFormat::readReplica), in.readUTF());
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

  private static void writeFailure(DataOutput out, Answer.Failure failure) throws IOException {
    out.writeInt(failure.unit());
    out.writeInt(failure.replica());
    out.writeLong(failure.offset());
    out.writeBoolean(failure.corrupt());
    out.writeUTF(failure.message());
  }

  private static Answer.Failure readFailure(DataInput in) throws IOException {
    return new Answer.Failure(
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
