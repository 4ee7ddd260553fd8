package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.StripeId;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a stripe as {@code repairs} and {@code fsck} name it. */
final class StripeName implements ITypeConverter<StripeId> {
  @Override
  public StripeId convert(String text) {
    try {
      return StripeId.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
