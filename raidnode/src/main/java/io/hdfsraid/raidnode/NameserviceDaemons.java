// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.config.SettingsException;
import io.hdfsraid.raidnode.config.SettingsFiles;
import io.hdfsraid.raidnode.hdfs.OwnedByAnotherException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Server;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The daemons of a process that guards several nameservices: each has a catalog, an owner file, a
 * schedule and limits of its own, so one whose nameservice is down does not hold up the others. One
 * that cannot start is tried again.
 */
final class NameserviceDaemons implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NameserviceDaemons.class);
  private static final Duration BETWEEN_STARTS = Duration.ofMinutes(1);
  private static final String HINT =
      "The other nameservices go on. What can be overcome by waiting is tried again every minute.";

  private final Map<String, Settings> settings = new LinkedHashMap<>();
  private final Wiring wiring;
  private final Clock clock;
  private final NameserviceServer server;
  private final Map<String, Thread> threads = new LinkedHashMap<>();
  private final Map<String, RunningRaidNode> running = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * Creates daemons that do nothing yet.
   *
   * @param file the configuration of all of them, which was found to be right
   */
  private NameserviceDaemons(Path file, List<String> names, Wiring wiring, Clock clock)
      throws Exception {
    this.wiring = wiring;
    this.clock = clock;
    for (String name : names) {
      // Each has a server of its own, which the configuration holds: so it is read for each.
      Settings own = SettingsFiles.read(file, clock).of(new Settings.Place(name, names.size()));
      SettingsFiles.fetchPasswords(file, own);
      settings.put(name, own);
    }
    Settings process = SettingsFiles.read(file, clock);
    SettingsFiles.fetchPasswords(file, process);
    this.server = new NameserviceServer(process, names, wiring, clock, this::isReady);
    server.beforeStop(this::stopAll);
  }

  /**
   * Listens, and starts the daemons, which may have to wait or to stand by.
   *
   * @throws StartException if this process cannot listen; nothing is left open
   */
  static NameserviceDaemons start(
      Path file, List<String> names, Wiring wiring, Clock clock, RaidNode.Listening listening)
      throws SettingsException, StartException {
    NameserviceDaemons daemons = null;
    try {
      daemons = new NameserviceDaemons(file, names, wiring, clock);
      HttpPlace.Addresses there = daemons.server.start();
      LOG.info(
          "RaidNode guards {}: REST on {}{}/api/v1",
          String.join(", ", names),
          there.rest(),
          Settings.Place.pathOf("NAME"));
      listening.at(there.rest(), there.admin());
    } catch (SettingsException e) {
      throw e;
    } catch (Exception e) {
      if (daemons != null) {
        daemons.close();
      }
      throw RaidNode.failure(e);
    }
    daemons.startAll();
    return daemons;
  }

  private void startAll() {
    for (String name : settings.keySet()) {
      threads.put(name, new Thread(() -> guard(name), "nameservice-" + name));
    }
    threads.values().forEach(Thread::start);
  }

  private boolean isReady(String name) {
    return Optional.ofNullable(running.get(name))
        .filter(daemon -> !daemon.isDeposed())
        .filter(daemon -> daemon.daemon().ready().getAsBoolean())
        .isPresent();
  }

  private void guard(String name) {
    try {
      while (!isClosed() && attempt(name)) {
        LOG.info("Nameservice {}: the daemon is started again", name);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception | Error e) {
      LOG.error("The daemon of nameservice {} has ended, and is not started again", name, e);
    }
  }

  /** Returns whether the daemon is to be started again, when it is time for that. */
  private boolean attempt(String name) throws Exception {
    Settings own = settings.get(name);
    boolean standsBy = own.node().standby().enabled();
    try (RunningRaidNode daemon =
        new RaidNode(own, wiring.of(name), clock, (rest, admin) -> {}, server.place(name))
            .start()) {
      running.put(name, daemon);
      daemon.join();
      if (daemon.isDeposed() && !standsBy) {
        return answerFor(
            BETWEEN_STARTS, name, "The daemon has lost the owner file, and does not stand by");
      }
      return daemon.isDeposed(); // or this process ends
    } catch (StartException e) {
      if (isClosed()) {
        return false;
      }
      LOG.error("Nameservice {}: {}", name, e.getMessage());
      boolean isFinal =
          e.exitCode() == ExitCode.CONFIGURATION
              || (!standsBy && e.getCause() instanceof OwnedByAnotherException);
      return isFinal
          ? answerUntil(name, e.getMessage())
          : answerFor(BETWEEN_STARTS, name, e.getMessage());
    } finally {
      running.remove(name);
    }
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  /** Answers why there is no daemon until the process ends; returns false then. */
  private boolean answerUntil(String name, String reason) throws Exception {
    Server instead = answerWith(name, reason);
    try {
      closed.await();
    } finally {
      instead.stop();
    }
    return false;
  }

  /** Answers for a while why there is no daemon; returns false if the process ends meanwhile. */
  private boolean answerFor(Duration time, String name, String reason) throws Exception {
    Server instead = answerWith(name, reason);
    try {
      return !closed.await(time.toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      instead.stop();
    }
  }

  private Server answerWith(String name, String reason) throws Exception {
    Server instead =
        new RaidNode(settings.get(name), wiring, clock, (rest, admin) -> {}, HttpPlace.OWN_PORTS)
            .build(new Waiting("start", () -> reason, HINT, clock)::answer);
    HttpPlace.Addresses unused = server.place(name).start(instead);
    return instead;
  }

  /** Waits until the process is told to stop, and has stopped. */
  void join() throws InterruptedException {
    server.join();
    for (Thread thread : threads.values()) {
      thread.join();
    }
  }

  /** Stops all daemons, at the same time. */
  private void stopAll() {
    closed.countDown();
    Map<String, RunningRaidNode> daemons = Map.copyOf(running);
    List<Thread> ends =
        daemons.values().stream().map(daemon -> new Thread(daemon::close, "end")).toList();
    ends.forEach(Thread::start);
    threads.forEach(
        (name, thread) -> {
          if (!daemons.containsKey(name)) { // it waits, stands by, or starts
            thread.interrupt();
          }
        });
    try {
      for (Thread each : ends) {
        each.join();
      }
      for (Thread each : threads.values()) {
        each.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Stops all daemons, and then listens no more. */
  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      LOG.warn("The daemons did not stop cleanly", e);
    }
  }
}
