import type { AssetResolver } from '../docx/write/write.js';
import { convertWithLibreOffice, LibreOfficeMissing } from '../libre-office.js';
import type { Structure } from '#contracts/structure.js';
import { fontFolders, typstPdf, type TypstOptions } from './typst.js';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Font } from 'fontkit';
import { createHash } from 'node:crypto';

export interface PdfInput {
  /** Document written by `writeDocx`; LibreOffice's PDF looks like it. */
  docx: Uint8Array;
  structure: Structure;
  resolveAsset: AssetResolver;
}
export interface PdfOptions extends TypstOptions {
  /** 'auto' uses LibreOffice if it is installed and succeeds within the time limit, else Typst. */
  engine?: 'auto' | 'libreoffice' | 'typst';
  /** Name or path of LibreOffice. Default `soffice`. */
  libreOffice?: string;
  /**
   * Time limit for LibreOffice in ms, two minutes by default. It runs in separate processes, so a busy
   * machine cannot be distinguished from a hanging one; with `auto`, Typst sets the file after the limit.
   */
  timeLimitMs?: number;
}
export interface Pdf {
  bytes: Uint8Array;
  engine: 'libreoffice' | 'typst';
  /** Reason why LibreOffice failed although it is installed; null if it did not fail. */
  failed: string | null;
  /** Characters of the text without a glyph in any font of this machine: shown as empty boxes. */
  unshown: string[];
}

/**
 * Writes a document as PDF, with tags, an outline and the fonts of this machine.
 *
 * @throws Error if the engine fails, or if `engine: 'libreoffice'` is set and LibreOffice is not installed
 */
export async function writePdf(input: PdfInput, options: PdfOptions = {}): Promise<Pdf> {
  const { blocks, notes } = input.structure;
  const unshown = await charactersWithoutGlyph(
    JSON.stringify([blocks, notes]),
    fontFolders(options.fontPaths),
  );
  return { ...(await setPdf(input, options)), unshown };
}

async function setPdf(input: PdfInput, options: PdfOptions): Promise<Omit<Pdf, 'unshown'>> {
  const { engine = 'auto', libreOffice = 'soffice', timeLimitMs = 120_000 } = options;
  let failed: string | null = null;
  if (engine !== 'typst') {
    try {
      return {
        bytes: await libreOfficePdf(input.docx, timeLimitMs, libreOffice),
        engine: 'libreoffice',
        failed: null,
      };
    } catch (error) {
      if (engine === 'libreoffice') throw error;
      if (!(error instanceof LibreOfficeMissing))
        failed = error instanceof Error ? error.message : String(error);
    }
  }
  return { bytes: await typstPdf(input.structure, input.resolveAsset, options), engine: 'typst', failed };
}

const FONT_FILE = /\.(ttf|otf|ttc|otc)$/i;
/** Letters contained in every text font, and characters without a visible glyph. */
const EVERYWHERE = /[\u0000-\u024F\u2010-\u2026\u20AC\p{Cf}\p{Cc}\p{Z}\p{M}\uFE00-\uFE0F]/gu;

/**
 * Returns the characters of a text for which no font in these folders has a glyph: a PDF with those fonts
 * would show empty boxes. Opens fonts one by one until every character is found.
 *
 * @returns each character once, in order of first occurrence
 */
async function charactersWithoutGlyph(text: string, folders: readonly string[]): Promise<string[]> {
  const open = new Set(text.replace(EVERYWHERE, ''));
  if (open.size === 0) return [];
  for (const folder of folders)
    for (const path of await fontFiles(folder)) {
      for (const font of await fontsIn(path))
        for (const char of open) if (font.hasGlyphForCodePoint(char.codePointAt(0) ?? 0)) open.delete(char);
      if (open.size === 0) return [];
    }
  return [...open];
}

async function fontFiles(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder, { recursive: true });
    return names.filter((name) => FONT_FILE.test(name)).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Opens the fonts of a file or collection. Returns none if it is unreadable, as typesetters skip it too. */
async function fontsIn(path: string): Promise<Font[]> {
  const { open } = await import('fontkit');
  try {
    const font = await open(path);
    return 'fonts' in font ? font.fonts : [font];
  } catch {
    return [];
  }
}

/** Export options: tags for screen readers, an outline of headings, the document's title in the window. */
const FILTER = {
  UseTaggedPDF: { type: 'boolean', value: 'true' },
  ExportBookmarks: { type: 'boolean', value: 'true' },
  DisplayPDFDocumentTitle: { type: 'boolean', value: 'true' },
  EmbedStandardFonts: { type: 'boolean', value: 'true' },
};

/** Converts a DOCX to PDF. */
async function libreOfficePdf(docx: Uint8Array, timeLimitMs: number, program: string): Promise<Uint8Array> {
  const filter = `writer_pdf_Export:${JSON.stringify(FILTER)}`;
  const conversion = { from: 'docx', to: 'pdf', filter, timeLimitMs, program };
  return withoutClock(await convertWithLibreOffice(docx, conversion), docx);
}

/** Replaces the date of the PDF and its IDs, which contain it, so that equal input gives equal bytes. */
function withoutClock(pdf: Buffer, docx: Uint8Array): Uint8Array {
  const id = createHash('sha256').update(docx).digest('hex').slice(0, 32).toUpperCase();
  // Texts of the same length: the PDF lists the positions of its objects.
  const fixed = pdf
    .toString('latin1')
    .replace(/\/CreationDate\(D:\d{14}/, '/CreationDate(D:20000101000000')
    .replace(/\/ID \[ <[0-9A-F]{32}>\n<[0-9A-F]{32}>/, `/ID [ <${id}>\n<${id}>`)
    .replace(/\/DocChecksum \/[0-9A-F]{32}/, `/DocChecksum /${id}`);
  return Buffer.from(fixed, 'latin1');
}
