// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** An endpoint that cannot answer without the NameNode; see {@link OutageFeature}. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface NeedsNameNode {}
