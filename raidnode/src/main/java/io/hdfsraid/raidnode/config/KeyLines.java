// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The line numbers of the keys of a YAML file, by key path such as policies[0].paths[1]. */
final class KeyLines {
  private final Map<String, Integer> lines = new HashMap<>();

  private KeyLines() {}

  /** Reads all keys from a parser. */
  static KeyLines of(JsonParser parser) throws IOException {
    KeyLines all = new KeyLines();
    JsonToken first = parser.nextToken();
    if (first != null) {
      all.value(parser, first, "");
    }
    return all;
  }

  private void value(JsonParser parser, JsonToken begins, String key) throws IOException {
    here(parser, key);
    if (begins == JsonToken.START_OBJECT) {
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String below = key.isEmpty() ? parser.currentName() : key + "." + parser.currentName();
        here(parser, below);
        value(parser, parser.nextToken(), below);
      }
    } else if (begins == JsonToken.START_ARRAY) {
      JsonToken element = parser.nextToken();
      for (int i = 0; element != JsonToken.END_ARRAY; i++) {
        value(parser, element, key + "[" + i + "]");
        element = parser.nextToken();
      }
    }
  }

  private void here(JsonParser parser, String key) {
    lines.putIfAbsent(key, parser.currentTokenLocation().getLineNr());
  }

  /** Returns the line of a key, or of its closest existing parent if the key is missing. */
  Optional<Integer> of(String key) {
    String at = key;
    while (!at.isEmpty()) {
      Integer line = lines.get(at);
      if (line != null) {
        return Optional.of(line);
      }
      at = at.substring(0, Math.max(0, Math.max(at.lastIndexOf('.'), at.lastIndexOf('['))));
    }
    return Optional.empty();
  }
}
