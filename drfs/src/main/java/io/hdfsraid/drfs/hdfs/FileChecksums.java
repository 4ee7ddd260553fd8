// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.block.Interrupts;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.apache.hadoop.fs.CompositeCrcFileChecksum;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.MD5MD5CRC32CastagnoliFileChecksum;
import org.apache.hadoop.fs.MD5MD5CRC32GzipFileChecksum;
import org.apache.hadoop.fs.Options.ChecksumCombineMode;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.BlockChecksumType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.MD5Hash;
import org.apache.hadoop.util.CrcComposer;
import org.apache.hadoop.util.DataChecksum;

/**
 * Computes the checksum of a file, or of its beginning, as HDFS's client does ({@code
 * FileChecksumHelper}), also if blocks are lost: those are rebuilt, and their checksums are those
 * that a DataNode would have. If no block is healthy, they are computed as if the file had been
 * written with {@code dfs.bytes-per-checksum} of this client. Safe for concurrent use.
 */
public final class FileChecksums {
  /** The longest row of a code: with less, codes with several chunks in a row read them again. */
  private static final int READ = 4 << 20;

  private final DFSClient client;
  private final ReplicaChecksum replicas;
  private final int usualBytesPerCrc;

  public FileChecksums(DistributedFileSystem fileSystem) {
    this.client = fileSystem.getClient();
    this.replicas = new ReplicaChecksum(new DataNodeConnector(fileSystem));
    this.usualBytesPerCrc =
        fileSystem
            .getConf()
            .getInt(
                HdfsClientConfigKeys.DFS_BYTES_PER_CHECKSUM_KEY,
                HdfsClientConfigKeys.DFS_BYTES_PER_CHECKSUM_DEFAULT);
  }

  /** The bytes of a lost block as they were on disk: ciphertext in an encryption zone. */
  public interface Rebuilt {
    /** Fills the buffer with the bytes of the block from the offset on. */
    void read(long offset, ByteBuffer target) throws IOException;
  }

  /** Rebuilds lost blocks. */
  public interface Rebuilding {
    /** Returns the bytes of a block; empty if it is not protected. */
    Optional<Rebuilt> of(LocatedBlock lost) throws IOException;
  }

  /** A block of which only a number of bytes is wanted. */
  private record Part(LocatedBlock located, ExtendedBlock block) {
    long length() {
      return block.getNumBytes();
    }
  }

