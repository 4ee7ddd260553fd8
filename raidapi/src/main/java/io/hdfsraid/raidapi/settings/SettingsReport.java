// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.settings;

import io.hdfsraid.raidapi.Absent;
import java.util.List;

/**
 * The settings that can be changed while the daemon runs.
 *
 * @param settings all these settings with their values now
 * @param changes what a request changes or would change; empty without a request
 * @param changed whether the request was carried out; the change holds until the daemon starts
 *     again and reads its file
 */
public record SettingsReport(List<Setting> settings, List<Change> changes, boolean changed) {

  /**
   * One setting.
   *
   * @param key as in {@code raidnode.yml}
   * @param value the value now
   * @param configured the value with which the daemon was started
   * @param what what the setting limits
   */
  public record Setting(String key, String value, String configured, String what) {
    public Setting {
      what = Absent.toEmpty(what);
    }
  }

  /** A change of one setting. */
  public record Change(String key, String from, String to) {}

  public SettingsReport {
    settings = Absent.toEmpty(settings);
    changes = Absent.toEmpty(changes);
  }
}
