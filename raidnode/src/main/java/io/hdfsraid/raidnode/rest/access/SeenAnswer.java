// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.hdfsraid.raidnode.access.PermittedPaths.Sight;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Removes from an answer what a person may not see. An item of a list that is about a hidden path
 * is left out. In every other text, whatever it says, all from a hidden path on is replaced.
 *
 * <p>A name may have blanks, so nothing shows where a path in a sentence ends. The rest of the
 * sentence is therefore taken for the path, and it is shown only if the person may list every
 * directory that the path then could have.
 */
final class SeenAnswer {
  static final String HIDDEN = "(hidden)";

  /** The field that says what an object is about. */
  private static final String ABOUT = "path";

  /** The path of the same file behind a router, where the rights of another directory hold. */
  private static final String OF_CLIENTS = "clientPath";

  /** Places in the network look like paths. */
  private static final String RACK = "rack";

  /** Fields of policies with patterns of paths, which are no names from the first wildcard on. */
  private static final Set<String> PATTERNS = Set.of("paths", "excludes", "builtInExcludes");

  /** The rest of a pattern that names nothing but the type of files. */
  private static final Pattern NAMELESS = Pattern.compile("(/([*?]+(\\.\\w+)?)?)*");

  private static final Pattern WILDCARD = Pattern.compile("[*?\\[{]");

  /** The slash that a path begins with, possibly after the scheme and the authority of a URI. */
  private static final Pattern BEGIN =
      Pattern.compile("\\p{Alpha}[\\w+.-]*://[^/\\s]*(?<path>/)?|(?<![\\p{Alnum}._-])/");

  private final Sight sight;

  SeenAnswer(Sight sight) {
    this.sight = sight;
  }

  /** Returns what may be seen of an answer; empty if it is about a hidden path. */
  Optional<JsonNode> of(JsonNode answer) throws IOException {
    if (answer.isTextual()) {
      return Optional.of(TextNode.valueOf(text(answer.textValue())));
    }
    if (answer instanceof ArrayNode list) {
      ArrayNode seen = JsonNodeFactory.instance.arrayNode();
      for (JsonNode item : list) {
        of(item).ifPresent(seen::add);
      }
      return Optional.of(seen);
    }
    return answer instanceof ObjectNode object ? of(object) : Optional.of(answer);
  }

  private Optional<JsonNode> of(ObjectNode object) throws IOException {
    String about = object.path(ABOUT).asText();
    if (about.startsWith("/") && !sight.shows(about)) {
      return Optional.empty();
    }
    ObjectNode seen = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      Optional<JsonNode> value = field(field.getKey(), field.getValue());
      if (value.isEmpty()) {
        return Optional.empty();
      }
      seen.set(text(field.getKey()), value.get());
    }
    return Optional.of(seen);
  }

  private Optional<JsonNode> field(String name, JsonNode value) throws IOException {
    if (name.equals(RACK) || name.equals(ABOUT) || name.equals(OF_CLIENTS)) {
      return Optional.of(value);
    }
    if (PATTERNS.contains(name) && value instanceof ArrayNode patterns) {
      ArrayNode seen = JsonNodeFactory.instance.arrayNode();
      patterns.forEach(pattern -> seen.add(pattern(pattern.asText())));
      return Optional.of(seen);
    }
    return of(value);
  }

  private String pattern(String pattern) {
    Matcher wildcard = WILDCARD.matcher(pattern);
    String literal = wildcard.find() ? pattern.substring(0, wildcard.start()) : pattern;
    if (!text(literal).equals(literal)) {
      return HIDDEN;
    }
    // Below a wildcard, names may be those of files in directories that the viewer may not list.
    int below = pattern.indexOf('/', literal.length());
    return below < 0 || NAMELESS.matcher(pattern.substring(below)).matches()
        ? pattern
        : pattern.substring(0, below + 1) + HIDDEN;
  }

  /** Returns a text without what follows a hidden path. */
  String text(String text) {
    Matcher begin = BEGIN.matcher(text);
    while (begin.find()) {
      int from = text.charAt(begin.start()) == '/' ? begin.start() : begin.start("path");
      if (from >= 0) {
        return shows(text.substring(from)) ? text : text.substring(0, from) + HIDDEN;
      }
    }
    return text;
  }

  private boolean shows(String path) {
    try {
      return sight.shows(path);
    } catch (IOException e) {
      return false; // a list would fail; a sentence only loses its end
    }
  }
}
