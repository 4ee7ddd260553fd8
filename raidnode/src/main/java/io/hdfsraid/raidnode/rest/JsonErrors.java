// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/** Says what is wrong with a body of JSON. Jackson's own messages name classes and its options. */
final class JsonErrors {
  private JsonErrors() {}

  static String message(JsonProcessingException json) {
    if (json instanceof UnrecognizedPropertyException unknown) {
      return "There is no field %s here; the fields are %s"
          .formatted(unknown.getPropertyName(), unknown.getKnownPropertyIds());
    }
    if (json instanceof ValueInstantiationException refused
        && refused.getCause() instanceof IllegalArgumentException wrong) {
      return wrong.getMessage();
    }
    if (json instanceof MismatchedInputException other) {
      return "%s must be %s".formatted(where(other), wanted(other.getTargetType()));
    }
    JsonLocation at = json.getLocation();
    return at == null
        ? "The body is not JSON"
        : "The body is not JSON: see line %d, column %d"
            .formatted(at.getLineNr(), at.getColumnNr());
  }

  private static String where(JsonMappingException mapping) {
    StringBuilder path = new StringBuilder();
    for (JsonMappingException.Reference step : mapping.getPath()) {
      if (step.getFieldName() == null) {
        path.append('[').append(step.getIndex()).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(step.getFieldName());
      }
    }
    return path.isEmpty() ? "The body" : path.toString();
  }

  private static String wanted(Class<?> type) {
    if (type == null) {
      return "of another type";
    }
    if (type == Boolean.class || type == boolean.class) {
      return "true or false";
    }
    if (type == String.class) {
      return "a text";
    }
    if (type == Duration.class) {
      return "a number of seconds";
    }
    if (Number.class.isAssignableFrom(type) || type.isPrimitive()) {
      return "a number";
    }
    if (type.isEnum()) {
      return "one of " + Arrays.toString(type.getEnumConstants());
    }
    if (Collection.class.isAssignableFrom(type)) {
      return "a list";
    }
    if (type.isRecord() || Map.class.isAssignableFrom(type)) {
      return "an object";
    }
    return type == Optional.class ? "a value or null" : "of another type";
  }
}
