/** Where the stripes of a draft are encoded: by threads of the daemon, or in containers. */
package io.hdfsraid.raidnode.raiding.engine;
