import { escapeDisguises } from '#contracts/invisible.js';

/** A colour, which changes nothing but colours, or a control character other than the ends of lines and columns. */
const COLOUR_OR_CONTROL = /\u001b\[[\d;]{0,16}m|[^\P{Cc}\n\t]/gu;

/** Text for a terminal: what others wrote in it can move no cursor, set no title, wipe no line and turn no text around. */
export function printable(text: string): string {
  return escapeDisguises(text.replace(COLOUR_OR_CONTROL, (found) => (found.length > 1 ? found : '')));
}

/**
 * Escapes what disguises texts (`escapeDisguises`) in all that a command writes as text, the questions of readline included; bytes are
 * written as they are.
 */
export function escapeOutput(stream: NodeJS.WritableStream): void {
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  stream.write = (chunk: unknown, ...rest: unknown[]) =>
    write(typeof chunk === 'string' ? escapeDisguises(chunk) : chunk, ...rest);
}
