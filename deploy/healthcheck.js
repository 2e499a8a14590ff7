/**
 * `node healthcheck.js URL`: exits with 0 when the URL answers 2xx within 4 s, else with 1 and the reason. For the health
 * checks of containers, whose image has no curl.
 */
try {
  const response = await fetch(process.argv[2], { signal: AbortSignal.timeout(4_000) });
  if (!response.ok) throw new Error(`status ${response.status}`);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
