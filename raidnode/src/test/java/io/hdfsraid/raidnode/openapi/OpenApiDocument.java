// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.openapi;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsraid.raidapi.ApiError;
import io.hdfsraid.raidapi.ApiJson;
import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.StripeId;
import io.hdfsraid.raidapi.tasks.TaskState;
import io.hdfsraid.raidapi.windows.WindowsRequest;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.rest.access.Requires;
import io.hdfsraid.raidnode.rest.tasks.StartsTask;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.core.jackson.ModelResolver;
import io.swagger.v3.core.jackson.TypeNameResolver;
import io.swagger.v3.core.util.Json31;
import io.swagger.v3.jaxrs2.Reader;
import io.swagger.v3.jaxrs2.ext.AbstractOpenAPIExtension;
import io.swagger.v3.jaxrs2.ext.OpenAPIExtension;
import io.swagger.v3.jaxrs2.ext.OpenAPIExtensions;
import io.swagger.v3.oas.integration.SwaggerConfiguration;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.Schema;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Describes the REST API as OpenAPI 3.1. Swagger reads operations and schemas out of the JAX-RS
 * resources and the records. Descriptions are the Javadoc; roles are those of {@link Requires}. The
 * rest, which no signature has, stands here: types and limits of parameters, and statuses.
 */
public final class OpenApiDocument {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Statuses that any request can have, whatever it asks. */
  private static final List<Integer> ANY = List.of(400, 401, 403, 406, 414, 431, 500, 502, 503);

