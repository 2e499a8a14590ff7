import { escapeDisguises } from '#contracts/invisible.js';
import pino from 'pino';
import { isError, messagesOf } from './describe-error.js';
import { redactFields, redactText } from './redact.js';

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
