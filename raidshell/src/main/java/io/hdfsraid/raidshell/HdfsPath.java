package io.hdfsraid.raidshell;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a path argument: absolute, without trailing slashes. */
public final class HdfsPath implements ITypeConverter<String> {
  @Override
  public String convert(String text) {
    if (!text.startsWith("/")) {
      throw new TypeConversionException("'" + text + "' is not an absolute HDFS path");
    }
    String stripped = text.replaceAll("/+", "/").replaceAll("/$", "");
    return stripped.isEmpty() ? "/" : stripped;
  }
}
