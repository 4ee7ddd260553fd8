// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.history;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.history.HistoryEntry;
import io.hdfsraid.raidapi.history.HistoryQuery;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.QueryParameters;
import io.hdfsraid.raidnode.rest.access.Requires;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.Set;

/** {@value ApiPaths#HISTORY}. */
@Path(ApiPaths.HISTORY)
@Produces(MediaType.APPLICATION_JSON)
public final class HistoryResource {
  private final HistoryService view;

  public HistoryResource(HistoryService view) {
    this.view = view;
  }

  /** Lists what the daemon has recorded, newest first. */
  @GET
  @Requires(Role.VIEWER)
  public Page<HistoryEntry> list(
      @QueryParam(ApiPaths.PATH) String path,
      @QueryParam(ApiPaths.SINCE) String since,
      @QueryParam(ApiPaths.UNTIL) String until,
      @QueryParam(ApiPaths.BY) String by,
      @QueryParam(ApiPaths.EVENT) String events,
      @QueryParam(ApiPaths.LIMIT) String limit,
      @QueryParam(ApiPaths.CURSOR) String cursor) {
    HistoryQuery wanted =
        new HistoryQuery(
            QueryParameters.below(path),
            moment(ApiPaths.SINCE, since),
            moment(ApiPaths.UNTIL, until),
            Optional.ofNullable(by).filter(name -> !name.isEmpty()),
            events == null || events.isEmpty() ? Set.of() : Set.of(events.split(",")));
    return view.list(wanted, QueryParameters.paging(limit, cursor));
  }

  private static Optional<Instant> moment(String name, String text) {
    try {
      return Optional.ofNullable(text).map(time -> OffsetDateTime.parse(time).toInstant());
    } catch (DateTimeParseException e) {
      throw ApiFailure.badRequest(
          "%s must be a time in RFC 3339, but is %s".formatted(name, text),
          "Send a time such as 2026-11-25T16:20:11Z.");
    }
  }
}
