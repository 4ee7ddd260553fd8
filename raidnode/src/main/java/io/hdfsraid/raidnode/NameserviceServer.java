// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import com.codahale.metrics.health.HealthCheck;
import io.dropwizard.core.setup.Environment;
import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.health.ProbeServlet;
import io.hdfsraid.raidnode.rest.ErrorMapper;
import io.hdfsraid.raidnode.rest.NamelessFilter;
import io.hdfsraid.raidnode.web.NameservicesServlet;
import java.net.URI;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;

/**
 * The HTTP server of a process that guards several nameservices. On both ports it forwards what is
 * below {@code /ns/NAME} to the server of that nameservice's daemon, which has no ports of its own.
 * Its root leads to the page of the first one. Safe for concurrent use.
 */
final class NameserviceServer {
  private static final String REST = "application";
  private static final String ADMIN = "admin";

  private final List<String> names;
  private final Server ports;
  private final Map<String, HostedServer> hosted = new ConcurrentHashMap<>();

  /**
   * A server without ports.
   *
   * @param rest what its handlers take for the port of the API
   * @param admin what its handlers take for the port of monitoring
   */
  private record HostedServer(Server server, Connector rest, Connector admin) {}

  /**
   * Creates a server that listens nowhere yet.
   *
   * @param settings of the process
   * @param isReady whether the daemon of a nameservice may change its cluster
   */
  NameserviceServer(
      Settings settings, List<String> names, Wiring wiring, Clock clock, Predicate<String> isReady)
      throws Exception {
    this.names = List.copyOf(names);
    this.ports =
        new RaidNode(settings, wiring, clock, (rest, admin) -> {}, HttpPlace.OWN_PORTS)
            .build(environment -> answer(environment, isReady));
    ports.insertHandler(new NameserviceRouter());
  }

  private void answer(Environment environment, Predicate<String> isReady) {
    environment.jersey().register(new ErrorMapper());
    environment
        .jersey()
        .register(new NamelessFilter(names.stream().map(Settings.Place::pathOf).toList()));
    NameservicesServlet.addTo(environment.servlets(), names, environment.getObjectMapper());
    ProbeServlet.addTo(environment.admin(), () -> names.stream().allMatch(isReady));
    for (String name : names) {
      environment
          .healthChecks()
          .register(
              name,
              new HealthCheck() {
                @Override
                protected Result check() {
                  return isReady.test(name)
                      ? Result.healthy()
                      : Result.unhealthy("See %s/healthcheck", Settings.Place.pathOf(name));
                }
              });
    }
  }

  /** Listens. */
  HttpPlace.Addresses start() throws Exception {
    return HttpPlace.OWN_PORTS.start(ports);
  }

  /**
   * Sets what is done when the process is told to stop, before it stops to listen: open pages would
   * hold up its end.
   */
  void beforeStop(Runnable action) {
    ports.addEventListener(
        new LifeCycle.Listener() {
          @Override
          public void lifeCycleStopping(LifeCycle server) {
            action.run();
          }
        });
  }

  /** Returns where the daemon of a nameservice answers: a later server replaces an earlier one. */
  HttpPlace place(String name) {
    return server -> {
      HostedServer own = new HostedServer(server, port(server, REST), port(server, ADMIN));
      server.setConnectors(new Connector[0]);
      server.setStopAtShutdown(false); // it is stopped by beforeStop
      server.start();
      hosted.put(name, own);
      String path = Settings.Place.pathOf(name);
      return new HttpPlace.Addresses(below(path, REST), below(path, ADMIN));
    };
  }

  private static Connector port(Server server, String name) {
    return Arrays.stream(server.getConnectors())
        .filter(each -> name.equals(each.getName()))
        .findFirst()
        .orElseThrow();
  }

  private URI below(String path, String port) {
    return RunningRaidNode.address(ports, port).resolve(path);
  }

  /** Waits until it is stopped. */
  void join() throws InterruptedException {
    ports.join();
  }

  void stop() throws Exception {
    ports.stop();
  }

  /** Sends each request where it belongs. */
  private final class NameserviceRouter extends Handler.Wrapper {
    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      String path = Request.getPathInContext(request);
      boolean monitoring = ADMIN.equals(request.getConnectionMetaData().getConnector().getName());
      Optional<String> name = names.stream().filter(each -> isBelow(path, each)).findFirst();
      if (name.isPresent()) {
        forward(name.get(), monitoring, request, response, callback);
        return true;
      }
      if (monitoring && path.equals("/metrics")) { // those of Dropwizard, which nobody knows
        Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
        return true;
      }
      if (!monitoring && path.equals("/")) {
        Response.sendRedirect(
            request, response, callback, Settings.Place.pathOf(names.get(0)) + "/");
        return true;
      }
      return super.handle(request, response, callback);
    }

    private boolean isBelow(String path, String name) {
      String root = Settings.Place.pathOf(name);
      return path.equals(root) || path.startsWith(root + "/");
    }

    private void forward(
        String name, boolean monitoring, Request request, Response response, Callback callback)
        throws Exception {
      HostedServer own = hosted.get(name);
      if (own == null || !own.server().isRunning()) {
        Response.writeError(request, response, callback, HttpStatus.SERVICE_UNAVAILABLE_503);
        return;
      }
      Request forwarded = new ForwardedRequest(request, monitoring ? own.admin() : own.rest());
      if (!own.server().getHandler().handle(forwarded, response, callback)) {
        Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
      }
    }
  }

  /** A request that seems to have come in by a port of the hosted server. */
  private static final class ForwardedRequest extends Request.Wrapper {
    private final ConnectionMetaData connection;

    ForwardedRequest(Request request, Connector port) {
      super(request);
      connection =
          new ConnectionMetaData.Wrapper(request.getConnectionMetaData()) {
            @Override
            public Connector getConnector() {
              return port;
            }
          };
    }

    @Override
    public ConnectionMetaData getConnectionMetaData() {
      return connection;
    }
  }
}
