// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** The compression of the sections of an image; each section is compressed by itself. */
enum Compression {
  NONE("") {
    @Override
    InputStream expand(InputStream compressed) {
      return compressed;
    }
  },
  ZLIB("org.apache.hadoop.io.compress.DefaultCodec") {
    @Override
    InputStream expand(InputStream compressed) {
      return new ZlibStream(compressed);
    }
  },
  /** Another name of the same format. */
  DEFLATE("org.apache.hadoop.io.compress.DeflateCodec") {
    @Override
    InputStream expand(InputStream compressed) {
      return new ZlibStream(compressed);
    }
  },
  GZIP("org.apache.hadoop.io.compress.GzipCodec") {
    @Override
    InputStream expand(InputStream compressed) throws IOException {
      return new GzipStream(compressed);
    }
  };

  /** The class of Hadoop that writes the format; images contain its name. */
  private final String className;

  Compression(String className) {
    this.className = className;
  }

  /**
   * Returns the compression that an image names.
   *
   * @param className a class of Hadoop; empty if the image names none
   */
  static Optional<Compression> of(String className) {
    return Arrays.stream(values()).filter(one -> one.className.equals(className)).findFirst();
  }

  /** Returns the supported classes. */
  static String readable() {
    return Arrays.stream(values())
        .filter(one -> one != NONE)
        .map(Compression::className)
        .collect(Collectors.joining(", "));
  }

  String className() {
    return className;
  }

  /**
   * Decompresses a section that is not empty. Several compressed pieces in a row are one content.
   */
  abstract InputStream expand(InputStream compressed) throws IOException;
}
