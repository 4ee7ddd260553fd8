// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.ManifestFormat;
import io.hdfsraid.drfs.manifest.ManifestFormatException;
import io.hdfsraid.drfs.parity.AbandonedBlocks;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ManifestTooLargeException;
import io.hdfsraid.drfs.parity.ParityPhase;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Stores a manifest in the extended attributes {@code user.raid.manifest.0}, {@code .1}, … of its
 * parity file, and the phase beside it. By default HDFS allows 32 attributes for an inode and
 * 16,384 bytes for each, including the name.
 *
 * <p>A manifest that needs more is cut into <i>pieces</i>: the first lies in the attributes of the
 * parity file, the others in those of further files ({@link ManifestPieces}). It then begins with
 * {@link ManifestFormat#IN_PIECES} and the number of further pieces, one byte each; the manifest
 * itself follows. Versions that know nothing of pieces take that for a newer format.
 */
final class ManifestXAttrs {
  static final String PHASE = "user.raid.phase";

  /** Attribute of a group's parity file: the members that are to leave the group. */
  static final String LEAVING = "user.raid.leaving";

  /**
   * Attribute of a member: its group. It is in the user namespace, because readers must be able to
   * read it with their own permissions. Its value counts only if the manifest confirms it.
   */
  static final String GROUP = "user.raid.group";

  /** Bytes of name and value; leaves a margin below the 16,384 that HDFS allows. */
  static final int ATTRIBUTE_BYTES = 16_000;

  /** One of 32 is reserved for the phase. Manifests of groups are small and leave more. */
  static final int MAX_ATTRIBUTES = 31;

  private static final String PREFIX = "user.raid.manifest.";
  private static final int VALUE_BYTES =
      ATTRIBUTE_BYTES - PREFIX.length() - String.valueOf(MAX_ATTRIBUTES).length();

  /** Bytes in the attributes of one file. */
  static final int PIECE_BYTES = VALUE_BYTES * MAX_ATTRIBUTES;

  /** Together 31 MB, for about three million blocks. */
  private static final int MAX_PIECES = 64;

  private static final int HEADER_BYTES = 2;
  private static final long LIMIT = (long) PIECE_BYTES * MAX_PIECES - HEADER_BYTES;

  private ManifestXAttrs() {}

  /** Returns the attributes of the parity file, followed by those of each further piece. */
  static List<Map<String, byte[]>> encode(Manifest manifest) throws ManifestTooLargeException {
    return split(ManifestFormat.encode(manifest));
  }

  static List<Map<String, byte[]>> split(byte[] bytes) throws ManifestTooLargeException {
    if (bytes.length > LIMIT) {
      throw new ManifestTooLargeException(bytes.length, LIMIT);
    }
    if (bytes.length <= PIECE_BYTES) {
      return List.of(attributes(bytes));
    }
    int stored = HEADER_BYTES + bytes.length;
    int further = (stored - 1) / PIECE_BYTES;
    byte[] all =
        ByteBuffer.allocate(stored)
            .put((byte) ManifestFormat.IN_PIECES)
            .put((byte) further)
            .put(bytes)
            .array();
    return ManifestFormat.split(all, PIECE_BYTES).stream().map(ManifestXAttrs::attributes).toList();
  }

  private static Map<String, byte[]> attributes(byte[] piece) {
    Map<String, byte[]> attributes = new LinkedHashMap<>();
    for (byte[] value : ManifestFormat.split(piece, VALUE_BYTES)) {
      attributes.put(PREFIX + attributes.size(), value);
    }
    return attributes;
  }

  /** Returns how many pieces the manifest has beside that in the attributes of the parity file. */
  static int furtherPieces(Map<String, byte[]> attributes) {
    byte[] first = attributes.getOrDefault(PREFIX + 0, new byte[0]);
    return first.length >= HEADER_BYTES && first[0] == ManifestFormat.IN_PIECES ? first[1] : 0;
  }

  /**
   * @param pieces the attributes of the parity file, followed by those of each further piece
   */
  static Manifest decode(List<Map<String, byte[]>> pieces) throws ManifestFormatException {
    return ManifestFormat.decode(join(pieces));
  }

  static byte[] join(List<Map<String, byte[]>> pieces) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (Map<String, byte[]> attributes : pieces) {
      for (int i = 0; attributes.containsKey(PREFIX + i); i++) {
        bytes.writeBytes(attributes.get(PREFIX + i));
      }
    }
    byte[] joined = bytes.toByteArray();
    return furtherPieces(pieces.get(0)) == 0
        ? joined
        : Arrays.copyOfRange(joined, HEADER_BYTES, joined.length);
  }

  static byte[] encode(Collection<Long> ids) {
    return text(ids).getBytes(StandardCharsets.US_ASCII);
  }

  private static String text(Collection<Long> ids) {
    return ids.stream().sorted().map(String::valueOf).collect(Collectors.joining(","));
  }

  static Set<Long> leaving(Map<String, byte[]> attributes) throws ManifestFormatException {
    return numbers(LEAVING, ascii(attributes, LEAVING).orElse(""));
  }

  /** Returns the blocks that are abandoned; see {@link #encode(AbandonedBlocks)}. */
  static AbandonedBlocks abandoned(Map<String, byte[]> attributes) throws ManifestFormatException {
    String[] words = ascii(attributes, PHASE).orElse("").split(" ", -1);
    if (words.length == 1) {
      return AbandonedBlocks.NONE;
    }
    if (words.length != 3) {
      throw new ManifestFormatException(
          "%s should be a phase, a time and block ids, but is '%s'"
              .formatted(PHASE, String.join(" ", words)));
    }
    try {
      return new AbandonedBlocks(numbers(PHASE, words[2]), Instant.parse(words[1]));
    } catch (DateTimeParseException | IllegalArgumentException e) {
      throw new ManifestFormatException("%s: %s".formatted(PHASE, e.getMessage()));
    }
  }

  private static Set<Long> numbers(String attribute, String list) throws ManifestFormatException {
    if (list.isEmpty()) {
      return Set.of();
    }
    try {
      return Arrays.stream(list.split(",", -1)).map(Long::valueOf).collect(Collectors.toSet());
    } catch (NumberFormatException e) {
      throw new ManifestFormatException(
          "%s should list ids, but has '%s'".formatted(attribute, list));
    }
  }

  private static Optional<String> ascii(Map<String, byte[]> attributes, String name) {
    return Optional.ofNullable(attributes.get(name))
        .map(value -> new String(value, StandardCharsets.US_ASCII));
  }

  static byte[] encode(GroupId group) {
    return Long.toString(group.value()).getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the group named on a file; empty if the value is not the id of a group. */
  static Optional<GroupId> group(Map<String, byte[]> attributes) {
    byte[] value = attributes.get(GROUP);
    if (value == null) {
      return Optional.empty();
    }
    try {
      long number = Long.parseLong(new String(value, StandardCharsets.US_ASCII));
      return GroupId.isGroup(number) ? Optional.of(new GroupId(number)) : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty(); // the owner of the file can write any value
    }
  }

  static byte[] encode(ParityPhase phase) {
    return phase.tag().getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Returns the value of {@link #PHASE} with the abandoned blocks behind the tag. They have no
   * attribute of their own, because a large manifest leaves room for this one only.
   */
  static byte[] encode(AbandonedBlocks blocks) {
    return "%s %s %s"
        .formatted(ParityPhase.UNRAIDING.tag(), blocks.confirmed(), text(blocks.ids()))
        .getBytes(StandardCharsets.US_ASCII);
  }

  static ParityPhase phase(Map<String, byte[]> attributes) throws ManifestFormatException {
    Optional<String> value = ascii(attributes, PHASE);
    try {
      return value.isEmpty()
          ? ParityPhase.COMMITTED
          : ParityPhase.ofTag(value.get().split(" ", 2)[0]);
    } catch (IllegalArgumentException e) {
      throw new ManifestFormatException(e.getMessage());
    }
  }
}
