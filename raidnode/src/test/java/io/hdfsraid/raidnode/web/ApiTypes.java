// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.web;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The description of the REST API as types of TypeScript: one for each schema, and the interfaces
 * {@code Answers}, {@code Queries} and {@code Changes}, which tell by the path what goes in and
 * out. Knows those parts of OpenAPI 3.1 that our description uses.
 */
final class ApiTypes {
  private static final String PREFIX = "/api/v1/";
  private static final Set<String> CHANGES = Set.of("post", "put");

  private final List<String> answers = new ArrayList<>();
  private final List<String> queries = new ArrayList<>();
  private final List<String> changes = new ArrayList<>();

  private ApiTypes() {}

  /** Returns the text of a {@code .d.ts} file that declares the namespace {@code RaidApi}. */
  static String of(JsonNode openApi) {
    ApiTypes types = new ApiTypes();
    openApi.get("paths").properties().stream()
        .filter(path -> path.getKey().startsWith(PREFIX))
        .forEach(path -> types.path(path.getKey().substring(PREFIX.length()), path.getValue()));
    Stream<String> schemas =
        openApi.at("/components/schemas").properties().stream()
            .map(schema -> "type %s = %s;".formatted(schema.getKey(), type(schema.getValue())));
    return Stream.of(
            schemas,
            declared("Answers", types.answers),
            declared("Queries", types.queries),
            Stream.of("type Query<P extends keyof Queries> = Queries[P];"),
            declared("Changes", types.changes))
        .flatMap(lines -> lines)
        .collect(Collectors.joining("\n", "declare namespace RaidApi {\n", "\n}\n"));
  }

  private static Stream<String> declared(String name, List<String> members) {
    return Stream.of("interface " + name + " {", String.join("\n", members), "}");
  }

  private void path(String path, JsonNode operations) {
    String key =
        path.contains("{")
            ? "[path: `" + path.replaceAll("\\{\\w+}", "\\${string}") + "`]"
            : "\"" + path + "\"";
    for (Map.Entry<String, JsonNode> each : operations.properties()) {
      JsonNode operation = each.getValue();
      String answer = content(operation.at("/responses/200"));
      if (each.getKey().equals("get")) {
        answers.add("%s: %s;".formatted(key, answer));
        queries.add("%s: %s;".formatted(key, query(operation.path("parameters"))));
      } else if (CHANGES.contains(each.getKey())) {
        String body = operation.has("requestBody") ? content(operation.get("requestBody")) : "null";
        changes.add("%s: {body: %s, answer: %s};".formatted(key, body, answer));
      }
    }
  }

  private static String content(JsonNode message) {
    return type(message.path("content").path("application/json").path("schema"));
  }

  /** The page leaves out what is null. */
  private static String query(JsonNode parameters) {
    return parameters
        .valueStream()
        .filter(each -> each.get("in").asText().equals("query"))
        .map(each -> "\"%s\"?: %s | null".formatted(text(each, "name"), type(each.get("schema"))))
        .collect(Collectors.joining("; ", "{", "}"));
  }

  private static String type(JsonNode schema) {
    if (schema.has("$ref")) {
      String name = text(schema, "$ref");
      return name.substring(name.lastIndexOf('/') + 1);
    }
    if (schema.has("anyOf")) {
      return union(schema.get("anyOf").valueStream().map(ApiTypes::type));
    }
    if (schema.has("enum")) {
      return union(schema.get("enum").valueStream().map(JsonNode::toString));
    }
    JsonNode type = schema.path("type");
    if (type.isArray()) {
      return union(type.valueStream().map(each -> type(schema, each.asText())));
    }
    return type(schema, type.asText());
  }

  private static String union(Stream<String> types) {
    return types.collect(Collectors.joining(" | "));
  }

  private static String type(JsonNode schema, String type) {
    return switch (type) {
      case "null", "string", "boolean" -> type;
      case "integer", "number" -> "number";
      case "array" -> "Array<%s>".formatted(type(schema.get("items")));
      case "object" -> schema.has("properties") ? members(schema) : map(schema);
      default -> throw new IllegalArgumentException("No type of TypeScript for " + schema);
    };
  }

  private static String members(JsonNode schema) {
    Set<String> present =
        schema.path("required").valueStream().map(JsonNode::asText).collect(Collectors.toSet());
    return schema.get("properties").properties().stream()
        .map(
            member ->
                "\"%s\"%s: %s"
                    .formatted(
                        member.getKey(),
                        present.contains(member.getKey()) ? "" : "?",
                        type(member.getValue())))
        .collect(Collectors.joining("; ", "{", "}"));
  }

  private static String map(JsonNode schema) {
    JsonNode values = schema.path("additionalProperties");
    return "Record<string, %s>".formatted(values.isObject() ? type(values) : "unknown");
  }

  private static String text(JsonNode node, String member) {
    return node.get(member).asText();
  }
}
