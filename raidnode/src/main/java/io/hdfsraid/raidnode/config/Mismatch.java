// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import io.dropwizard.util.DataSize;
import io.dropwizard.util.Duration;
import io.hdfsraid.policies.settings.Spelling;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Explains to an administrator why a value does not fit its key. */
final class Mismatch {
  private static final Map<Class<?>, String> KINDS =
      Map.ofEntries(
          Map.entry(Integer.class, "a whole number"),
          Map.entry(int.class, "a whole number"),
          Map.entry(Long.class, "a whole number"),
          Map.entry(long.class, "a whole number"),
          Map.entry(Double.class, "a number"),
          Map.entry(Boolean.class, "true or false"),
          Map.entry(boolean.class, "true or false"),
          Map.entry(String.class, "a text"),
          Map.entry(Path.class, "a path"),
          Map.entry(ZoneId.class, "a time zone, such as UTC or Europe/Berlin"),
          Map.entry(Instant.class, "a time, such as 2026-01-31T00:00:00Z"),
          Map.entry(Duration.class, "a duration, such as 30s, 5m or 7d"),
          Map.entry(
              DataSize.class, "a size, such as 500KB or 20MB, or 0 where that means no limit"));

  private static final Pattern KNOWN_TYPES = Pattern.compile("known type ids = \\[([^\\]]*)\\]");
  private static final int LONGEST_VALUE = 40;

  private Mismatch() {}

  /**
   * Returns the explanation.
   *
   * @param given the value that was found; a missing node if it is unknown
   */
  static String of(JsonMappingException e, JsonNode given) {
    if (e instanceof UnrecognizedPropertyException unknown) {
      List<String> known =
          unknown.getKnownPropertyIds().stream().map(String::valueOf).sorted().toList();
      return Spelling.unknownKey(unknown.getPropertyName(), known);
    }
    if (e instanceof InvalidFormatException format) {
      return isNot(String.valueOf(format.getValue()), format.getTargetType());
    }
    if (e instanceof InvalidTypeIdException type) {
      return unknownType(type);
    }
    if (e instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null) {
      return isNot(
          given.isValueNode() ? given.asText() : given.toString(), mismatch.getTargetType());
    }
    if (e instanceof ValueInstantiationException
        && e.getCause() != null
        && e.getCause().getMessage() != null) {
      return firstLine(e.getCause().getMessage());
    }
    return "cannot be understood";
  }

  private static String isNot(String value, Class<?> wanted) {
    String shown = value.length() > LONGEST_VALUE ? value.substring(0, LONGEST_VALUE) + "…" : value;
    return "'%s' is not %s".formatted(shown, kind(wanted));
  }

  private static String kind(Class<?> wanted) {
    if (wanted.isEnum()) {
      return "one of "
          + Arrays.stream(wanted.getEnumConstants())
              .map(Object::toString)
              .collect(Collectors.joining(", "));
    }
    if (Collection.class.isAssignableFrom(wanted) || wanted.isArray()) {
      return "a list, such as [one, another]";
    }
    if (wanted.isRecord() || Map.class.isAssignableFrom(wanted)) {
      return "keys and values, each 'key: value' in a line of its own";
    }
    return KINDS.getOrDefault(wanted, "what belongs here: see the comments of the file delivered");
  }

  private static String unknownType(InvalidTypeIdException e) {
    Matcher known = KNOWN_TYPES.matcher(String.valueOf(e.getOriginalMessage()));
    String types = known.find() ? "; the types are " + known.group(1) : "";
    return e.getTypeId() == null
        ? "needs a type" + types
        : "'%s' is no type that there is here%s".formatted(e.getTypeId(), types);
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("cannot be understood");
  }
}
