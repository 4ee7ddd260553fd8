// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads an absolute HDFS path, or the path of an {@code hdfs://} URI, and removes trailing slashes.
 * As in Hadoop's own shell, a percent sign in a URI stands for itself. {@link NamedCluster} has the
 * rest of the URI.
 */
public final class HdfsPathConverter implements ITypeConverter<String> {
  static final Pattern URI = Pattern.compile("(?s)hdfs://(?<authority>[^/]*)(?<path>/.*)?");
  private static final Pattern OTHER_URI = Pattern.compile("(?s)[A-Za-z][A-Za-z0-9+.-]*:/.*");

  @Override
  public String convert(String text) {
    String path = text;
    Matcher uri = URI.matcher(text);
    if (uri.matches()) {
      NamedCluster.requireName(uri.group("authority"), text);
      path = uri.group("path") == null ? "/" : uri.group("path");
    } else if (OTHER_URI.matcher(text).matches()) {
      throw new TypeConversionException("'" + text + "' is not an hdfs:// URI");
    } else if (!text.startsWith("/")) {
      throw new TypeConversionException("'" + text + "' is not an absolute HDFS path");
    }
    String stripped = path.replaceAll("/+", "/").replaceAll("/$", "");
    return stripped.isEmpty() ? "/" : stripped;
  }
}
