import { escapeDisguises } from '#contracts/invisible.js';
import pino from 'pino';
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
function describeError(error: Error): ErrorDescription {
  const stack = framesOf(error.stack ?? '', error.message);
  const { type, cause, ...code } = describeCause(error, MAX_CAUSES)!;
  return { type, ...code, ...(stack === '' ? {} : { stack }), ...(cause ? { cause } : {}) };
}

/** Returns the messages of an error and of its causes. */
function messagesOf(error: Error): string {
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
  const start = message === '' ? -1 : stack.indexOf(message);
  const frames = stack
    .slice(start === -1 ? 0 : start + message.length)
    .split('\n')
    .filter((line) => FRAME.test(line));
  // After an unknown message, its lines come first.
  return (start === -1 ? frames.slice(-MAX_FRAMES) : frames.slice(0, MAX_FRAMES)).join('\n');
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

/**
 * Removes secrets and content from logs: replaces fields with secret names, replaces fields with names of
 * tenant content by their length, drops the messages of errors, and masks passwords in URLs everywhere.
 */

const SECRET =
  /^(authorization|cookie|set-cookie|(.*[_-])?(api[_-]?key|apikey|password|passwd|secret|secret[_-]?key|access[_-]?key|private[_-]?key|token|credentials?)|(secret|access|private|api)key)$/i;
const CONTENT =
  /^(content|contents|body|text|markdown|manuscript|messages|prompt|completion|answer|output|input)$/i;
const URL_PASSWORD = /([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#@]*@/gi;
const BEARER = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]+/gi;

const MAX_DEPTH = 6;
const MAX_ITEMS = 100;
const MAX_TEXT = 4_000;

/** Masks credentials in URLs and authorization values, and truncates text to 4,000 characters. */
export function redactText(text: string): string {
  const masked = text.replace(URL_PASSWORD, '$1[redacted]@').replace(BEARER, '$1 [redacted]');
  return masked.length > MAX_TEXT ? `${masked.slice(0, MAX_TEXT)}… (${masked.length} characters)` : masked;
}

/** Returns the redacted fields of a log line. */
function redactFields(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, redactField(name, value, 0)]),
  );
}

function redactField(name: string, value: unknown, depth: number): unknown {
  if (value === undefined || value === null) return value;
  if (SECRET.test(name)) return '[redacted]';
  if (name === 'err' && typeof value === 'string') return measure(value);
  if (CONTENT.test(name) && (typeof value === 'string' || typeof value === 'object')) return measure(value);
  return redactValue(value, depth);
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (isError(value)) return redactFields({ ...describeError(value) });
  if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`;
  if (value instanceof URL) return redactText(value.href);
  if (depth >= MAX_DEPTH) return '[…]';
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => redactValue(item, depth + 1));
  const entries = Object.entries(value).slice(0, MAX_ITEMS);
  return Object.fromEntries(entries.map(([name, item]) => [name, redactField(name, item, depth + 1)]));
}

function measure(value: unknown): string {
  if (typeof value === 'string') return `[${value.length} characters]`;
  if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`;
  return Array.isArray(value) ? `[${value.length} items]` : '[content]';
}

/** Structured logger: `logger.info({ run_id }, 'run started')`. Field names are snake_case. */
export type Logger = pino.Logger;

interface LoggerOptions {
  /** `trace` … `fatal` or `silent`. Default: LOG_LEVEL, else `info`. */
  level?: string;
  /** Receives the lines. Default: standard output. */
  destination?: { write(line: string): void };
}

/** Common IDs of the log lines of a request, run or job. */
interface LogContext {
  tenant_id?: string;
  session_id?: string;
  run_id?: string;
  task_id?: string;
  job_id?: string;
  correlation_id?: string;
  [name: string]: unknown;
}

/**
 * Returns a logger that writes one JSON object per line: `time` (ISO 8601), `level` (name), `app`, `pid`, the
 * fields, `msg`. Lines contain no secrets, connection strings or tenants' content (see redact.ts). The
 * message of an error follows in a separate `debug` line.
 */
export function createLogger(app: string, options: LoggerOptions = {}): Logger {
  const settings: pino.LoggerOptions = {
    level: options.level ?? levelOf(process.env['LOG_LEVEL']),
    base: { app, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label) => ({ level: label }),
      log: redactFields,
    },
    serializers: { err: (err: unknown) => redactFields({ err })['err'] },
    hooks: {
      streamWrite: escapeDisguises,
      logMethod(args, method) {
        const [first, ...rest] = args.map((arg: unknown) =>
          typeof arg === 'string' ? redactText(arg) : arg,
        );
        const fields = isError(first) ? { err: first } : first;
        const error = (fields as { err?: unknown } | undefined)?.err;
        // Without a text, pino would use the error's message.
        const text = error !== undefined && rest.length === 0 ? ['unexpected error'] : rest;
        method.apply(this, [fields, ...text] as Parameters<typeof method>);
        if (!isError(error) || !this.isLevelEnabled('debug')) return;
        const details = { ...(fields as object), err: undefined, err_message: messagesOf(error) };
        this.debug(details, ...(text as string[]));
      },
    },
  };
  return options.destination ? pino(settings, options.destination) : pino(settings);
}

/** Returns the level named by LOG_LEVEL, or `info` for an unknown level, which the settings check reports. */
function levelOf(name = 'info'): string {
  return name === 'silent' || Object.hasOwn(pino.levels.values, name) ? name : 'info';
}

/** Returns a logger that adds the given IDs to each line. */
export function withContext(logger: Logger, context: LogContext): Logger {
  return logger.child(redactFields(context));
}
