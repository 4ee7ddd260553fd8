package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.PoliciesDraft;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyReader;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;

/** Policies sent as they are: {@code curl --data-binary @policies.yml}. */
@Consumes({"application/yaml", "application/x-yaml", "text/yaml", MediaType.TEXT_PLAIN})
final class YamlDraft implements MessageBodyReader<PoliciesDraft> {
  private static final int MOST = 4 << 20;

  @Override
  public boolean isReadable(
      Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType) {
    return type == PoliciesDraft.class && !mediaType.isCompatible(MediaType.APPLICATION_JSON_TYPE);
  }

  @Override
  public PoliciesDraft readFrom(
      Class<PoliciesDraft> type,
      Type genericType,
      Annotation[] annotations,
      MediaType mediaType,
      MultivaluedMap<String, String> headers,
      InputStream body)
      throws IOException {
    byte[] text = body.readNBytes(MOST + 1);
    if (text.length > MOST) {
      throw ApiFailure.badRequest(
          "The policies are larger than %d MiB".formatted(MOST >> 20), "Are they a policies.yml?");
    }
    return new PoliciesDraft(new String(text, StandardCharsets.UTF_8));
  }
}
