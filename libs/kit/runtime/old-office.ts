import { fileEnding } from '#contracts/text.js';
import { PARSING_MEMORY_MB } from '#config/memory.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { isRtf } from '#contracts/byte-text.js';
import { outlookAsMail } from '#extraction/email/outlook.js';
import { isArchive } from '#extraction/archive.js';
import { ExtractionError } from '#extraction/errors.js';
import { convertWithLibreOffice, LibreOfficeMissing } from '#office/libre-office.js';

/** Current ending of an old format, and LibreOffice's filter for the old one. */
interface Kind {
  to: string;
  inputFilter: string;
}

const WORD: Kind = { to: 'docx', inputFilter: 'MS Word 97' };
const EXCEL: Kind = { to: 'xlsx', inputFilter: 'MS Excel 97' };
const POWERPOINT: Kind = { to: 'pptx', inputFilter: 'MS PowerPoint 97' };
/** Kinds of files by their old endings. */
const KINDS = new Map<string, Kind>([
  ...['doc', 'dot'].map((ending) => [ending, WORD] as const),
  ...['xls', 'xlt'].map((ending) => [ending, EXCEL] as const),
  ...['ppt', 'pps', 'pot'].map((ending) => [ending, POWERPOINT] as const),
]);
/** First bytes of every file of an old Office format. */
const SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const TIME_LIMIT_MS = 55_000;

export interface NamedBytes {
  bytes: Uint8Array;
  name: string;
}

/**
 * Returns a file of an old Office format in the current one, a message of Outlook as an e-mail, and any other file unchanged.
 *
 * @param program name or path of LibreOffice
 * @throws ExtractionError if LibreOffice is not installed or cannot read the file, and for a damaged message
 */
export async function inCurrentFormat({ bytes, name }: NamedBytes, program?: string): Promise<NamedBytes> {
  const from = fileEnding(name);
  if (from === 'msg') return { bytes: await outlookAsMail(bytes, name), name: name.replace(/msg$/i, 'eml') };
  const kind = KINDS.get(from);
  if (kind === undefined || isRtf(bytes)) return { bytes, name };
  const ending = `.${kind.to}`;
  const current = `${name.slice(0, -from.length - 1)}${ending}`;
  if (isArchive(bytes)) return { bytes, name: current };
  const damaged = new ExtractionError(phrase('unreadable.not_converted', { name, ending }));
  // LibreOffice would read any other format under this name, such as HTML.
  if (!SIGNATURE.equals(bytes.subarray(0, SIGNATURE.length))) throw damaged;
  try {
    const converted = await convertWithLibreOffice(bytes, {
      from,
      ...kind,
      timeLimitMs: TIME_LIMIT_MS,
      memoryMb: PARSING_MEMORY_MB,
      ...(program ? { program } : {}),
    });
    return { bytes: new Uint8Array(converted), name: current };
  } catch (error) {
    if (!(error instanceof LibreOfficeMissing)) throw damaged;
    throw new ExtractionError(phrase('unreadable.needs_libre_office', { name, ending }));
  }
}
