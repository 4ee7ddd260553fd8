// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest;

import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Refuses query parameters that an endpoint does not declare: a misspelt one must not be taken for
 * an absent one.
 */
public final class KnownQueryParameters implements DynamicFeature {
  /** After the filters that find out whether the sender may call the endpoint at all. */
  private static final int LAST = Priorities.USER + 1_000;

  @Override
  public void configure(ResourceInfo endpoint, FeatureContext context) {
    if (endpoint.getResourceClass().isAnnotationPresent(Path.class)) {
      Set<String> names = names(endpoint.getResourceMethod());
      ContainerRequestFilter filter = request -> check(request, names);
      context.register(filter, LAST);
    }
  }

  private static void check(ContainerRequestContext request, Set<String> names) {
    for (Map.Entry<String, List<String>> one :
        request.getUriInfo().getQueryParameters().entrySet()) {
      if (!names.contains(one.getKey())) {
        throw ApiFailure.badRequest(
            "There is no query parameter " + one.getKey() + " here",
            names.isEmpty() ? "Send none." : "The parameters are " + names + ".");
      }
      if (one.getValue().size() > 1) {
        throw ApiFailure.badRequest(
            "The query parameter %s is there %d times"
                .formatted(one.getKey(), one.getValue().size()),
            "Send it once.");
      }
    }
  }

  /** Returns the names of the query parameters that a method declares. */
  public static Set<String> names(Method method) {
    Set<String> names = new TreeSet<>();
    for (Parameter parameter : method.getParameters()) {
      if (parameter.isAnnotationPresent(QueryParam.class)) {
        names.add(parameter.getAnnotation(QueryParam.class).value());
      }
      if (parameter.isAnnotationPresent(BeanParam.class)) {
        for (Field field : parameter.getType().getDeclaredFields()) {
          if (field.isAnnotationPresent(QueryParam.class)) {
            names.add(field.getAnnotation(QueryParam.class).value());
          }
        }
      }
    }
    return names;
  }
}
