// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.crypto.CryptoInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileEncryptionInfo;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsKMSUtil;

/** Decrypts rebuilt bytes. The parity of an encrypted file covers its ciphertext. */
final class Decryption {
  private Decryption() {}

  /**
   * @param ciphertext the ciphertext of the block
   * @param start position of the block in the file, on which the key stream depends
   */
  static LostBlock.Contents of(
      LostBlock.Contents ciphertext,
      long start,
      FileEncryptionInfo key,
      DistributedFileSystem fileSystem)
      throws IOException {
    DFSClient client = fileSystem.getClient();
    CryptoInputStream plaintext =
        HdfsKMSUtil.createWrappedInputStream(
            new Positioned(ciphertext, start), client.getKeyProvider(), key, fileSystem.getConf());
    return new LostBlock.Contents() {
      @Override
      public void read(long offset, ByteBuffer target) throws IOException {
        byte[] bytes = new byte[target.remaining()];
        plaintext.readFully(start + offset, bytes, 0, bytes.length);
        target.put(bytes);
      }

      @Override
      public int rowBytes() {
        return ciphertext.rowBytes();
      }
    };
  }

  /** Presents the block as a part of its file, at its position. */
  private static final class Positioned extends FSInputStream {
    private final LostBlock.Contents contents;
    private final long start;
    private long position;

    Positioned(LostBlock.Contents contents, long start) {
      this.contents = contents;
      this.start = start;
    }

    @Override
    public int read(long at, byte[] buffer, int offset, int length) throws IOException {
      contents.read(at - start, ByteBuffer.wrap(buffer, offset, length));
      return length;
    }

    @Override
    public void readFully(long at, byte[] buffer, int offset, int length) throws IOException {
      contents.read(at - start, ByteBuffer.wrap(buffer, offset, length));
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      read(one, 0, 1);
      return one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      readFully(position, buffer, offset, length);
      position += length;
      return length;
    }

    @Override
    public void seek(long to) {
      position = to;
    }

    @Override
    public long getPos() {
      return position;
    }

    @Override
    public boolean seekToNewSource(long target) {
      return false;
    }
  }
}
