// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.manifest;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.erasurecode.RowLayout;
import io.hdfsraid.erasurecode.StripeShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Manifests as bytes: small, for they live in the memory of the NameNode. A data unit of a file of
 * equal blocks with consecutive ids takes little more than the 4 bytes of its CRC.
 *
 * <pre>
 *   version                                  1 byte
 *   length of all of it                      4 bytes
 *   cluster id, block pool, codec            each: number of bytes, UTF-8
 *   α, c, original, target, parity replication
 *   number of members, and for each          inode &Delta;, length &Delta;
 *   number of stripes, and for each
 *     number of data units, of parity units
 *     surprises                              1 bit for each data unit, lowest first, in whole bytes
 *     for each data unit                     if it is a surprise: member &Delta;, block id &Delta;,
 *                                              generation stamp &Delta;, length &Delta;; always: CRC
 *     for each parity unit                   CRC
 *   CRC32C of all before it                  4 bytes
 * </pre>
 *
 * <p>Numbers are varints: 7 bits a byte, lowest first, the high bit set on all but the last.
 * &Delta; is the difference to the expected value, zigzag coded. Expected is: of members, what the
 * one before had (the first: 0); of data units, the member, the block id + 1, the generation stamp
 * + 1 and the length of the one before in the file (the first: as if after 0, 0, 0, 0). A unit that
 * is not a surprise is as expected. CRCs and the length have their highest byte first. Each
 * manifest has one encoding, and no other bytes are accepted.
 */
public final class ManifestFormat {
  /** Written first; a reader refuses what it does not know. */
  public static final int VERSION = 1;

  /**
   * The first byte of what is stored for a manifest that needs the attributes of several files. It
   * never begins a manifest itself, so the next version is 3.
   */
  public static final int IN_PIECES = 2;

  static final int LENGTH_AT = 1;
  private static final int CRC_BYTES = Integer.BYTES;
  private static final int LEAST_BYTES = 1 + Integer.BYTES + CRC_BYTES;
  private static final Member BEFORE_MEMBERS = new Member(0, 0);
  private static final DataUnit BEFORE_UNITS = new DataUnit(0, new Block(0, 0, 0), 0);

  private ManifestFormat() {}

  /**
   * Encodes a manifest. Each manifest has exactly one encoding.
   *
   * @throws IllegalArgumentException if a replication is negative or a stripe has more units than a
   *     code can have
   */
  public static byte[] encode(Manifest manifest) {
    ManifestOutput out = new ManifestOutput();
    out.writeByte(VERSION);
    out.writeInt(0);
    out.writeText(manifest.clusterId());
    out.writeText(manifest.blockPool());
    out.writeText(manifest.codec());
    out.writeNumber(manifest.layout().subUnits());
    out.writeNumber(manifest.layout().chunk());
    out.writeNumber(manifest.originalReplication());
    out.writeNumber(manifest.targetReplication());
    out.writeNumber(manifest.parityReplication());

    out.writeNumber(manifest.members().size());
    Member lastMember = BEFORE_MEMBERS;
    for (Member member : manifest.members()) {
      out.writeDelta(member.inode() - lastMember.inode());
      out.writeDelta(member.length() - lastMember.length());
      lastMember = member;
    }

    out.writeNumber(manifest.stripes().size());
    DataUnit last = BEFORE_UNITS;
    for (Stripe stripe : manifest.stripes()) {
      writeStripe(out, last, stripe);
      last = stripe.data().get(stripe.data().size() - 1);
    }
    return out.finish(LENGTH_AT);
  }