  /**
   * Returns the checksum of the first bytes of a file.
   *
   * @param length how many; more than the file has for all of it
   * @throws IOException if a block can neither be read nor rebuilt, or if blocks were written with
   *     different kinds of checksums
   */
  public FileChecksum of(String path, long length, Rebuilding rebuilding) throws IOException {
    List<Part> parts = parts(path, length);
    if (parts.isEmpty()) {
      throw new IOException("%s has become empty".formatted(path));
    }
    ChecksumCombineMode mode = client.getConf().getChecksumCombineMode();
    boolean composite = mode == ChecksumCombineMode.COMPOSITE_CRC;
    BlockChecksumType type = composite ? BlockChecksumType.COMPOSITE_CRC : BlockChecksumType.MD5CRC;
    List<Optional<BlockChecksum>> answers = new ArrayList<>();
    for (Part part : parts) {
      answers.add(ask(part, type));
    }
    Optional<BlockChecksum> like = answers.stream().flatMap(Optional::stream).findFirst();
    DataChecksum chunks =
        DataChecksum.newDataChecksum(
            like.map(BlockChecksum::type).orElse(DataChecksum.Type.CRC32C),
            like.map(BlockChecksum::bytesPerCrc).orElse(usualBytesPerCrc));
    List<BlockChecksum> sums = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      BlockChecksum sum =
          answers.get(i).isPresent()
              ? answers.get(i).get()
              : rebuild(parts.get(i), rebuilding, chunks, composite);
      if (sum.type() != chunks.getChecksumType()
          || (!composite && sum.bytesPerCrc() != chunks.getBytesPerChecksum())) {
        throw new IOException(
            "The blocks of %s were written with different kinds of checksums".formatted(path));
      }
      sums.add(sum);
    }
    return composite ? composed(parts, sums, chunks) : digested(sums, chunks);
  }

  private List<Part> parts(String path, long length) throws IOException {
    LocatedBlocks located = client.getLocatedBlocks(path, 0, length);
    if (located == null) {
      throw new FileNotFoundException("File does not exist: " + path);
    }
    if (located.isUnderConstruction() || located.getErasureCodingPolicy() != null) {
      throw new IOException(
          "%s is open for writing or striped, so no checksum of it is computed here"
              .formatted(path));
    }
    List<Part> parts = new ArrayList<>();
    // In a snapshot, the last block may be longer than the file was.
    long left = Math.min(length, located.getFileLength());
    for (LocatedBlock each : located.getLocatedBlocks()) {
      ExtendedBlock block = new ExtendedBlock(each.getBlock());
      block.setNumBytes(Math.min(left, block.getNumBytes()));
      left -= block.getNumBytes();
      parts.add(new Part(each, block));
    }
    return parts;
  }

  /** Asks one holder after another; empty if none answers. */
  private Optional<BlockChecksum> ask(Part part, BlockChecksumType type) throws IOException {
    if (part.located().isCorrupt()) {
      return Optional.empty();
    }
    for (DatanodeInfo node : part.located().getLocations()) {
      try {
        return Optional.of(
            replicas.ask(
                part.block(), part.located().getBlockToken(), HadoopTypes.dataNode(node), type));
      } catch (IOException e) {
        if (Interrupts.isInterrupt(e)) {
          throw e;
        }
        // Another node, or the parity, may help.
      }
    }
    return Optional.empty();
  }

  private static BlockChecksum rebuild(
      Part part, Rebuilding rebuilding, DataChecksum chunks, boolean composite) throws IOException {
    Rebuilt bytes =
        rebuilding
            .of(part.located())
            .orElseThrow(
                () ->
                    new IOException(
                        "No DataNode answers about %s, and no parity protects it"
                            .formatted(part.block())));
    int chunk = chunks.getBytesPerChecksum();
    ByteBuffer window = ByteBuffer.allocate(Math.max(1, READ / chunk) * chunk);
    ByteBuffer sums = ByteBuffer.allocate(window.capacity() / chunk * chunks.getChecksumSize());
    MessageDigest md5 = MD5Hash.getDigester();
    Checksum crc = chunks.getChecksumType() == DataChecksum.Type.CRC32 ? new CRC32() : new CRC32C();
    for (long offset = 0; offset < part.length(); offset += window.limit()) {
      window.clear().limit((int) Math.min(window.capacity(), part.length() - offset));
      bytes.read(offset, window.duplicate());
      if (composite) {
        crc.update(window.duplicate());
      } else {
        sums.clear();
        chunks.calculateChunkedSums(window.duplicate(), sums);
        int count = (window.limit() + chunk - 1) / chunk;
        md5.update(sums.array(), 0, count * chunks.getChecksumSize());
      }
    }
    ByteBuffer sum =
        composite
            ? ByteBuffer.allocate(Integer.BYTES).putInt(0, (int) crc.getValue())
            : ByteBuffer.wrap(md5.digest());
    long count = (part.located().getBlockSize() + chunk - 1) / chunk;
    return new BlockChecksum(chunks.getChecksumType(), chunk, count, sum);
  }

  private static FileChecksum composed(
      List<Part> parts, List<BlockChecksum> sums, DataChecksum chunks) throws IOException {
    CrcComposer composer =
        CrcComposer.newCrcComposer(chunks.getChecksumType(), parts.get(0).located().getBlockSize());
    for (int i = 0; i < parts.size(); i++) {
      composer.update(sums.get(i).crc(), parts.get(i).length());
    }
    return new CompositeCrcFileChecksum(
        ByteBuffer.wrap(composer.digest()).getInt(),
        chunks.getChecksumType(),
        sums.get(0).bytesPerCrc());
  }

  /** HDFS's client digests all of its buffer, with the zeros behind the last MD5. */
  private static FileChecksum digested(List<BlockChecksum> sums, DataChecksum chunks)
      throws IOException {
    DataOutputBuffer buffer = new DataOutputBuffer();
    for (BlockChecksum sum : sums) {
      sum.md5().write(buffer);
    }
    MD5Hash digest = MD5Hash.digest(buffer.getData());
    long crcPerBlock = sums.size() > 1 ? sums.get(0).crcPerBlock() : 0;
    int bytesPerCrc = chunks.getBytesPerChecksum();
    return chunks.getChecksumType() == DataChecksum.Type.CRC32
        ? new MD5MD5CRC32GzipFileChecksum(bytesPerCrc, crcPerBlock, digest)
        : new MD5MD5CRC32CastagnoliFileChecksum(bytesPerCrc, crcPerBlock, digest);
  }
}
