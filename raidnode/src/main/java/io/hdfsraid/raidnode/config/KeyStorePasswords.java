// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import io.dropwizard.jetty.HttpsConnectorFactory;
import io.hdfsraid.policies.settings.Problems;
import io.hdfsraid.raidnode.hdfs.HadoopCredentials;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fetches the passwords of key stores that {@code raidnode.yml} does not hold itself: {@code
 * ${file:PATH}} stands for the content of a file, and {@code ${credential:ALIAS}} for a password of
 * Hadoop's credential providers.
 */
final class KeyStorePasswords {
  private static final String BEGINNING = "${";
  private static final Pattern REFERENCE = Pattern.compile("\\$\\{(file|credential):(.+)}");
  private static final int MOST_BYTES = 4096;

  /** Its group may read it, so that root can own it and the daemon's group read it. */
  private static final Set<PosixFilePermission> TOO_OPEN =
      EnumSet.of(
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private final Settings settings;
  private final Problems problems;

  KeyStorePasswords(Settings settings, Problems problems) {
    this.settings = settings;
    this.problems = problems;
  }

  /** Puts the passwords into the settings of the connectors. */
  void fetch() {
    settings.node().httpConnectors().stream()
        .filter(HttpsConnectorFactory.class::isInstance)
        .map(HttpsConnectorFactory.class::cast)
        .forEach(
            tls -> {
              fetch("keyStorePassword", tls.getKeyStorePassword(), tls::setKeyStorePassword);
              fetch("keyManagerPassword", tls.getKeyManagerPassword(), tls::setKeyManagerPassword);
              fetch("trustStorePassword", tls.getTrustStorePassword(), tls::setTrustStorePassword);
            });
  }

  private void fetch(String key, String value, Consumer<String> setter) {
    if (value == null || !value.startsWith(BEGINNING)) {
      return;
    }
    Matcher reference = REFERENCE.matcher(value);
    if (!reference.matches()) {
      // The password itself may be meant, so it is not shown.
      problems.add(
          "server",
          "%s begins with ${ and is neither ${file:PATH} nor ${credential:ALIAS}".formatted(key));
      return;
    }
    try {
      setter.accept(
          reference.group(1).equals("file")
              ? ofFile(settings.folder().resolve(reference.group(2)).normalize())
              : HadoopCredentials.password(reference.group(2)));
    } catch (IOException e) {
      problems.add("server", "%s: %s: %s".formatted(key, value, e.getMessage()));
    }
  }

  private static String ofFile(Path file) throws IOException {
    byte[] bytes;
    try {
      PosixFileAttributeView posix = Files.getFileAttributeView(file, PosixFileAttributeView.class);
      if (posix != null && !Collections.disjoint(posix.readAttributes().permissions(), TOO_OPEN)) {
        throw new IOException(
            "%s is open to others than its owner and its group: chmod 600 %s"
                .formatted(file, file));
      }
      if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
        throw new IOException(
            "%s is not a file that user %s can read"
                .formatted(file, System.getProperty("user.name")));
      }
      try (var in = Files.newInputStream(file)) {
        bytes = in.readNBytes(MOST_BYTES + 1);
      }
    } catch (NoSuchFileException e) {
      throw new IOException(file + " does not exist", e);
    }
    String password = new String(bytes, StandardCharsets.UTF_8).replaceFirst("\\R\\z", "");
    if (password.isEmpty() || bytes.length > MOST_BYTES || password.lines().count() > 1) {
      throw new IOException(file + " must hold the password in one line, and nothing else");
    }
    return password;
  }
}