  private static final Map<Integer, String> STATUSES =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry(400, "A parameter, a field or the form of the request is wrong."),
              Map.entry(401, "The request has no valid token or Kerberos ticket."),
              Map.entry(403, "The sender has a lower role than the endpoint needs."),
              Map.entry(404, "There is no such file, or the daemon knows nothing about it."),
              Map.entry(406, "The request does not accept JSON."),
              Map.entry(409, "The change would endanger data or makes no sense."),
              Map.entry(413, "The body is too large."),
              Map.entry(414, "The address is too long."),
              Map.entry(415, "The body has another media type than the endpoint reads."),
              Map.entry(422, "The key was sent with another request."),
              Map.entry(431, "The headers are too long."),
              Map.entry(500, "The daemon failed. Its log has the details."),
              Map.entry(502, "HDFS did not answer as the request needs."),
              Map.entry(503, "The daemon waits for the NameNode or for its ownership.")));

  private static final Map<String, Consumer<ObjectNode>> PARAMETERS =
      Map.ofEntries(
          Map.entry(ApiPaths.PATH, schema -> schema.put("type", "string").put("pattern", "^/")),
          Map.entry(ApiPaths.POLICY, schema -> schema.put("type", "string")),
          Map.entry(
              ApiPaths.STATE,
              schema -> {
                ArrayNode names = schema.put("type", "string").putArray("enum");
                Arrays.stream(FileState.values()).map(Enum::name).forEach(names::add);
              }),
          Map.entry(
              ApiPaths.LIMIT,
              schema ->
                  schema
                      .put("type", "integer")
                      .put("minimum", 1)
                      .put("maximum", Paging.MAX_LIMIT)
                      .put("default", Paging.DEFAULT_LIMIT)),
          Map.entry(ApiPaths.CURSOR, schema -> schema.put("type", "string")),
          Map.entry(
              ApiPaths.DEPTH,
              schema ->
                  schema
                      .put("type", "integer")
                      .put("minimum", 0)
                      .put("maximum", 32)
                      .put("default", 1)),
          Map.entry(
              ApiPaths.COMPLETE, schema -> schema.put("type", "boolean").put("default", false)),
          Map.entry(
              "inode",
              schema -> schema.put("type", "integer").put("format", "int64").put("minimum", 0)),
          Map.entry("id", schema -> schema.put("type", "string").put("pattern", "^[0-9]+$")),
          Map.entry(ApiPaths.SINCE, OpenApiDocument::instant),
          Map.entry(ApiPaths.UNTIL, OpenApiDocument::instant),
          Map.entry(ApiPaths.BY, schema -> schema.put("type", "string")),
          Map.entry(ApiPaths.EVENT, schema -> schema.put("type", "string")));

  /** Parameters that have other values at this path. */
  private static final Map<String, Consumer<ObjectNode>> PARAMETERS_AT =
      Map.of(
          ApiPaths.TASKS + " " + ApiPaths.STATE,
          schema -> {
            ArrayNode names = schema.put("type", "string").putArray("enum");
            Arrays.stream(TaskState.values())
                .filter(state -> state != TaskState.UNKNOWN)
                .map(Enum::name)
                .forEach(names::add);
          });

  /** What the parameters in paths are; those of queries are described in {@link ApiPaths}. */
  private static final Map<String, String> IN_PATHS =
      Map.of("inode", "Inode id of the file.", "id", "Id of the task.");

  /** Parameters without which an endpoint does not answer. */
  private static final Set<String> REQUIRED = Set.of(ApiPaths.EXPLAIN + " " + ApiPaths.PATH);

  private final Javadocs docs;
  private final Map<String, Method> methods = new HashMap<>();
  private final Map<String, Class<?>> types = new TreeMap<>();
  private final Set<Class<?>> requests = new LinkedHashSet<>();

  private OpenApiDocument(Javadocs docs) {
    this.docs = docs;
  }

  /**
   * Writes the description.
   *
   * @param resources classes of JAX-RS resources
   * @param sources folders with the sources of the resources and of the records
   */
  public static String of(Set<Class<?>> resources, Path... sources) throws IOException {
    OpenApiDocument document = new OpenApiDocument(Javadocs.below(sources));
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(document.write(resources))
        + "\n";
  }

  private ObjectNode write(Set<Class<?>> resources) throws JsonProcessingException {
    ModelConverters converters = ModelConverters.getInstance(true);
    List<ModelConverter> before = List.copyOf(converters.getConverters());
    before.forEach(converters::removeConverter);
    converters.addConverter(new Types());
    List<OpenAPIExtension> extensions = new ArrayList<>(OpenAPIExtensions.getExtensions());
    OpenAPIExtensions.getExtensions().add(0, new Methods());
    OpenAPI read;
    try {
      SwaggerConfiguration settings =
          new SwaggerConfiguration().openAPI31(true).openAPI(new OpenAPI().openapi("3.1.0"));
      read = new Reader(settings).read(resources);
      // Swagger reads bodies of requests with other converters, and no method mentions errors.
      for (Class<?> request : requests) {
        converters.readAll(request).forEach(read.getComponents()::addSchemas);
      }
      converters.readAll(ApiError.class).forEach(read.getComponents()::addSchemas);
    } finally {
      OpenAPIExtensions.setExtensions(extensions);
      List.copyOf(converters.getConverters()).forEach(converters::removeConverter);
      before.forEach(converters::addConverter);
    }
    ObjectNode found = (ObjectNode) JSON.readTree(Json31.mapper().writeValueAsString(read));
    ObjectNode document = JSON.createObjectNode();
    document.put("openapi", "3.1.0");
    document
        .putObject("info")
        .put("title", "HDFS-RAID")
        .put(
            "description",
            "The REST API of the RaidNode. A request that changes something is a dry run unless its"
                + " body has \"dryRun\": false. Times are RFC 3339 in UTC, durations are seconds,"
                + " sizes are bytes.")
        .put("version", ApiPaths.ROOT.substring(ApiPaths.ROOT.lastIndexOf('/') + 1))
        .putObject("license")
        .put("name", "Apache-2.0")
        .put("identifier", "Apache-2.0");
    document.putArray("servers").addObject().put("url", "/");
    ArrayNode security = document.putArray("security"); // one of them
    security.addObject().putArray("token");
    security.addObject().putArray("kerberos");
    ObjectNode paths = document.putObject("paths");
    sorted(found.path("paths"))
        .forEach(
            (path, item) -> {
              ObjectNode operations = paths.putObject(path);
              item.properties()
                  .forEach(
                      one ->
                          operations.set(
                              one.getKey(),
                              operation(path, one.getKey(), (ObjectNode) one.getValue())));
            });
    document.set("components", components(found.path("components").path("schemas")));
    return document;
  }

  private static Map<String, JsonNode> sorted(JsonNode object) {
    Map<String, JsonNode> sorted = new TreeMap<>();
    object.properties().forEach(one -> sorted.put(one.getKey(), one.getValue()));
    return sorted;
  }

  /** Notes which method each operation comes from, and which records are requests. */
  private final class Methods extends AbstractOpenAPIExtension {
    @Override
    public void decorateOperation(
        Operation operation, Method method, Iterator<OpenAPIExtension> chain) {
      operation.setOperationId(method.getDeclaringClass().getName() + "#" + method.getName());
      methods.put(operation.getOperationId(), method);
      Arrays.stream(method.getParameterTypes()).filter(Class::isRecord).forEach(requests::add);
      super.decorateOperation(operation, method, chain);
    }
  }

  /**
   * Resolves types as Jackson writes them in the API, and names nested ones with their outer one.
   */
  private final class Types extends ModelResolver {
    Types() {
      super(ApiJson.mapper(), new Names());
      openapi31(true);
    }

    @Override
    public Schema<?> resolve(
        AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> next) {
      JavaType resolved = _mapper.constructType(type.getType());
      Class<?> raw = resolved.getRawClass();
      if (raw == Duration.class) {
        return new JsonSchema().typesItem("integer");
      }
      if (raw == StripeId.class) {
        return new JsonSchema().typesItem("string").pattern("^[0-9]+/[0-9]+$");
      }
      if (raw == JsonNode.class || raw == byte[].class) {
        return new JsonSchema().typesItem("object");
      }
      return super.resolve(type, context, next);
    }
  }

  private final class Names extends TypeNameResolver {
    @Override
    protected String nameForClass(Class<?> type, Set<Options> options) {
      String name = type.getSimpleName();
      for (Class<?> outer = type.getEnclosingClass();
          outer != null;
          outer = outer.getEnclosingClass()) {
        name = outer.getSimpleName() + name;
      }
      if (type.getName().startsWith("io.hdfsraid.")) {
        types.put(name, type);
      }
      return name;
    }
  }

  private ObjectNode operation(String path, String verb, ObjectNode read) {
    Method method = methods.get(read.path("operationId").asText());
    Role role = method.getAnnotation(Requires.class).value();
    ObjectNode operation = JSON.createObjectNode();
    String words = docs.of(method.getDeclaringClass(), method.getName()).orElseThrow();
    int end = words.indexOf(". ");
    operation.put("operationId", id(verb, path));
    operation.put("summary", end < 0 ? words : words.substring(0, end + 1));
    operation.put(
        "description",
        words + " Needs the role " + role + (role == Role.ADMIN ? "." : " or a higher one."));
    operation.put("x-role", role.toString());
    boolean body = read.has("requestBody");
    ArrayNode parameters = JSON.createArrayNode();
    for (JsonNode parameter : read.path("parameters")) {
      parameters.add(parameter(path, parameter));
    }
    boolean startsTask = method.isAnnotationPresent(StartsTask.class);
    if (startsTask) {
      ObjectNode key = parameters.addObject();
      key.put("name", ApiPaths.IDEMPOTENCY_KEY_HEADER).put("in", "header");
      key.put("description", docs.of(ApiPaths.class, "IDEMPOTENCY_KEY_HEADER").orElseThrow());
      key.put("required", false);
      key.putObject("schema").put("type", "string").put("pattern", "^[!-~]{1,200}$");
    }
    if (!parameters.isEmpty()) {
      operation.set("parameters", parameters);
    }
    if (body) {
      operation.set("requestBody", body(read.path("requestBody")));
    }
    ObjectNode responses = operation.putObject("responses");
    ObjectNode fine = responses.putObject("200");
    fine.put("description", "The answer.");
    fine.putObject("content")
        .putObject("application/json")
        .set("schema", answer(read.path("responses")));
    if (startsTask) {
      ObjectNode accepted = responses.putObject("202");
      accepted.put("description", "A task carries the request out.");
      ObjectNode location = accepted.putObject("headers").putObject("Location");
      location.put("description", "The address of the task.");
      location.putObject("schema").put("type", "string");
      accepted.set("content", fine.path("content").deepCopy());
    }
    Set<Integer> statuses = new TreeSet<>(ANY);
    if (path.contains("{") || parameters.toString().contains("\"" + ApiPaths.PATH + "\"")) {
      statuses.add(404);
    }
    if (path.equals(ApiPaths.PLAN)) {
      statuses.add(404); // no such policy
    }
    if (body) {
      statuses.addAll(List.of(404, 409, 413, 415));
    }
    statuses.add(409);
    if (startsTask) {
      statuses.add(422);
    }
    statuses.forEach(
        status ->
            responses.putObject(status.toString()).put("$ref", "#/components/responses/" + status));
    return operation;
  }

  private static void instant(ObjectNode schema) {
    schema.put("type", "string").put("format", "date-time");
  }

  /** Returns for example getQuarantine or postQuarantinePurge. */
  private static String id(String verb, String path) {
    StringBuilder id = new StringBuilder(verb);
    for (String part : path.substring(ApiPaths.ROOT.length()).split("[^A-Za-z]+", -1)) {
      if (!part.isEmpty()) {
        id.append(part.substring(0, 1).toUpperCase(Locale.ROOT)).append(part.substring(1));
      }
    }
    return id.toString();
  }

  private ObjectNode parameter(String path, JsonNode read) {
    String name = read.path("name").asText();
    String place = read.path("in").asText();
    if (!PARAMETERS.containsKey(name)) {
      throw new IllegalStateException("Say here what type the parameter " + name + " has");
    }
    ObjectNode parameter = JSON.createObjectNode();
    parameter.put("name", name).put("in", place);
    parameter.put(
        "description",
        IN_PATHS.containsKey(name)
            ? IN_PATHS.get(name)
            : docs.of(ApiPaths.class, name.toUpperCase(Locale.ROOT)).orElseThrow());
    parameter.put("required", place.equals("path") || REQUIRED.contains(path + " " + name));
    PARAMETERS_AT
        .getOrDefault(path + " " + name, PARAMETERS.get(name))
        .accept(parameter.putObject("schema"));
    return parameter;
  }

  private static ObjectNode body(JsonNode read) {
    ObjectNode body = JSON.createObjectNode();
    body.put("required", true);
    ObjectNode content = body.putObject("content");
    read.path("content")
        .properties()
        .forEach(
            type -> {
              ObjectNode schema = content.putObject(type.getKey());
              if (type.getKey().equals("application/json")) {
                schema.set("schema", type.getValue().path("schema"));
              } else {
                schema.putObject("schema").put("type", "string");
              }
            });
    return body;
  }

  private static JsonNode answer(JsonNode responses) {
    for (JsonNode response : responses) {
      for (JsonNode type : response.path("content")) {
        return type.path("schema");
      }
    }
    throw new IllegalStateException("There is no answer in " + responses);
  }

  private ObjectNode components(JsonNode read) {
    ObjectNode components = JSON.createObjectNode();
    ObjectNode schemes = components.putObject("securitySchemes");
    schemes
        .putObject("token")
        .put("type", "http")
        .put("scheme", "bearer")
        .put(
            "description",
            "A token of 'raidnode token create'. If api.withoutToken in raidnode.yml names a role,"
                + " requests from the daemon's own machine have this role without a token.");
    schemes
        .putObject("kerberos")
        .put("type", "http")
        .put("scheme", "negotiate")
        .put(
            "description",
            "A Kerberos ticket (SPNEGO, RFC 4559). Accepted if raidnode.yml has api.kerberos.");
    ObjectNode responses = components.putObject("responses");
    STATUSES.forEach(
        (status, words) ->
            responses
                .putObject(status.toString())
                .put("description", words)
                .putObject("content")
                .putObject(ApiError.MEDIA_TYPE)
                .putObject("schema")
                .put("$ref", "#/components/schemas/ApiError"));
    Map<String, JsonNode> schemas = sorted(read);
    ObjectNode written = components.putObject("schemas");
    schemas.forEach(
        (name, schema) -> {
          Class<?> type = types.get(name);
          ObjectNode object = (ObjectNode) schema;
          if (type != null && type.isRecord()) {
            describe(type, object);
          } else if (type == null && name.startsWith("Page")) {
            describe(io.hdfsraid.raidapi.Page.class, object);
          }
          written.set(name, object);
        });
    return components;
  }

  private void describe(Class<?> type, ObjectNode schema) {
    docs.of(type).ifPresent(words -> schema.put("description", words));
    boolean request = requests.contains(type);
    ArrayNode required = JSON.createArrayNode();
    Map<String, RecordComponent> components = new LinkedHashMap<>();
    for (RecordComponent component : type.getRecordComponents()) {
      JsonProperty other = component.getAccessor().getAnnotation(JsonProperty.class);
      components.put(
          other == null || other.value().isEmpty() ? component.getName() : other.value(),
          component);
    }
    // What a record computes comes last: reflection gives methods in no order.
    Map<String, JsonNode> computed = sorted(schema.path("properties"));
    ObjectNode properties = JSON.createObjectNode();
    components.keySet().forEach(name -> properties.set(name, computed.remove(name)));
    properties.setAll(computed);
    schema.set("properties", properties);
    for (Map.Entry<String, JsonNode> property : properties.properties()) {
      RecordComponent component = components.get(property.getKey());
      ObjectNode described = (ObjectNode) property.getValue();
      String member = component == null ? property.getKey() : component.getName();
      boolean nullable = request || (component != null && component.getType() == Optional.class);
      if (described.has("$ref") && nullable) {
        JsonNode reference = described.deepCopy();
        described.removeAll();
        ArrayNode either = described.putArray("anyOf");
        either.add(reference);
        either.addObject().put("type", "null");
      } else if (nullable) {
        nullable(described);
      }
      described.remove("readOnly");
      docs.of(type, member)
          .map(words -> words.replaceFirst("^Returns ", ""))
          .ifPresent(words -> described.put("description", words));
      if (component != null
          && (component.getType() == Duration.class
              || component.getGenericType().getTypeName().contains("java.time.Duration"))
          && !property.getKey().endsWith("Seconds")) {
        throw new IllegalStateException(type + " has a duration without Seconds in its name");
      }
      boolean mayBeAbsent =
          component != null && component.getAccessor().isAnnotationPresent(JsonInclude.class);
      if (!request && !mayBeAbsent) {
        required.add(property.getKey());
      }
    }
    if (request) {
      schema.put("additionalProperties", false);
      if (type == WindowsRequest.class) {
        required.add("mode");
      }
    }
    if (!required.isEmpty()) {
      schema.set("required", required);
    } else {
      schema.remove("required");
    }
  }

  private static void nullable(ObjectNode schema) {
    JsonNode type = schema.path("type");
    if (type.isTextual()) {
      schema.putArray("type").add(type.asText()).add("null");
    }
    if (schema.path("enum").isArray()) {
      ((ArrayNode) schema.path("enum")).addNull();
    }
  }
}
