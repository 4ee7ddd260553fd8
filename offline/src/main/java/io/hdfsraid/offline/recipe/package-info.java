/** What a recipe makes DataNodes do, for whoever foretells or imitates it. */
package io.hdfsraid.offline.recipe;
