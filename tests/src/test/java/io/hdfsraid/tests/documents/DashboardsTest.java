// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.hdfsraid.raidnode.metrics.RaidMeter;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is delivered for Prometheus and Grafana asks for metrics that the daemon has. */
class DashboardsTest {
  private static final Path FOLDER = Document.PROJECT.resolve("dashboards");
  private static final Path ALERTS = FOLDER.resolve("raidnode-alerts.yml");
  private static final Path HISTORIES = FOLDER.resolve("raidnode-alerts-test.yml");
  private static final Path DASHBOARD = FOLDER.resolve("raidnode.json");

  /** A metric of the daemon, and the labels that are asked for in braces or by name. */
  private static final Pattern METRIC = Pattern.compile("(raid_\\w+)(?:\\{([^}]*)})?");

  private static final Pattern LABEL = Pattern.compile("(\\w+)\\s*(?:=|!=|=~|!~)\\s*\"");

  private static final List<String> OF_TIMERS = List.of("_count", "_sum", "_max");

  /** Labels that Prometheus adds: it renames a label of the daemon that is called the same. */
  private static final List<String> OF_TARGETS = List.of("instance", "job", "nameservice");

  private static final Map<String, RaidMeter> METERS = new TreeMap<>();

  static {
    for (RaidMeter meter : RaidMeter.values()) {
      METERS.put(meter.prometheusName(), meter);
    }
  }

  private static JsonNode yaml(Path file) throws IOException {
    return new ObjectMapper(new YAMLFactory()).readTree(file.toFile());
  }

  private static List<JsonNode> rules() throws IOException {
    List<JsonNode> rules = new ArrayList<>();
    yaml(ALERTS).path("groups").forEach(group -> group.path("rules").forEach(rules::add));
    return rules;
  }

  /** The expressions of all panels, and those of variables. */
  private static List<String> expressions() throws IOException {
    JsonNode dashboard = new ObjectMapper().readTree(DASHBOARD.toFile());
    List<String> expressions = new ArrayList<>();
    dashboard.findValues("expr").forEach(expr -> expressions.add(expr.asText()));
    dashboard
        .path("templating")
        .path("list")
        .forEach(variable -> expressions.add(variable.path("query").asText()));
    return expressions;
  }

  private static Optional<RaidMeter> meter(String name) {
    return Optional.ofNullable(METERS.get(name))
        .or(
            () ->
                OF_TIMERS.stream()
                    .filter(name::endsWith)
                    .map(end -> METERS.get(name.substring(0, name.length() - end.length())))
                    .filter(meter -> meter != null && meter.kind() == RaidMeter.Kind.TIMER)
                    .findFirst());
  }

  private static void assertAsksForWhatThereIs(String expression) {
    for (MatchResult metric : METRIC.matcher(expression).results().toList()) {
      Optional<RaidMeter> meter = meter(metric.group(1));
      assertThat(meter).as("%s in %s", metric.group(1), expression).isPresent();
      if (metric.group(2) != null) {
        assertThat(LABEL.matcher(metric.group(2)).results().map(label -> label.group(1)))
            .as("labels of %s", metric.group())
            .allSatisfy(
                label ->
                    assertThat(OF_TARGETS.contains(label) || meter.get().labels().contains(label))
                        .as(label)
                        .isTrue());
      }
    }
  }

  @Test
  void everyExpressionAsksForMetricsThatThereAre() throws IOException {
    List<String> all = new ArrayList<>(expressions());
    rules().forEach(rule -> all.add(rule.path("expr").asText()));

    assertThat(all).hasSizeGreaterThan(25).allSatisfy(DashboardsTest::assertAsksForWhatThereIs);
  }

  @Test
  void noMetricHasALabelThatPrometheusRenames() {
    assertThat(RaidMeter.values())
        .allSatisfy(meter -> assertThat(meter.labels()).doesNotContainAnyElementsOf(OF_TARGETS));
  }

  @Test
  void everyAlertSaysHowUrgentItIsWhatItMeansAndWhereToReadOn() throws IOException {
    assertThat(rules())
        .hasSizeGreaterThanOrEqualTo(10)
        .allSatisfy(
            rule -> {
              assertThat(rule.path("labels").path("severity").asText()).isIn("page", "ticket");
              JsonNode notes = rule.path("annotations");
              assertThat(notes.path("summary").asText()).isNotEmpty();
              assertThat(notes.path("description").asText()).endsWith(".");
              String[] runbook = notes.path("runbook").asText().split("#", 2);
              Path page = Document.PROJECT.resolve(runbook[0]);
              assertThat(page).isRegularFile();
              if (runbook.length > 1) {
                assertThat(Files.readString(page).lines().filter(line -> line.startsWith("#")))
                    .as(runbook[1])
                    .anyMatch(
                        heading ->
                            heading
                                .replaceFirst("^#+ ", "")
                                .toLowerCase(Locale.ROOT)
                                .replace(' ', '-')
                                .equals(runbook[1]));
              }
            });
  }

  @Test
  void eachAlertFiresInAHistory() throws IOException {
    TreeSet<String> alerts = new TreeSet<>();
    rules().forEach(rule -> alerts.add(rule.path("alert").asText()));
    TreeSet<String> fired = new TreeSet<>();
    for (JsonNode history : yaml(HISTORIES).path("tests")) {
      for (JsonNode look : history.path("alert_rule_test")) {
        if (!look.path("exp_alerts").isEmpty()) {
          fired.add(look.path("alertname").asText());
        }
      }
    }

    assertThat(fired).isEqualTo(alerts);
  }

  @Test
  void prometheusUnderstandsTheRulesAndFiresThem() throws Exception {
    Optional<Path> promtool =
        Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
            .map(directory -> Path.of(directory, "promtool"))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(promtool.isPresent(), "promtool is not on the path, so the alerts are not tried");
    Process test =
        new ProcessBuilder(promtool.get().toString(), "test", "rules", HISTORIES.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(test.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(test.waitFor()).as(said).isZero();
    assertThat(said).contains("SUCCESS");
  }
}