  private static void writeStripe(ManifestOutput out, DataUnit before, Stripe stripe) {
    if (stripe.data().size() + stripe.parityCrcs().size() > StripeShape.MAX_UNITS) {
      throw new IllegalArgumentException(
          "A stripe has at most %d units, but got %d data and %d parity units"
              .formatted(StripeShape.MAX_UNITS, stripe.data().size(), stripe.parityCrcs().size()));
    }
    out.writeNumber(stripe.data().size());
    out.writeNumber(stripe.parityCrcs().size());
    byte[] surprises = new byte[surpriseBytes(stripe.data().size())];
    DataUnit last = before;
    for (int i = 0; i < stripe.data().size(); i++) {
      if (!stripe.data().get(i).equals(expected(last, stripe.data().get(i).crc()))) {
        surprises[i / Byte.SIZE] |= (byte) (1 << (i % Byte.SIZE));
      }
      last = stripe.data().get(i);
    }
    out.writeBytes(surprises);
    last = before;
    for (int i = 0; i < stripe.data().size(); i++) {
      DataUnit unit = stripe.data().get(i);
      if (isSurprise(surprises, i)) {
        DataUnit expected = expected(last, unit.crc());
        out.writeDelta(unit.member() - expected.member());
        out.writeDelta(unit.block().id() - expected.block().id());
        out.writeDelta(unit.block().generationStamp() - expected.block().generationStamp());
        out.writeDelta(unit.block().length() - expected.block().length());
      }
      out.writeInt(unit.crc());
      last = unit;
    }
    stripe.parityCrcs().forEach(out::writeInt);
  }

  /** Returns the unit that follows if a writer creates one block after the other. */
  private static DataUnit expected(DataUnit last, int crc) {
    Block block = last.block();
    return new DataUnit(
        last.member(), new Block(block.id() + 1, block.generationStamp() + 1, block.length()), crc);
  }

  private static int surpriseBytes(int units) {
    return (units + Byte.SIZE - 1) / Byte.SIZE;
  }

  private static boolean isSurprise(byte[] surprises, int unit) {
    return ((surprises[unit / Byte.SIZE] >> (unit % Byte.SIZE)) & 1) != 0;
  }

  /**
   * Decodes a manifest.
   *
   * @throws ManifestFormatException unless these bytes are exactly what {@link #encode} of this
   *     version writes
   */
  public static Manifest decode(byte[] bytes) throws ManifestFormatException {
    ManifestInput in = checked(bytes);
    try {
      Manifest manifest = read(in);
      in.checkEnd();
      return manifest;
    } catch (IllegalArgumentException | IndexOutOfBoundsException | ArithmeticException e) {
      throw new ManifestFormatException(
          "The manifest contradicts itself before byte %d: %s"
              .formatted(in.position(), e.getMessage()));
    }
  }

