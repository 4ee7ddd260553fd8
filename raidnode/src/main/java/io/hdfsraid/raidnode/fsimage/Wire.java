package io.hdfsraid.raidnode.fsimage;

import com.google.protobuf.WireFormat;

/** How a field's value is written, as constants by which one can switch. */
final class Wire {
  static final int VARINT = WireFormat.WIRETYPE_VARINT;
  static final int FIXED64 = WireFormat.WIRETYPE_FIXED64;
  static final int BYTES = WireFormat.WIRETYPE_LENGTH_DELIMITED;
  static final int FIXED32 = WireFormat.WIRETYPE_FIXED32;

  private Wire() {}

  static int field(int tag) {
    return WireFormat.getTagFieldNumber(tag);
  }
}
