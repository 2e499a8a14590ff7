/** Maximum length and number of the fields that are searched for boundaries. */
const MAX_FIELD = 10_000;
const MOST_FIELDS = 50;
const BOUNDARY = /;\s*boundary\s*=\s*(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i;

/**
 * Corrects a `Content-Type` that does not lead to the parts of the message. Some messages have several such fields,
 * only one of which names the boundary in the body; others declare `text/html` with a boundary although they have
 * several parts.
 *
 * @param headEnd position of the blank line after the header
 */
export function withOwnBoundary(message: Uint8Array, headEnd: number): Uint8Array {
  const file = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const head = file.toString('latin1', 0, headEnd);
  if (!/boundary/i.test(head)) return message;
  const fields = head.split(/\r?\n(?![ \t])/);
  const isType = fields.map((field) => /^content-type\s{0,9}:/i.test(field));
  const types = fields.filter((_, at) => isType[at]).slice(0, MOST_FIELDS);
  const own = types.find((field) => {
    const [, quoted, plain] = BOUNDARY.exec(unfolded(field)) ?? [];
    const boundary = quoted ?? plain;
    return boundary !== undefined && hasLine(file.subarray(headEnd), `--${boundary}`);
  });
  const isParted = /^content-type\s{0,9}:\s*multipart\//i.test(own ?? '');
  if (own === undefined || (types.length === 1 && isParted)) return message;
  const type = isParted ? own : own.replace(/:\s*[^;\s]+/, ': multipart/mixed');
  // The content of a text has its transfer encoding from its own part.
  const kept = fields.filter(
    (field, at) => !isType[at] && (isParted || !/^content-transfer-encoding/i.test(field)),
  );
  return Buffer.concat([Buffer.from([...kept, type].join('\r\n'), 'latin1'), file.subarray(headEnd)]);
}

const unfolded = (field: string): string => field.slice(0, MAX_FIELD).replace(/\r?\n[ \t]+/g, ' ');

function hasLine(body: Buffer, line: string): boolean {
  for (let at = body.indexOf(line); at >= 0; at = body.indexOf(line, at + 1))
    if (at === 0 || body[at - 1] === 0x0a || body[at - 1] === 0x0d) return true;
  return false;
}
