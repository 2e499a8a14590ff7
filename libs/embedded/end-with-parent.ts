/**
 * Loaded before an app (`node --import`) whose standard input is a pipe from its parent. The pipe closes
 * however the parent ends; the app then stops as on SIGTERM instead of running on as an orphan.
 */
const GRACE_MS = 10_000;

process.stdin.once('close', () => {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE_MS).unref();
  process.kill(process.pid, 'SIGTERM');
});
process.stdin.resume();
// The open pipe must not keep an otherwise finished app running.
(process.stdin as { unref?: () => void }).unref?.();
