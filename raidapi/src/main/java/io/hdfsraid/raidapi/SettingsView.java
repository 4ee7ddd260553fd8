package io.hdfsraid.raidapi;

import java.util.List;

/**
 * The settings that can be changed while the daemon works.
 *
 * @param settings all of them, as they are now
 * @param changes what a request changes, or would change; empty when nothing was asked for
 * @param changed whether it was carried out; until the next start of the daemon, which reads its
 *     file again
 */
public record SettingsView(List<Setting> settings, List<Change> changes, boolean changed) {

  /**
   * One setting.
   *
   * @param key as in {@code raidnode.yml}
   * @param value now
   * @param configured what the daemon was started with
   * @param what it bounds
   */
  public record Setting(String key, String value, String configured, String what) {
    public Setting {
      what = Absent.toEmpty(what);
    }
  }

  /** One setting that gets another value. */
  public record Change(String key, String from, String to) {}

  public SettingsView {
    settings = Absent.toEmpty(settings);
    changes = Absent.toEmpty(changes);
  }
}
