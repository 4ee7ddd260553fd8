package io.hdfsraid.raidnode.fsimage;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** How the sections of an image are compressed, each for itself. */
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
  /** Another name of the same. */
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

  /** The class of Hadoop that writes it, by which images name it. */
  private final String className;

  Compression(String className) {
    this.className = className;
  }

  /**
   * That of an image which names this class of Hadoop.
   *
   * @param className empty where the image names none
   */
  static Optional<Compression> of(String className) {
    return Arrays.stream(values()).filter(one -> one.className.equals(className)).findFirst();
  }

  /** The classes whose images can be read. */
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
   * The content of a section that is not empty. What is compressed in several pieces, one after the
   * other, is one content.
   */
  abstract InputStream expand(InputStream compressed) throws IOException;
}
