// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All questions that the REST API answers, by its own description: a new endpoint is asked without
 * being listed here, and a new parameter that is not known here fails.
 *
 * @param address where the daemon listens
 * @param values of parameters, by name; a question is asked with each of its values, and without
 *     the parameter if that is possible
 */
record EveryQuestion(URI address, Map<String, List<String>> values) {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /** Returns the answers to all questions without their headers, by question. */
  Map<String, String> answers(String token) throws IOException, InterruptedException {
    Map<String, String> answers = new TreeMap<>();
    JsonNode paths = new ObjectMapper().readTree(ask("/api/v1/openapi.json", token)).path("paths");
    for (Map.Entry<String, JsonNode> endpoint : paths.properties()) {
      if (endpoint.getValue().has("get") && !endpoint.getKey().endsWith("openapi.json")) {
        for (String question : questions(endpoint.getKey(), endpoint.getValue().get("get"))) {
          answers.put(question, ask(question, token));
        }
      }
    }
    return answers;
  }

  private List<String> questions(String path, JsonNode endpoint) {
    List<String> questions = new ArrayList<>(List.of(path));
    for (JsonNode parameter : endpoint.path("parameters")) {
      String name = parameter.path("name").asText();
      assertThat(values).as("values of a parameter of %s", path).containsKey(name);
      boolean inPath = parameter.path("in").asText().equals("path");
      List<String> further = new ArrayList<>();
      for (String question : questions) {
        for (String value : values.get(name)) {
          String text = URLEncoder.encode(value, StandardCharsets.UTF_8);
          further.add(
              inPath
                  ? question.replace("{" + name + "}", text)
                  : question + (question.contains("?") ? "&" : "?") + name + "=" + text);
        }
      }
      if (inPath) {
        questions = further;
      } else {
        questions.addAll(further);
      }
    }
    return questions;
  }

  /** Returns the answer to one question, such as {@code /api/v1/files}. */
  String ask(String question, String token) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(address.resolve(question))
            .header("Authorization", "Bearer " + token)
            .build();
    HttpResponse<String> response = HTTP.send(request, BodyHandlers.ofString());
    assertThat(response.statusCode()).as("%s: %s", question, response.body()).isIn(200, 400, 404);
    return response.body();
  }
}
