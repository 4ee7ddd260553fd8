package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.HoursRequest;
import io.hdfsraid.raidapi.HoursView;

/** Says when policies may act, and changes that for some time. A dry run changes nothing. */
public interface HoursDesk {
  HoursView hours();

  HoursView override(HoursRequest request);
}
