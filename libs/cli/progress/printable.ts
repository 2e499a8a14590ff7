import { escapeDisguises } from '#contracts/invisible.js';

/** Matches colour sequences, and control characters except newline and tab. */
const COLOUR_OR_CONTROL = /\u001b\[[\d;]{0,16}m|[^\P{Cc}\n\t]/gu;

/**
 * Makes text safe for a terminal: keeps colours, removes control characters except newline and tab, and
 * escapes characters that disguise text.
 */
export function printable(text: string): string {
  return escapeDisguises(text.replace(COLOUR_OR_CONTROL, (found) => (found.length > 1 ? found : '')));
}

/**
 * Makes a stream escape characters that disguise text (`escapeDisguises`) in all strings, including the
 * prompts of readline. Bytes remain unchanged.
 */
export function escapeOutput(stream: NodeJS.WritableStream): void {
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  stream.write = (chunk: unknown, ...rest: unknown[]) =>
    write(typeof chunk === 'string' ? escapeDisguises(chunk) : chunk, ...rest);
}
