package io.hdfsraid.raidnode.hdfs;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * Which process holds the owner file: written beside its lease, so that a person can find it, and
 * so that a daemon that is started again on the same host need not wait for the lease of one that
 * it knows to be dead.
 *
 * @param boot the boot id of the machine: pids start again with each boot
 */
record OwnerProcess(String host, String boot, long pid, Instant started) {

  static OwnerProcess current() throws IOException {
    ProcessHandle process = ProcessHandle.current();
    return new OwnerProcess(
        InetAddress.getLocalHost().getHostName(), bootId(), process.pid(), startOf(process));
  }

  byte[] toBytes() {
    return String.join("\n", host, boot, Long.toString(pid), started.toString())
        .getBytes(StandardCharsets.UTF_8);
  }

  static Optional<OwnerProcess> parse(byte[] bytes) {
    String[] lines = new String(bytes, StandardCharsets.UTF_8).split("\n", -1);
    try {
      return lines.length == 4
          ? Optional.of(
              new OwnerProcess(
                  lines[0], lines[1], Long.parseLong(lines[2]), Instant.parse(lines[3])))
          : Optional.empty();
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  /** Certain only for a process of this very host and boot; of any other nothing is known. */
  boolean isKnownToBeDead() throws IOException {
    OwnerProcess here = current();
    if (!host.equals(here.host) || !boot.equals(here.boot) || boot.isEmpty()) {
      return false;
    }
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        .map(process -> !startOf(process).equals(started))
        .orElse(true);
  }

  private static Instant startOf(ProcessHandle process) {
    return process.info().startInstant().orElse(Instant.EPOCH);
  }

  private static String bootId() throws IOException {
    Path id = Path.of("/proc/sys/kernel/random/boot_id");
    return Files.isReadable(id) ? Files.readString(id).strip() : "";
  }

  @Override
  public String toString() {
    return "process %d on %s, started %s".formatted(pid, host, started);
  }
}
