// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.process;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The process that holds the owner file, stored beside its lease so that a person can find it. A
 * daemon that restarts on the same host also reads it: it need not wait for the lease of a process
 * that it knows to be dead.
 *
 * @param space names the boot of the machine and the pid namespace, outside of which pids mean
 *     nothing; empty where that cannot be known
 * @param ticks when the process was started, in ticks since boot, which no change of the clock
 *     moves
 */
public record OwnerProcess(String host, String space, long pid, String ticks) {

  public static OwnerProcess current() throws IOException {
    long pid = ProcessHandle.current().pid();
    return new OwnerProcess(
        InetAddress.getLocalHost().getHostName(), pidSpace(), pid, startTicks(pid).orElse(""));
  }

  public byte[] toBytes() {
    return String.join("\n", host, space, Long.toString(pid), ticks)
        .getBytes(StandardCharsets.UTF_8);
  }

  public static Optional<OwnerProcess> parse(byte[] bytes) {
    String[] lines = new String(bytes, StandardCharsets.UTF_8).split("\n", -1);
    return lines.length == 4 && lines[2].matches("\\d{1,18}")
        ? Optional.of(new OwnerProcess(lines[0], lines[1], Long.parseLong(lines[2]), lines[3]))
        : Optional.empty();
  }

  /** Certain only for a process of this very host, boot and pid namespace. */
  @JsonIgnore
  public boolean isKnownToBeDead() throws IOException {
    OwnerProcess here = current();
    if (!host.equals(here.host)
        || space.isEmpty()
        || !space.equals(here.space)
        || ticks.isEmpty()) {
      return false;
    }
    return startTicks(pid).map(now -> !now.equals(ticks)).orElse(true);
  }

  /**
   * Returns whether the pid names this process here. In another container or on another machine it
   * may be that of any process.
   */
  public boolean runsHere() throws IOException {
    OwnerProcess here = current();
    return host.equals(here.host)
        && space.equals(here.space)
        && (ticks.isEmpty() || startTicks(pid).filter(ticks::equals).isPresent());
  }

  /** Returns whether this is a name of its machine, in full or without its domain. */
  public boolean isOn(String name) {
    return host.equalsIgnoreCase(name)
        || withoutDomain(host).equalsIgnoreCase(name)
        || host.equalsIgnoreCase(withoutDomain(name));
  }

  private static String withoutDomain(String name) {
    int dot = name.indexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }

  private static String pidSpace() throws IOException {
    Path boot = Path.of("/proc/sys/kernel/random/boot_id");
    Path pids = Path.of("/proc/self/ns/pid");
    return Files.isReadable(boot) && Files.isSymbolicLink(pids)
        ? Files.readString(boot).strip() + " " + Files.readSymbolicLink(pids)
        : "";
  }

  /**
   * Field 22 of {@code /proc/PID/stat}, counted from behind the name, which may hold anything;
   * empty when there is no such process.
   */
  private static Optional<String> startTicks(long pid) throws IOException {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return Optional.of(List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)).get(19));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  @Override
  public String toString() {
    return "process %d on %s".formatted(pid, host);
  }
}