  private static ManifestInput checked(byte[] bytes) throws ManifestFormatException {
    if (bytes.length == 0) {
      throw new ManifestFormatException("A manifest has no bytes at all");
    }
    int version = bytes[0] & 0xff;
    if (version > VERSION) {
      throw new NewerManifestException(version, VERSION);
    }
    if (version != VERSION) {
      throw new ManifestFormatException(
          "The manifest begins with %d, which is no format of a manifest: it is damaged"
              .formatted(version));
    }
    if (bytes.length < LEAST_BYTES) {
      throw new ManifestFormatException(
          "The manifest is cut off: it has only %d bytes".formatted(bytes.length));
    }
    int length = new ManifestInput(bytes, LENGTH_AT, bytes.length).readInt();
    if (bytes.length < length || length < 0) {
      throw new ManifestFormatException(
          "The manifest is cut off: it has %d of its %d bytes"
              .formatted(bytes.length, Integer.toUnsignedLong(length)));
    }
    if (bytes.length > length) {
      throw new ManifestFormatException(
          "The manifest has %d bytes, but should end after %d".formatted(bytes.length, length));
    }
    int end = length - CRC_BYTES;
    int recorded = new ManifestInput(bytes, end, length).readInt();
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, end);
    if ((int) crc.getValue() != recorded) {
      throw new ManifestFormatException(
          "The manifest is damaged: its bytes have CRC32C %08x, but %08x was recorded"
              .formatted((int) crc.getValue(), recorded));
    }
    return new ManifestInput(bytes, LENGTH_AT + Integer.BYTES, end);
  }

  private static Manifest read(ManifestInput in) throws ManifestFormatException {
    String clusterId = in.readText();
    String blockPool = in.readText();
    String codec = in.readText();
    RowLayout layout = new RowLayout(in.readNumber("α"), in.readNumber("chunk length"));
    int originalReplication = in.readNumber("original replication");
    int targetReplication = in.readNumber("target replication");
    int parityReplication = in.readNumber("parity replication");

    int memberCount = in.readCount("members", 2);
    List<Member> members = new ArrayList<>(memberCount);
    Member lastMember = BEFORE_MEMBERS;
    for (int i = 0; i < memberCount; i++) {
      lastMember =
          new Member(lastMember.inode() + in.readDelta(), lastMember.length() + in.readDelta());
      members.add(lastMember);
    }

    int stripeCount = in.readCount("stripes", 2 + 1 + 2 * CRC_BYTES);
    List<Stripe> stripes = new ArrayList<>(stripeCount);
    DataUnit last = BEFORE_UNITS;
    for (int i = 0; i < stripeCount; i++) {
      Stripe stripe = readStripe(in, last);
      stripes.add(stripe);
      last = stripe.data().get(stripe.data().size() - 1);
    }
    return new Manifest(
        clusterId,
        blockPool,
        codec,
        layout,
        originalReplication,
        targetReplication,
        parityReplication,
        members,
        stripes);
  }

  private static Stripe readStripe(ManifestInput in, DataUnit before)
      throws ManifestFormatException {
    int dataCount = in.readCount("data units", CRC_BYTES);
    int parityCount = in.readCount("parity units", CRC_BYTES);
    if (dataCount + parityCount > StripeShape.MAX_UNITS) {
      throw new ManifestFormatException(
          "A stripe of the manifest has %d data and %d parity units, but none can have more than %d"
              .formatted(dataCount, parityCount, StripeShape.MAX_UNITS));
    }
    byte[] surprises = in.readBytes(surpriseBytes(dataCount));
    for (int i = dataCount; i < surprises.length * Byte.SIZE; i++) {
      if (isSurprise(surprises, i)) {
        throw new ManifestFormatException(
            "A stripe of the manifest describes unit %d, but has only %d".formatted(i, dataCount));
      }
    }
    List<DataUnit> data = new ArrayList<>(dataCount);
    DataUnit last = before;
    for (int i = 0; i < dataCount; i++) {
      last = readUnit(in, last, isSurprise(surprises, i));
      data.add(last);
    }
    List<Integer> parityCrcs = new ArrayList<>(parityCount);
    for (int i = 0; i < parityCount; i++) {
      parityCrcs.add(in.readInt());
    }
    return new Stripe(data, parityCrcs);
  }

  private static DataUnit readUnit(ManifestInput in, DataUnit last, boolean surprise)
      throws ManifestFormatException {
    DataUnit expected = expected(last, 0);
    if (!surprise) {
      return new DataUnit(expected.member(), expected.block(), in.readInt());
    }
    int member = Math.toIntExact(expected.member() + in.readDelta());
    Block block =
        new Block(
            expected.block().id() + in.readDelta(),
            expected.block().generationStamp() + in.readDelta(),
            expected.block().length() + in.readDelta());
    if (member == expected.member() && block.equals(expected.block())) {
      throw new ManifestFormatException(
          "The manifest marks %s as a surprise, which it is not".formatted(block));
    }
    return new DataUnit(member, block, in.readInt());
  }

  /**
   * Cuts an encoded manifest into pieces of at most {@code limit} bytes, for extended attributes
   * numbered from 0.
   */
  public static List<byte[]> split(byte[] bytes, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException(
          "A piece needs 1 byte or more, but the limit is %d".formatted(limit));
    }
    List<byte[]> pieces = new ArrayList<>();
    for (int from = 0; from < bytes.length; from += limit) {
      pieces.add(Arrays.copyOfRange(bytes, from, from + Math.min(limit, bytes.length - from)));
    }
    return pieces;
  }

  /**
   * Joins the pieces in the order of their numbers. A missing piece is detected when the result is
   * decoded.
   */
  public static byte[] join(List<byte[]> pieces) {
    ManifestOutput out = new ManifestOutput();
    pieces.forEach(out::writeBytes);
    return out.toByteArray();
  }
}
