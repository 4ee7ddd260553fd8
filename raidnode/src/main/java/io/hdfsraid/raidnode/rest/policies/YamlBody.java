// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.policies;

import io.hdfsraid.raidapi.policies.ValidatePoliciesRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyReader;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;

/** Reads policies that are sent as text: {@code curl --data-binary @policies.yml}. */
@Consumes({"application/yaml", "application/x-yaml", "text/yaml", MediaType.TEXT_PLAIN})
public final class YamlBody implements MessageBodyReader<ValidatePoliciesRequest> {
  @Override
  public boolean isReadable(
      Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType) {
    return type == ValidatePoliciesRequest.class
        && !mediaType.isCompatible(MediaType.APPLICATION_JSON_TYPE);
  }

  @Override
  public ValidatePoliciesRequest readFrom(
      Class<ValidatePoliciesRequest> type,
      Type genericType,
      Annotation[] annotations,
      MediaType mediaType,
      MultivaluedMap<String, String> headers,
      InputStream body)
      throws IOException {
    return new ValidatePoliciesRequest(new String(body.readAllBytes(), StandardCharsets.UTF_8));
  }
}
