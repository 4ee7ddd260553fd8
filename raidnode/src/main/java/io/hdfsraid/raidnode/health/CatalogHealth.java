// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.health;

import com.codahale.metrics.health.HealthCheck;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.recency.rocksdb.DatabaseException;

/** Checks that the catalog can be written and read. */
public final class CatalogHealth extends HealthCheck {
  private final Catalog catalog;

  public CatalogHealth(Catalog catalog) {
    this.catalog = catalog;
  }

  @Override
  protected Result check() {
    try {
      catalog.probe();
      return Result.healthy();
    } catch (DatabaseException e) {
      return Result.unhealthy(e.getMessage());
    }
  }
}
