import type { AssetResolver } from '../docx/write/write.js';
import type { Structure } from '#contracts/structure.js';
import { libreOfficePdf, LibreOfficeMissing } from './libreoffice.js';
import { charactersWithoutGlyph } from './coverage.js';
import { fontFolders, typstPdf, type TypstOptions } from './typst.js';

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
