// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

import com.google.protobuf.WireFormat;

/** The wire types of protobuf, as constants for {@code switch}. */
final class WireType {
  static final int VARINT = WireFormat.WIRETYPE_VARINT;
  static final int FIXED64 = WireFormat.WIRETYPE_FIXED64;
  static final int BYTES = WireFormat.WIRETYPE_LENGTH_DELIMITED;
  static final int FIXED32 = WireFormat.WIRETYPE_FIXED32;

  private WireType() {}

  static int field(int tag) {
    return WireFormat.getTagFieldNumber(tag);
  }
}
