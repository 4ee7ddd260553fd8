/** How pipelines announce their steps. */
package io.hdfsraid.drfs.step;
