// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The MD5 sum of an image. The NameNode stores it in a file beside the image and sends it with the
 * image. It detects accidental damage, not forgery.
 *
 * @param hex 32 digits, in lower case
 */
public record ImageDigest(String hex) {
  private static final Pattern LINE = Pattern.compile("([0-9a-fA-F]{32}) [ *](.+)");
  private static final Pattern HEX = Pattern.compile("[0-9a-f]{32}");
  private static final int BUFFER = 1 << 20;

  public ImageDigest {
    if (!HEX.matcher(hex).matches()) {
      throw new IllegalArgumentException("An MD5 sum has 32 hex digits, and not " + hex);
    }
  }

  /** Reads the sum from the file beside the image; empty if there is none. */
  static Optional<ImageDigest> beside(Path image) throws IOException {
    Path beside = fileBeside(image);
    if (!Files.exists(beside)) {
      return Optional.empty();
    }
    String text = new String(Files.readAllBytes(beside), StandardCharsets.ISO_8859_1).strip();
    Matcher line = LINE.matcher(text);
    if (!line.matches() || !line.group(2).equals(String.valueOf(image.getFileName()))) {
      throw DamagedImageException.damaged(
          beside,
          "offset 0",
          "it should be '<md5> *%s', but is '%s'"
              .formatted(image.getFileName(), text.substring(0, Math.min(200, text.length()))));
    }
    return Optional.of(new ImageDigest(line.group(1).toLowerCase(Locale.ROOT)));
  }

  private static Path fileBeside(Path image) {
    return image.resolveSibling(image.getFileName() + ".md5");
  }

  /** Writes the sum to the file beside the image, as a NameNode does. */
  public void writeBeside(Path image) throws IOException {
    Files.writeString(fileBeside(image), "%s *%s%n".formatted(hex, image.getFileName()));
  }

  /** Returns the sum of the bytes that a digester has received. */
  public static ImageDigest of(MessageDigest digester) {
    return new ImageDigest(HexFormat.of().formatHex(digester.digest()));
  }

  /** Computes the sum of an image file. */
  public static ImageDigest of(Path image) throws IOException {
    MessageDigest digester = digester();
    byte[] buffer = new byte[BUFFER];
    try (InputStream in = Files.newInputStream(image)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digester.update(buffer, 0, read);
      }
    }
    return of(digester);
  }

  /** Returns a new digester. */
  public static MessageDigest digester() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has MD5", e);
    }
  }
}
