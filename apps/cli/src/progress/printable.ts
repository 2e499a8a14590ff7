/** A colour, which changes nothing but colours, or a control character other than the ends of lines and columns. */
const COLOUR_OR_CONTROL = /\u001b\[[\d;]{0,16}m|[^\P{Cc}\n\t]/gu;

/** Text for a terminal: what others wrote in it can move no cursor, set no title and wipe no line. */
export function printable(text: string): string {
  return text.replace(COLOUR_OR_CONTROL, (found) => (found.length > 1 ? found : ''));
}
