// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import io.hdfsraid.raidapi.StripeId;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a stripe id in the form that {@code repairs} and {@code fsck} show. */
public final class StripeIdConverter implements ITypeConverter<StripeId> {
  @Override
  public StripeId convert(String text) {
    try {
      return StripeId.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
