// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import io.dropwizard.util.DataSize;
import java.io.IOException;

/** Reads a size. A bare number is a number of bytes, so that 0 can switch a limit off. */
final class SizeReader extends StdDeserializer<DataSize> {
  private static final long serialVersionUID = 1;

  SizeReader() {
    super(DataSize.class);
  }

  @Override
  public DataSize deserialize(JsonParser parser, DeserializationContext context)
      throws IOException {
    String text = String.valueOf(parser.getValueAsString());
    try {
      return DataSize.parse(text);
    } catch (IllegalArgumentException e) {
      throw context.weirdStringException(text, DataSize.class, e.getMessage());
    }
  }
}
