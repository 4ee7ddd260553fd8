// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.hdfsraid.raidapi.ApiJson;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;

/**
 * A line of the audit: what was done or refused, with its circumstances as keys and values. Names
 * of files and all other texts from outside may contain anything; here, characters that would end a
 * line or control a terminal are escaped as in Java.
 */
public final class AuditEntry {
  /** Longest value of a key: a request can name thousands of stripes. */
  static final int LONGEST = 1_000;

  private static final String AT = "at";
  private static final String WHAT = "what";
  private static final ObjectMapper MAPPER = ApiJson.mapper();
  private static final ObjectWriter JSON = MAPPER.writer().with(JsonWriteFeature.ESCAPE_NON_ASCII);
  private static final ObjectReader OBJECT =
      MAPPER.readerFor(new TypeReference<LinkedHashMap<String, String>>() {});

  private final Instant at;
  private final String what;
  private final Map<String, String> circumstances = new LinkedHashMap<>();

  /**
   * Creates a line without circumstances.
   *
   * @param what the request, or the event of the history
   */
  public AuditEntry(Instant at, String what) {
    this.at = at.truncatedTo(ChronoUnit.MILLIS);
    this.what = escaped(what);
  }

  /** Adds a circumstance, unless its value is empty. */
  public AuditEntry with(String key, Object value) {
    String text = String.valueOf(value);
    if (!text.isEmpty()) {
      circumstances.put(key, escaped(text));
    }
    return this;
  }

  private static String escaped(String text) {
    String shown = text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
    StringBuilder line = new StringBuilder(shown.length());
    shown
        .codePoints()
        .forEach(
            c -> {
              if (c == '\\') {
                line.append("\\\\");
              } else if (isHarmful(c)) {
                for (char half : Character.toChars(c)) {
                  line.append("\\u%04x".formatted((int) half));
                }
              } else {
                line.appendCodePoint(c);
              }
            });
    return line.toString();
  }

  private static boolean isHarmful(int c) {
    int type = Character.getType(c);
    return Character.isISOControl(c)
        || type == Character.FORMAT
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR
        || type == Character.SURROGATE;
  }

  public Instant at() {
    return at;
  }

  public String what() {
    return what;
  }

  public Map<String, String> circumstances() {
    return Collections.unmodifiableMap(circumstances);
  }

  /** Writes the line to a log. The log adds the time. */
  void logTo(Logger log) {
    var line = log.atInfo();
    for (Map.Entry<String, String> each : circumstances.entrySet()) {
      // Values stand in quotes there, and no value ends them.
      line = line.addKeyValue(each.getKey(), each.getValue().replace("\"", "\\\""));
    }
    line.log("{}", what);
  }

  /**
   * Reads what {@link #toJson} has written; empty if that is cut, because the daemon died while it
   * wrote the line.
   */
  static Optional<AuditEntry> parse(String json) {
    try {
      Map<String, String> object = OBJECT.readValue(json);
      AuditEntry entry =
          new AuditEntry(
              Instant.parse(object.getOrDefault(AT, "")), plain(object.getOrDefault(WHAT, "")));
      object.keySet().removeAll(Set.of(AT, WHAT));
      for (Map.Entry<String, String> each : object.entrySet()) {
        entry.with(each.getKey(), plain(each.getValue()));
      }
      return Optional.of(entry);
    } catch (JsonProcessingException | DateTimeException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns a circumstance as it was given, but cut if it was very long. Without it, an empty text.
   */
  String given(String key) {
    try {
      return plain(circumstances.getOrDefault(key, ""));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Escapes are always those of JSON", e);
    }
  }

  /** Undoes {@link #escaped}, whose escapes JSON has, too. */
  private static String plain(String escaped) throws JsonProcessingException {
    return MAPPER.readValue("\"" + escaped.replace("\"", "\\\"") + "\"", String.class);
  }

  /** Returns the line as a JSON object in ASCII, with a line break. */
  String toJson() {
    Map<String, String> object = new LinkedHashMap<>();
    object.put(AT, at.toString());
    object.put(WHAT, what);
    object.putAll(circumstances);
    try {
      return JSON.writeValueAsString(object) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Texts can always be written as JSON", e);
    }
  }
}
