// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.access;

import io.hdfsraid.raidnode.access.Role;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The lowest role that may call an endpoint. Every endpoint has one; see {@link RoleFeature}. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Requires {
  Role value();
}
