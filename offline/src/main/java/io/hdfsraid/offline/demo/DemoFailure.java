package io.hdfsraid.offline.demo;

import java.io.IOException;

/** The demo cannot go on, or did not end as it should; the message is for people. */
public final class DemoFailure extends IOException {
  private static final long serialVersionUID = 1;

  DemoFailure(String message) {
    super(message);
  }

  DemoFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
