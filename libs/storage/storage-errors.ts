import { withoutEnding } from '#contracts/text.js';
import { Readable } from 'node:stream';
import {
  InvalidKeyError,
  ObjectNotFoundError,
  SizeMismatchError,
  StorageUnavailableError,
  type ObjectStore,
} from './object-store.js';

const ABOUT_THE_REQUEST = [ObjectNotFoundError, InvalidKeyError, SizeMismatchError, StorageUnavailableError];
/** The S3 client reports a status such as 500 without a code. */
const SERVER_FAILED = /^Request failed after \d+ retries/;

/**
 * Wraps a store so that its own failures become StorageUnavailableError: rejected credentials, a wrong clock,
 * a full disk, no connection. They are unrelated to the object or its content.
 */
export function withStorageErrors(store: ObjectStore): ObjectStore {
  const reported = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => Promise.reject(asReported(error)));
  return {
    put: (key, body, options) =>
      store.put(key, body, options).catch((error: unknown) => {
        const isOfBody = body instanceof Readable && body.errored === error;
        throw isOfBody ? error : asReported(error);
      }),
    get: (key, range) => reported(store.get(key, range)),
    getBytes: (key) => reported(store.getBytes(key)),
    head: (key) => reported(store.head(key)),
    async *list(prefix) {
      try {
        yield* store.list(prefix);
      } catch (error) {
        throw asReported(error);
      }
    },
    delete: (key) => reported(store.delete(key)),
    deletePrefix: (prefix) => reported(store.deletePrefix(prefix)),
    copy: (from, to) => reported(store.copy(from, to)),
    check: () => reported(store.check()),
  };
}

function asReported(error: unknown): unknown {
  if (ABOUT_THE_REQUEST.some((known) => error instanceof known)) return error;
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code !== 'string' && !SERVER_FAILED.test(String(message))) return error;
  return new StorageUnavailableError(`The object store failed: ${describeFailure(error)}`, { cause: error });
}

/**
 * Error codes of S3 servers for rejected credentials. The last one covers all cases in which the response has
 * no body.
 */
const REFUSED = new Set([
  'SignatureDoesNotMatch',
  'InvalidAccessKeyId',
  'RequestTimeTooSkewed',
  'AccessDenied',
]);

/** Returns the code and message of a failure, and what to check if the credentials were rejected. */
export function describeFailure(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  const advice = 'Check S3_ACCESS_KEY, S3_SECRET_KEY and the clock of this machine.';
  const what = message?.startsWith(`${code}:`) ? message : [code, message].filter(Boolean).join(': ');
  return REFUSED.has(code ?? '') ? `${withoutEnding(what, '.')}. ${advice}` : what;
}
