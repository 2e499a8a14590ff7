/**
 * `node healthcheck.js URL`: exits with 0 if the URL responds with 2xx within 4 s, else prints the reason and exits with 1. For
 * health checks in containers, because the image has no curl.
 */
try {
  const response = await fetch(process.argv[2], { signal: AbortSignal.timeout(4_000) });
  if (!response.ok) throw new Error(`status ${response.status}`);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
