/** Whether a space is so full that files are to be raided to make room. */
package io.hdfsraid.policies.capacity;
