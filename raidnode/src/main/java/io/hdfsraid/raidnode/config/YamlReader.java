// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.dropwizard.jackson.Jackson;
import io.dropwizard.util.DataSize;
import io.hdfsraid.policies.settings.Problems;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads one YAML file and collects all its mistakes, not only the first. */
final class YamlReader {
  private static final YAMLFactory YAML =
      YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private static final Pattern TWICE = Pattern.compile("Duplicate field (\\S+)");

  private static final Pattern PLACE = Pattern.compile("line \\d+, column \\d+");

  private final Path file;
  private final Problems problems;
  private final ObjectMapper mapper =
      Jackson.newObjectMapper()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .registerModule(new SimpleModule().addDeserializer(DataSize.class, new SizeReader()));

  YamlReader(Path file, Problems problems) {
    this.file = file;
    this.problems = problems;
  }

  /**
   * Returns the file as a tree; empty if it cannot be parsed. A file without content is an empty
   * map.
   */
  Optional<ObjectNode> tree() {
    try {
      return tree(Files.readString(file));
    } catch (NoSuchFileException e) {
      problems.add("", "does not exist");
    } catch (AccessDeniedException e) {
      problems.add("", "cannot be read by user " + System.getProperty("user.name"));
    } catch (CharacterCodingException e) {
      problems.add("", "is not text in UTF-8");
    } catch (IOException e) {
      problems.add(
          "",
          Files.isDirectory(file)
              ? "is a directory, not a file"
              : "cannot be read: " + e.getMessage());
    }
    return Optional.empty();
  }

  /** Returns the given content as a tree, like {@link #tree()}. */
  Optional<ObjectNode> tree(String content) {
    try (JsonParser parser = YAML.createParser(content);
        JsonParser again = YAML.createParser(content)) {
      JsonNode root = mapper.readTree(parser);
      problems.findLinesBy(KeyLines.of(again)::of);
      if (root == null || root.isMissingNode() || root.isNull()) {
        return Optional.of(mapper.createObjectNode());
      }
      if (root instanceof ObjectNode map) {
        return Optional.of(map);
      }
      problems.add(
          "",
          "must be keys and values, but begins with a "
              + root.getNodeType().name().toLowerCase(Locale.ROOT));
    } catch (JsonProcessingException e) {
      problems.add("", where(e) + brokenness(e));
    } catch (IOException e) {
      problems.add("", "cannot be read: " + e.getMessage());
    }
    return Optional.empty();
  }

  /** Returns the position of a parser error: the last position that the error names. */
  private static String where(JsonProcessingException e) {
    String place = "";
    Matcher named = PLACE.matcher(String.valueOf(e.getOriginalMessage()));
    while (named.find()) {
      place = named.group() + ": ";
    }
    JsonLocation location = e.getLocation();
    return place.isEmpty() && location != null && location.getLineNr() > 0
        ? "line %d, column %d: ".formatted(location.getLineNr(), location.getColumnNr())
        : place;
  }

  /** Returns the message of the parser without the lines that it quotes. */
  private static String brokenness(JsonProcessingException e) {
    String all = String.valueOf(e.getOriginalMessage());
    Matcher twice = TWICE.matcher(all);
    if (twice.lookingAt()) {
      return "the key %s is there twice".formatted(twice.group(1));
    }
    if (all.contains("special characters are not allowed")) {
      return "is not YAML: it holds characters that a text has not; is it the right file?";
    }
    return "is not YAML: %s; look at indentation, colons, quotes and brackets there and above"
        .formatted(
            all.lines()
                .filter(line -> !line.startsWith(" "))
                .map(String::strip)
                .collect(Collectors.joining(", ")));
  }

  Map<?, ?> asMap(ObjectNode tree) {
    return mapper.convertValue(tree, Map.class);
  }

  /**
   * Converts the tree into a value. A part that does not fit is recorded and removed from the tree,
   * so that the rest is checked, too.
   */
  <T> Optional<T> read(ObjectNode tree, Class<T> type) {
    ObjectNode rest = tree.deepCopy();
    while (true) {
      try {
        return Optional.of(mapper.treeToValue(rest, type));
      } catch (JsonMappingException e) {
        problems.add(key(e.getPath()), Mismatch.of(e, given(rest, e.getPath())));
        if (!remove(rest, e.getPath())) {
          return Optional.empty();
        }
      } catch (JsonProcessingException e) {
        problems.add("", brokenness(e));
        return Optional.empty();
      }
    }
  }

  /** Returns the value at a place of the tree; a missing node if there is none. */
  private static JsonNode given(JsonNode root, List<JsonMappingException.Reference> path) {
    JsonNode at = root;
    for (JsonMappingException.Reference step : path) {
      at = step.getFieldName() == null ? at.path(step.getIndex()) : at.path(step.getFieldName());
    }
    return at;
  }

  private static String key(List<JsonMappingException.Reference> path) {
    StringBuilder key = new StringBuilder();
    for (JsonMappingException.Reference step : path) {
      if (step.getFieldName() == null) {
        key.append('[').append(step.getIndex()).append(']');
      } else {
        key.append(key.isEmpty() ? "" : ".").append(step.getFieldName());
      }
    }
    return key.toString();
  }

  private static boolean remove(JsonNode root, List<JsonMappingException.Reference> path) {
    if (path.isEmpty()) {
      return false;
    }
    JsonNode at = given(root, path.subList(0, path.size() - 1));
    JsonMappingException.Reference last = path.get(path.size() - 1);
    if (at instanceof ObjectNode map && last.getFieldName() != null) {
      return map.remove(last.getFieldName()) != null;
    }
    return at instanceof ArrayNode list
        && last.getFieldName() == null
        && list.remove(last.getIndex()) != null;
  }
}
