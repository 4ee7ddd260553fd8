// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import io.hdfsraid.recency.rocksdb.KeyNumber;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The keys of the tables: numbers of fixed width, whose unsigned order as bytes is their order as
 * numbers.
 */
final class Keys {
  static final int INODE_BYTES = Long.BYTES;
  static final int PLACE_BYTES = Long.BYTES + Integer.BYTES;
  static final int RANK_BYTES = Integer.BYTES + 2 * Long.BYTES;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private Keys() {}

  static byte[] inode(long id) {
    byte[] key = new byte[INODE_BYTES];
    inode(id, key);
    return key;
  }

  static void inode(long id, byte[] key) {
    KeyNumber.put(id, key, 0);
  }

  static long inode(byte[] key) {
    return KeyNumber.at(key, 0);
  }

  /** Returns the place of an entry: its directory and the hash of its name. */
  static byte[] place(long parent, String name) {
    return place(parent, hash(name));
  }

  static byte[] place(long parent, int hash) {
    byte[] key = new byte[PLACE_BYTES];
    place(parent, hash, key);
    return key;
  }

  static void place(long parent, int hash, byte[] key) {
    KeyNumber.put(parent, key, 0);
    INT.set(key, Long.BYTES, hash);
  }

  static int hashAt(byte[] place) {
    return (int) INT.get(place, Long.BYTES);
  }

  /**
   * Returns the CRC-32C of the UTF-8. If two names share a hash, the entries themselves tell them
   * apart.
   */
  static int hash(String name) {
    CRC32C crc = new CRC32C();
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    crc.update(utf8, 0, utf8.length);
    return (int) crc.getValue();
  }

  /** Returns a position in the order of last use. */
  static byte[] rank(int epoch, long lastUsed, long inode) {
    byte[] key = new byte[RANK_BYTES];
    rank(epoch, lastUsed, inode, key);
    return key;
  }

  static void rank(int epoch, long lastUsed, long inode, byte[] key) {
    INT.set(key, 0, epoch);
    KeyNumber.put(lastUsed, key, Integer.BYTES);
    KeyNumber.put(inode, key, Integer.BYTES + Long.BYTES);
  }

  static int epochAt(byte[] rank) {
    return (int) INT.get(rank, 0);
  }

  static long lastUsedAt(byte[] rank) {
    return KeyNumber.at(rank, Integer.BYTES);
  }

  static long inodeAt(byte[] rank) {
    return KeyNumber.at(rank, Integer.BYTES + Long.BYTES);
  }
}
