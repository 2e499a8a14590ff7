import { describeError, isError } from './describe-error.js';

const INTERVAL_MS = 60_000;

/**
 * Returns a function that logs errors of a connection, each kind at most once a minute: a client that reconnects reports
 * the same error several times a second. The next line says how many were omitted.
 *
 * @param now clock in ms, for tests
 */
export function logRepeatedErrors(
  log: { warn(fields: object, message: string): void },
  message: string,
  now = () => performance.now(),
): (error: unknown) => void {
  const kinds = new Map<string, { loggedAt: number; omitted: number }>();
  return (error) => {
    const { type = 'unknown', code } = isError(error) ? describeError(error) : {};
    const kind = `${type} ${String(code)}`;
    const last = kinds.get(kind);
    if (last && now() - last.loggedAt < INTERVAL_MS) {
      last.omitted += 1;
      return;
    }
    kinds.set(kind, { loggedAt: now(), omitted: 0 });
    log.warn({ err: error, ...(last && last.omitted > 0 ? { omitted: last.omitted } : {}) }, message);
  };
}
