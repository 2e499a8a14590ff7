import { phrase } from '#contracts/phrases/phrase.js';
import { isRtf } from '#contracts/byte-text.js';
import { isArchive } from '#extraction/archive.js';
import { ExtractionError } from '#extraction/errors.js';
import { convertWithLibreOffice, LibreOfficeMissing } from '#office/libre-office.js';

/** Endings of the current formats by those of the old ones. */
const CURRENT: Record<string, string> = {
  doc: 'docx',
  dot: 'docx',
  xls: 'xlsx',
  xlt: 'xlsx',
  ppt: 'pptx',
  pps: 'pptx',
  pot: 'pptx',
};
const TIME_LIMIT_MS = 55_000;

interface NamedBytes {
  bytes: Uint8Array;
  name: string;
}

/**
 * Returns a file of an old Office format in the current one, and any other file unchanged.
 *
 * @param program name or path of LibreOffice
 * @throws ExtractionError if LibreOffice is not installed or cannot read the file
 */
export async function inCurrentFormat({ bytes, name }: NamedBytes, program?: string): Promise<NamedBytes> {
  const from = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const to = CURRENT[from];
  if (to === undefined || isRtf(bytes)) return { bytes, name };
  const current = `${name.slice(0, -from.length)}${to}`;
  if (isArchive(bytes)) return { bytes, name: current };
  try {
    const converted = await convertWithLibreOffice(bytes, {
      from,
      to,
      timeLimitMs: TIME_LIMIT_MS,
      ...(program ? { program } : {}),
    });
    return { bytes: new Uint8Array(converted), name: current };
  } catch (error) {
    const isMissing = error instanceof LibreOfficeMissing;
    throw new ExtractionError(
      phrase(isMissing ? 'unreadable.needs_libre_office' : 'unreadable.not_converted', {
        name,
        ending: `.${to}`,
      }),
    );
  }
}
