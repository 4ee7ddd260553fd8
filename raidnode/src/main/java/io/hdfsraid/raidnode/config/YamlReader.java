package io.hdfsraid.raidnode.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.dropwizard.jackson.Jackson;
import io.dropwizard.util.DataSize;
import io.hdfsraid.policies.Spelling;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads one YAML file and writes down everything that is wrong with it, not only the first. */
final class YamlReader {
  private static final Map<String, String> KINDS =
      Map.of(
          "Integer", "a whole number",
          "ZoneId", "a time zone, such as UTC or Europe/Berlin",
          "Instant", "a time, such as 2026-01-31T00:00:00Z",
          "Boolean", "true or false",
          "DataSize", "a size, such as 500KB or 20MB, or 0 where that means no limit");

  private final Path file;
  private final List<SettingsException.Problem> problems;
  private final ObjectMapper mapper =
      Jackson.newObjectMapper()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .registerModule(new SimpleModule().addDeserializer(DataSize.class, new SizeReader()));

  YamlReader(Path file, List<SettingsException.Problem> problems) {
    this.file = file;
    this.problems = problems;
  }

  /**
   * The file as a tree; empty when that is not possible. A file without content is an empty map.
   */
  Optional<ObjectNode> tree() {
    try {
      return tree(Files.readString(file));
    } catch (NoSuchFileException e) {
      problem("", "does not exist");
    } catch (AccessDeniedException e) {
      problem("", "cannot be read by user " + System.getProperty("user.name"));
    } catch (IOException e) {
      problem("", "cannot be read: " + e);
    }
    return Optional.empty();
  }

  /** As {@link #tree()}, of what the file was found to hold. */
  Optional<ObjectNode> tree(String content) {
    YAMLFactory yaml =
        YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
    try (JsonParser parser = yaml.createParser(content)) {
      JsonNode root = mapper.readTree(parser);
      if (root == null || root.isMissingNode() || root.isNull()) {
        return Optional.of(mapper.createObjectNode());
      }
      if (root instanceof ObjectNode map) {
        return Optional.of(map);
      }
      problem("", "must be keys and values, but begins with a " + root.getNodeType());
    } catch (JsonProcessingException e) {
      problem(
          "",
          "line %d, column %d: %s"
              .formatted(
                  e.getLocation().getLineNr(),
                  e.getLocation().getColumnNr(),
                  firstLine(e.getOriginalMessage())));
    } catch (IOException e) {
      problem("", "cannot be read: " + e);
    }
    return Optional.empty();
  }

  Map<?, ?> asMap(ObjectNode tree) {
    return mapper.convertValue(tree, Map.class);
  }

  /**
   * The tree as a value. What does not fit is written down and taken out of the tree, so that the
   * rest can be looked at too.
   */
  <T> Optional<T> read(ObjectNode tree, Class<T> type) {
    ObjectNode rest = tree.deepCopy();
    while (true) {
      try {
        return Optional.of(mapper.treeToValue(rest, type));
      } catch (JsonMappingException e) {
        problem(key(e.getPath()), message(e));
        if (!remove(rest, e.getPath())) {
          return Optional.empty();
        }
      } catch (JsonProcessingException e) {
        problem("", firstLine(e.getOriginalMessage()));
        return Optional.empty();
      }
    }
  }

  void problem(String key, String message) {
    problems.add(at(key, message));
  }

  /** Something to say of a key of this file. */
  SettingsException.Problem at(String key, String message) {
    return new SettingsException.Problem(file, key, message);
  }

  private static String message(JsonMappingException e) {
    if (e instanceof UnrecognizedPropertyException unknown) {
      List<String> known =
          unknown.getKnownPropertyIds().stream().map(String::valueOf).sorted().toList();
      return Spelling.unknownKey(unknown.getPropertyName(), known);
    }
    if (e instanceof InvalidFormatException format) {
      String type = format.getTargetType().getSimpleName();
      return "'%s' is not %s".formatted(format.getValue(), KINDS.getOrDefault(type, "a " + type));
    }
    if (e instanceof ValueInstantiationException && e.getCause() != null) {
      return firstLine(e.getCause().getMessage());
    }
    return firstLine(e.getOriginalMessage());
  }

  private static String firstLine(String text) {
    return text == null ? "cannot be understood" : text.lines().findFirst().orElse("");
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
    JsonNode at = root;
    for (JsonMappingException.Reference step : path.subList(0, path.size() - 1)) {
      at = step.getFieldName() == null ? at.path(step.getIndex()) : at.path(step.getFieldName());
    }
    JsonMappingException.Reference last = path.get(path.size() - 1);
    if (at instanceof ObjectNode map && last.getFieldName() != null) {
      return map.remove(last.getFieldName()) != null;
    }
    return at instanceof ArrayNode list
        && last.getFieldName() == null
        && list.remove(last.getIndex()) != null;
  }
}
