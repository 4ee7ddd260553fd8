// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;

/**
 * Sends requests by {@link HttpURLConnection}. Java's newer HTTP client keeps a thread in a native
 * call, for which the JVM waits 0.3 s when it exits, and it reads all trusted certificates even for
 * plain HTTP: together longer than the rest of a command of the shell takes.
 *
 * @param tls what to trust for https; empty for what Java trusts
 */
record HttpSender(Optional<SSLContext> tls) {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /** Java has no exception of its own for this. */
  private static final String NOT_HTTP = "Invalid Http response";

  static {
    // Java would send a POST again if the connection breaks before the answer.
    System.setProperty("sun.net.http.retryPost", "false");
    // Java would answer any server that asks for a Kerberos ticket with one from the cache of the
    // user, in place of the proof that was wanted. Only a login within the process may be used.
    System.setProperty("javax.security.auth.useSubjectCredsOnly", "true");
  }

  /**
   * An answer of any server.
   *
   * @param status -1 if the server does not speak HTTP
   * @param location the address to ask instead, if the server names one
   */
  record Answer(URI uri, int status, String body, Optional<String> location) {}

  /** A server took the connection, but the request failed. */
  static final class BrokenException extends IOException {
    private static final long serialVersionUID = 1;

    BrokenException(IOException cause) {
      super(cause.getMessage(), cause);
    }
  }

  /**
   * Sends a request and waits for its answer.
   *
   * @param timeout longest wait for the next bytes of the answer
   * @throws BrokenException if there was a connection; any other exception if there was none
   */
  Answer send(
      String method, URI uri, Map<String, String> headers, Optional<byte[]> body, Duration timeout)
      throws IOException {
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    if (tls.isPresent() && connection instanceof HttpsURLConnection secure) {
      secure.setSSLSocketFactory(tls.get().getSocketFactory());
    }
    connection.setInstanceFollowRedirects(false);
    connection.setUseCaches(false);
    connection.setConnectTimeout((int) CONNECT_TIMEOUT.toMillis());
    connection.setReadTimeout((int) Math.min(Integer.MAX_VALUE, timeout.toMillis()));
    connection.setRequestMethod(method);
    headers.forEach(connection::setRequestProperty);
    connection.setDoOutput(body.isPresent());
    connection.connect();
    try {
      if (body.isPresent()) {
        try (OutputStream out = connection.getOutputStream()) {
          out.write(body.get());
        }
      }
      int status = connection.getResponseCode();
      return new Answer(
          uri,
          status,
          read(connection, status),
          Optional.ofNullable(connection.getHeaderField("Location")));
    } catch (IOException e) {
      if (NOT_HTTP.equals(e.getMessage())) {
        return new Answer(uri, -1, "", Optional.empty());
      }
      throw new BrokenException(e);
    }
  }

  private static String read(HttpURLConnection connection, int status) throws IOException {
    try (InputStream in =
        status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
