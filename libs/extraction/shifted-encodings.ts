import iconv from 'iconv-lite';

const [ESCAPE, SHIFT_OUT, SHIFT_IN, TILDE, BRACE_OPEN, BRACE_CLOSE, LINE_FEED] = [
  27, 14, 15, 126, 123, 125, 10,
];

/** Encodings of 7 bits that switch between ASCII and pairs of bytes, and the encoding that the pairs are in. */
const PAIRS: Record<string, string> = {
  'hz-gb-2312': 'gbk',
  'iso-2022-kr': 'euc-kr',
  'iso-2022-cn': 'gbk',
};

export const isShiftedEncoding = (name: string): boolean => Object.hasOwn(PAIRS, name);

/** Decodes old mail in HZ, ISO-2022-KR or ISO-2022-CN, which neither library reads. Linear. */
export function decodeShifted(bytes: Uint8Array, encoding: string): string {
  const isHz = encoding === 'hz-gb-2312';
  const decoded: number[] = [];
  let isPair = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    const next = bytes[at + 1];
    if (isHz && byte === TILDE && (next === BRACE_OPEN || next === BRACE_CLOSE)) {
      isPair = next === BRACE_OPEN;
      at += 1;
    } else if (isHz && byte === TILDE && !isPair) {
      // A doubled tilde is one, and one before a line end continues the line.
      if (next === TILDE) decoded.push(TILDE);
      if (next === TILDE || next === LINE_FEED) at += 1;
      else decoded.push(byte);
    } else if (!isHz && (byte === SHIFT_OUT || byte === SHIFT_IN)) isPair = byte === SHIFT_OUT;
    // Designates the set of pairs: ESC $ ) and a letter.
    else if (!isHz && byte === ESCAPE && next === 0x24) at += 3;
    else {
      if (byte === LINE_FEED) isPair = false;
      decoded.push(isPair && byte > 32 ? byte | 0x80 : byte);
    }
  }
  return iconv.decode(Buffer.from(decoded), PAIRS[encoding] ?? 'ascii');
}
