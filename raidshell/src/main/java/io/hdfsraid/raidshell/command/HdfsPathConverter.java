package io.hdfsraid.raidshell.command;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads an absolute HDFS path and removes trailing slashes. */
public final class HdfsPathConverter implements ITypeConverter<String> {
  @Override
  public String convert(String text) {
    if (!text.startsWith("/")) {
      throw new TypeConversionException("'" + text + "' is not an absolute HDFS path");
    }
    String stripped = text.replaceAll("/+", "/").replaceAll("/$", "");
    return stripped.isEmpty() ? "/" : stripped;
  }
}
