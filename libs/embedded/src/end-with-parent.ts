/**
 * Loaded before an app (`node --import`) whose standard input is a pipe from its parent: the pipe closes when the
 * parent ends in whatever way, and the app then stops as on SIGTERM instead of staying behind.
 */
const GRACE_MS = 10_000;

process.stdin.once('close', () => {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE_MS).unref();
  process.kill(process.pid, 'SIGTERM');
});
process.stdin.resume();
// Waiting for the parent must not keep an app running that has nothing else to do.
(process.stdin as { unref?: () => void }).unref?.();
