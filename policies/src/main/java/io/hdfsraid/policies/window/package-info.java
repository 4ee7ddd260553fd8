/** When work may be done, by the clock on the wall. */
package io.hdfsraid.policies.window;
