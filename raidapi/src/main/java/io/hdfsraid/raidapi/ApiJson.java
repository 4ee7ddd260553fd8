// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;

/**
 * Configures how records become JSON. The daemon, the client and the shell use the same
 * configuration.
 */
public final class ApiJson {
  private ApiJson() {}

  /** RFC 3339 in UTC, always with milliseconds, so that texts sort like times. */
  private static final DateTimeFormatter MILLISECONDS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

  private static final class Times extends StdSerializer<Instant> {
    private static final long serialVersionUID = 1;

    Times() {
      super(Instant.class);
    }

    @Override
    public void serialize(Instant time, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      json.writeString(MILLISECONDS.format(time));
    }
  }

  public static ObjectMapper mapper() {
    return configure(new ObjectMapper());
  }

  /** Configures a mapper that another library has made, such as the daemon's HTTP framework. */
  public static ObjectMapper configure(ObjectMapper mapper) {
    // Fields with durations end in Seconds.
    mapper
        .configOverride(Duration.class)
        .setFormat(JsonFormat.Value.forPattern("SECONDS").withShape(JsonFormat.Shape.NUMBER));
    return lenient(mapper).registerModule(new SimpleModule("api-times").addSerializer(new Times()));
  }

  /** Returns a mapper for files of the daemon's own, which keep times to the nanosecond. */
  public static ObjectMapper ofFiles() {
    return lenient(new ObjectMapper()).disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS);
  }

  private static ObjectMapper lenient(ObjectMapper mapper) {
    return mapper
        .registerModule(new Jdk8Module())
        .registerModule(new JavaTimeModule())
        .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .enable(DeserializationFeature.READ_UNKNOWN_ENUM_VALUES_USING_DEFAULT_VALUE);
  }
}
