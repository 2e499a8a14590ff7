import type { LoggerService } from '@nestjs/common';
import { type Logger, framesOf, isError } from './logger.js';

/** Contexts of Nest's start-up messages, which only help to debug the start. */
const START_UP = new Set([
  'InstanceLoader',
  'NestApplication',
  'NestFactory',
  'RouterExplorer',
  'RoutesResolver',
]);

type Level = 'debug' | 'error' | 'fatal' | 'info' | 'trace' | 'warn';

/** Adapter that lets Nest write to the structured logger: `app.useLogger(new NestLogger(logger))`. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    const context = contextOf(rest);
    this.write(context !== undefined && START_UP.has(context) ? 'debug' : 'info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  private write(level: Level, message: unknown, rest: unknown[]): void {
    const context = contextOf(rest);
    const details = rest.slice(0, context === undefined ? rest.length : -1);
    const error = [message, ...details].find(isError);
    const stack = details.find((item) => typeof item === 'string' && item.includes('\n    at ')) as
      string | undefined;
    // Callers that pass an error's stack often pass its message as the text.
    const isOfError = isError(message) || (typeof message === 'string' && stack?.includes(message));
    const text = isOfError ? 'unexpected error' : String(message);
    const fields = { context, ...(error ? { err: error } : stack ? { stack: framesOf(stack) } : {}) };
    if (typeof message === 'object' && !isError(message)) this.logger[level]({ ...fields, ...message });
    else this.logger[level](fields, text);
  }
}

/** Returns the last parameter if it is the name of the logging class, which Nest appends. */
function contextOf(rest: unknown[]): string | undefined {
  const last = rest.at(-1);
  return typeof last === 'string' && !last.includes('\n') ? last : undefined;
}
