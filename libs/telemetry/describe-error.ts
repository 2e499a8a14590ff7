import { types } from 'node:util';

/** Loggable part of an error. Omits its message, which may quote a document, a query or a model's answer. */
interface ErrorDescription {
  type: string;
  code?: string | number;
  stack?: string;
  cause?: ErrorDescription;
}

const MAX_CAUSES = 4;
const MAX_FRAMES = 20;
/** Matches a class or a code, but no sentence. */
const NAME = /^[\w.:-]{1,64}$/;
const FRAME = /^ {4}at .*(?:\d|>|native)\)?$/;

/** Returns whether a value is an error, including errors of other realms such as threads or tests. */
export const isError = (value: unknown): value is Error =>
  value instanceof Error || types.isNativeError(value);

/** Returns the class, the code and the stack of an error, and the classes and codes of its causes. */
export function describeError(error: Error): ErrorDescription {
  const stack = framesOf(error.stack ?? '', error.message);
  const { type, cause, ...code } = describeCause(error, MAX_CAUSES)!;
  return { type, ...code, ...(stack === '' ? {} : { stack }), ...(cause ? { cause } : {}) };
}

/** Returns the messages of an error and of its causes. */
export function messagesOf(error: Error): string {
  const messages: string[] = [];
  for (
    let current: unknown = error;
    isError(current) && messages.length <= MAX_CAUSES;
    current = causeOf(current)
  )
    messages.push(current.message);
  return messages.join(' ← ');
}

/**
 * Returns the frames of a stack, without the message at its beginning.
 *
 * @param message the error's message, if known: its lines may look like frames
 */
export function framesOf(stack: string, message = ''): string {
  const start = Math.max(0, stack.indexOf(message));
  return stack
    .slice(start + message.length)
    .split('\n')
    .filter((line) => FRAME.test(line))
    .slice(-MAX_FRAMES)
    .join('\n');
}

function describeCause(cause: unknown, depth: number): ErrorDescription | undefined {
  if (typeof cause !== 'object' || cause === null || depth < 0) return undefined;
  const { name, code, originalCode, kind } = cause as Record<string, unknown>;
  const type = [cause.constructor?.name, name].find(isName);
  const named = [code, originalCode, kind].find((value) => typeof value === 'number' || isName(value));
  const deeper = describeCause(causeOf(cause), depth - 1);
  return {
    type: type ?? 'Error',
    ...(named === undefined ? {} : { code: named as string | number }),
    ...(deeper ? { cause: deeper } : {}),
  };
}

/** Returns the cause of an error; Prisma stores the database's error in `meta`. */
function causeOf(error: object): unknown {
  const { cause, meta } = error as { cause?: unknown; meta?: { driverAdapterError?: unknown } };
  return cause ?? meta?.driverAdapterError;
}

const isName = (value: unknown): value is string => typeof value === 'string' && NAME.test(value);
