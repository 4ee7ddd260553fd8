// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Refuses bodies that are compressed. Limits of the size hold for what is sent, and a megabyte can
 * become a gigabyte when it is inflated.
 */
public final class EncodedBodies extends Handler.Wrapper {
  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    if (request.getHeaders().contains(HttpHeader.CONTENT_ENCODING)) {
      Response.writeError(request, response, callback, HttpStatus.UNSUPPORTED_MEDIA_TYPE_415);
      return true;
    }
    return super.handle(request, response, callback);
  }
}
