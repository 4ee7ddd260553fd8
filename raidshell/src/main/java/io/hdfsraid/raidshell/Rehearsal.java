// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell;

import com.sun.net.httpserver.HttpServer;
import io.hdfsraid.raidapi.ApiPaths;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Runs commands against canned answers. The launcher lets Java record which classes are loaded
 * meanwhile, and makes a class-data archive of them, so that later commands start faster. An answer
 * need not be right for its command: a command that fails has loaded its classes.
 */
final class Rehearsal {
  private static final String[] COMMANDS = {
    "status",
    "policies",
    "files",
    "explain /a",
    "fsck",
    "repairs",
    "history",
    "plan",
    "savings",
    "settings",
    "windows",
    "placement",
    "raid /a",
    "no-such-command"
  };

  private Rehearsal() {}

  public static void main(String[] none) throws IOException {
    byte[] status;
    try (InputStream in = Rehearsal.class.getResourceAsStream("status.json")) {
      status = in.readAllBytes();
    }
    byte[] nothing = {'{', '}'};
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          boolean asksStatus = exchange.getRequestURI().getPath().equals(ApiPaths.STATUS);
          byte[] answer = asksStatus ? status : nothing;
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    String url = "--url=http://127.0.0.1:" + server.getAddress().getPort();
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    for (String command : COMMANDS) {
      for (String format : new String[] {"", " --json"}) {
        RaidShell.runOn(
            OutputStream.nullOutputStream(),
            nowhere,
            (command + format + " " + url).split(" ", -1));
      }
    }
    server.stop(0);
  }
}
