// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.openapi.OpenApiDocument;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The description that the daemon serves is that of its resources, and it is valid. */
class OpenApiTest {
  static final String RESOURCE = "/io/hdfsraid/raidnode/rest/openapi/openapi.json";
  private static final Path FILE = Path.of("src/main/resources" + RESOURCE);
  private static final ObjectMapper JSON = new ObjectMapper();

  static JsonNode served() throws Exception {
    try (InputStream in = OpenApiTest.class.getResourceAsStream(RESOURCE)) {
      return JSON.readTree(in);
    }
  }

  private static String generated() throws Exception {
    Set<Class<?>> resources = new LinkedHashSet<>();
    for (Object resource : new StubServices().resources()) {
      if (resource.getClass().isAnnotationPresent(jakarta.ws.rs.Path.class)) {
        resources.add(resource.getClass());
      }
    }
    return OpenApiDocument.of(
        resources,
        Path.of("src/main/java/io/hdfsraid/raidnode/rest"),
        Path.of("../raidapi/src/main/java"));
  }

  @Test
  void theFileIsWhatTheResourcesSay() throws Exception {
    String generated = generated();
    if (Boolean.getBoolean("docs.write")) {
      Files.createDirectories(FILE.getParent());
      Files.writeString(FILE, generated);
      return;
    }
    assertThat(Files.readString(FILE, UTF_8))
        .as(
            "To write it anew: ./mvnw verify -pl raidnode -am -Dtest=OpenApiTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false -Ddocs.write=true")
        .isEqualTo(generated);
  }

  @Test
  void theDescriptionIsValid() throws Exception {
    try (InputStream schema = OpenApiTest.class.getResourceAsStream("/openapi-3.1-schema.json")) {
      assertThat(
              JsonSchemaFactory.getInstance(VersionFlag.V202012)
                  .getSchema(schema)
                  .validate(served()))
          .isEmpty();
    }
  }

  @Test
  void aWrongDescriptionWouldBeNoticed() throws Exception {
    try (InputStream schema = OpenApiTest.class.getResourceAsStream("/openapi-3.1-schema.json")) {
      assertThat(
              JsonSchemaFactory.getInstance(VersionFlag.V202012)
                  .getSchema(schema)
                  .validate(JSON.readTree("{\"openapi\": \"3.1.0\", \"paths\": []}")))
          .isNotEmpty();
    }
  }

  @Test
  void everyEndpointIsDescribedWithItsRole() throws Exception {
    Map<String, Role> described = new TreeMap<>();
    for (Map.Entry<String, JsonNode> path : served().path("paths").properties()) {
      for (Map.Entry<String, JsonNode> verb : path.getValue().properties()) {
        described.put(
            verb.getKey().toUpperCase(java.util.Locale.ROOT) + " " + path.getKey(),
            Role.of(verb.getValue().path("x-role").asText()));
        assertThat(verb.getValue().path("summary").asText()).as(path.getKey()).endsWith(".");
      }
    }
    assertThat(described).isEqualTo(AccessTest.ENDPOINTS);
  }

  @Test
  void everyReferenceLeadsToSomething() throws Exception {
    JsonNode document = served();
    assertThat(document.findValuesAsText("$ref"))
        .isNotEmpty()
        .allSatisfy(to -> assertThat(document.at(to.substring(1)).isMissingNode()).isFalse());
  }
}
