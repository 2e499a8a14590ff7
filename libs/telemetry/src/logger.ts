import { escapeDisguises } from '#contracts/invisible.js';
import pino from 'pino';
import { redactFields, redactText } from './redact.js';

/** Structured logger: `logger.info({ run_id }, 'run started')`. Field names are snake_case. */
export type Logger = pino.Logger;

export interface LoggerOptions {
  /** `trace` … `fatal` or `silent`; LOG_LEVEL by default, else `info`. */
  level?: string;
  /** Takes the lines; standard output by default. */
  destination?: { write(line: string): void };
}

/** What most log lines of a request, run or job belong to. */
export interface LogContext {
  tenant_id?: string;
  session_id?: string;
  run_id?: string;
  task_id?: string;
  job_id?: string;
  correlation_id?: string;
  [name: string]: unknown;
}

/**
 * A logger that writes one JSON object a line: `time` (ISO 8601), `level` (name), `app`, `pid`, the fields, `msg`.
 * Secrets, connection strings and tenants' content never reach the line (see redact.ts).
 */
export function createLogger(app: string, options: LoggerOptions = {}): Logger {
  const settings: pino.LoggerOptions = {
    level: options.level ?? process.env['LOG_LEVEL'] ?? 'info',
    base: { app, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label) => ({ level: label }),
      log: redactFields,
    },
    serializers: { err: serializeError, error: serializeError },
    hooks: {
      streamWrite: escapeDisguises,
      logMethod(args, method) {
        const masked = args.map((arg: unknown) => (typeof arg === 'string' ? redactText(arg) : arg));
        method.apply(this, masked as typeof args);
      },
    },
  };
  return options.destination ? pino(settings, options.destination) : pino(settings);
}

/** A logger whose lines carry the given ids as well. */
export function withContext(logger: Logger, context: LogContext): Logger {
  return logger.child(redactFields(context));
}

function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack, code, cause } = pino.stdSerializers.errWithCause(error) as Record<
    string,
    unknown
  >;
  // Other properties of an error may hold a whole request or response.
  const fields = { type, message, code, stack, cause: pickCause(cause) };
  return redactFields(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));
}

function pickCause(cause: unknown): unknown {
  if (typeof cause !== 'object' || cause === null) return cause;
  const { type, message, code } = cause as Record<string, unknown>;
  return { type, message, code };
}
