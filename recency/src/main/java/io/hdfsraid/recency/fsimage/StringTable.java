// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

import java.io.IOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The names of users, groups and extended attributes, to which inodes refer by number. Each of the
 * three kinds has numbers of its own; the upper bits of a number say its kind.
 */
final class StringTable {
  /** The kind of a number. */
  enum Kind {
    USER(1),
    GROUP(2),
    ATTRIBUTE(3);

    private final int number;

    Kind(int number) {
      this.number = number;
    }

    /** Converts the number within the kind to the number in the table. */
    int id(int number, int kindBits) {
      return kindBits == 0 ? number : number | (this.number << (Integer.SIZE - kindBits));
    }
  }

  /** How many upper bits hold the kind, as HDFS 3.1 and later write it. */
  static final int KIND_BITS = 3;

  /** Bits of the numbers in inodes. */
  static final int BITS = 24;

  private static final int MASK = (1 << BITS) - 1;

  /** Bits of the mode, below the numbers of group and user. */
  static final int MODE_BITS = 16;

  static final int ATTRIBUTE_SHIFT = 6;

  /** A cache of the last owners: map look-ups for each inode took a tenth of the time. */
  private static final int REMEMBERED = 1 << 10;

  private final Map<Integer, String> strings;
  private final Map<Integer, String> attributes = new HashMap<>();
  private final int kindBits;
  private final Owner[] remembered = new Owner[REMEMBERED];

  /**
   * The owner of an inode.
   *
   * @param numbers of user and group, as in inodes
   */
  record Owner(long numbers, String user, String group) {}

  private StringTable(Map<Integer, String> strings, int kindBits) {
    this.strings = strings;
    this.kindBits = kindBits;
  }

  static StringTable of(MessageReader messages) throws IOException {
    int entries = 0;
    int kindBits = 0;
    if (!messages.next()) {
      throw messages.damaged("the section is empty");
    }
    int above = 0;
    for (int tag = messages.tag(above); tag != 0; tag = messages.tag(above)) {
      above = WireType.field(tag);
      switch (tag) {
        case 1 << 3 | WireType.VARINT -> entries = messages.smallNumber("the count of strings");
        case 2 << 3 | WireType.VARINT -> kindBits = messages.smallNumber("the bits of the kind");
        default -> above = messages.skip(tag, 2);
      }
    }
    messages.end();
    if (kindBits != 0 && (kindBits < 2 || kindBits > Integer.SIZE - BITS)) {
      throw messages.damaged("%d bits are to say what a string is of".formatted(kindBits));
    }
    Map<Integer, String> strings = new HashMap<>();
    while (messages.next()) {
      entry(messages, strings);
    }
    if (strings.size() != entries) {
      throw messages.damaged("%d strings of %d".formatted(strings.size(), entries));
    }
    return new StringTable(strings, kindBits);
  }

  private static void entry(MessageReader messages, Map<Integer, String> strings)
      throws IOException {
    int id = 0;
    String text = null;
    int above = 0;
    for (int tag = messages.tag(above); tag != 0; tag = messages.tag(above)) {
      above = WireType.field(tag);
      switch (tag) {
        case 1 << 3 | WireType.VARINT -> id = messages.unsigned();
        case 2 << 3 | WireType.BYTES -> text = messages.text();
        default -> above = messages.skip(tag, 2);
      }
    }
    if (text == null || strings.putIfAbsent(id, text) != null) {
      throw messages.damaged("string %d comes twice, or not at all".formatted(id));
    }
    messages.end();
  }

  /** Returns the owner from the permission field of an inode. */
  Owner owner(long rights, MessageReader messages) throws IOException {
    long numbers = rights >>> MODE_BITS;
    int slot = (int) ((numbers ^ numbers >>> BITS) & REMEMBERED - 1);
    Owner owner = remembered[slot];
    if (owner == null || owner.numbers != numbers) {
      owner =
          new Owner(
              numbers,
              string(Kind.USER, (int) (numbers >>> BITS), messages),
              string(Kind.GROUP, (int) numbers & MASK, messages));
      remembered[slot] = owner;
    }
    return owner;
  }

  /** Returns the name of an attribute with its namespace, as users see it. */
  String attribute(int number, MessageReader messages) throws IOException {
    String known = attributes.get(number);
    if (known == null) {
      AttributeSpace space =
          AttributeSpace.of(number)
              .orElseThrow(
                  () -> messages.damaged("attribute %08x has no namespace".formatted(number)));
      known = space.prefix() + string(Kind.ATTRIBUTE, number >>> ATTRIBUTE_SHIFT & MASK, messages);
      attributes.put(number, known);
    }
    return known;
  }

  private String string(Kind kind, int number, MessageReader messages) throws IOException {
    return Optional.ofNullable(strings.get(kind.id(number, kindBits)))
        .orElseThrow(
            () ->
                messages.damaged(
                    "%s %d is meant, and the section %s has none of this number"
                        .formatted(
                            kind.name().toLowerCase(Locale.ROOT), number, ImageSection.STRINGS)));
  }
}
