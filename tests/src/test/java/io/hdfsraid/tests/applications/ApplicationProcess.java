// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.applications;

import io.hdfsraid.tests.client.ClientClassPath;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/**
 * An application in a process of its own. On its class path are the jars of the application, our
 * one jar for clients, and a {@code core-site.xml}.
 *
 * @param jars the jars of the application
 * @param folder where it runs; empty or new
 * @param options of its Java
 */
record ApplicationProcess(Path jars, Path folder, List<String> options) {
  private static final long MINUTES = 4;

  /**
   * What an application has done.
   *
   * @param text what it has printed and logged
   */
  record Outcome(int exitCode, String text) {}

  /** Runs a class of this module, which may use nothing else of it. */
  Outcome run(Configuration site, Class<?> main, List<String> arguments) throws Exception {
    return run(site, main.getName(), arguments, ClientClassPath.of(main, folder, jars));
  }

  /** Runs a class of the application. */
  Outcome run(Configuration site, String main, List<String> arguments) throws Exception {
    return run(site, main, arguments, ClientClassPath.of(jars));
  }

  private Outcome run(
      Configuration site, String main, List<String> arguments, List<String> classPath)
      throws Exception {
    Files.createDirectories(folder);
    Path log = folder.resolve("log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx512m");
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(options);
    command.add("-cp");
    command.add(withSite(site) + File.pathSeparator + String.join(File.pathSeparator, classPath));
    command.add(main);
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
        throw new IOException(
            "%s %s did not end: %s".formatted(main, arguments, Files.readString(log)));
      }
    } finally {
      process.destroyForcibly();
    }
    return new Outcome(process.exitValue(), Files.readString(log));
  }

  private Path withSite(Configuration site) throws IOException {
    Path directory = Files.createDirectories(folder.resolve("conf"));
    try (OutputStream out = Files.newOutputStream(directory.resolve("core-site.xml"))) {
      site.writeXml(out);
    }
    return directory.toAbsolutePath();
  }
}
