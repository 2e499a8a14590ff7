import type { AssetResolver } from '../docx/write/write.js';
import type { Structure } from '../structure/schema.js';
import { libreOfficePdf, LibreOfficeMissing } from './libreoffice.js';
import { charactersWithoutGlyph } from './coverage.js';
import { fontFolders, typstPdf, type TypstOptions } from './typst.js';

export interface PdfInput {
  /** The document as `writeDocx` made it; LibreOffice's PDF looks like it. */
  docx: Uint8Array;
  structure: Structure;
  resolveAsset: AssetResolver;
}
export interface PdfOptions extends TypstOptions {
  /** 'auto' takes LibreOffice where it is installed and does not fail or take too long, else Typst. */
  engine?: 'auto' | 'libreoffice' | 'typst';
  /** Name or path of LibreOffice. Default `soffice`. */
  libreOffice?: string;
  /**
   * Time that may pass until LibreOffice is done. Default two minutes. It computes in processes of its own, so that nothing tells a busy
   * machine from one that hangs; with `auto` Typst sets the file then.
   */
  timeLimitMs?: number;
}
export interface Pdf {
  bytes: Uint8Array;
  engine: 'libreoffice' | 'typst';
  /** Why Typst set it although LibreOffice is installed; null when nothing failed. */
  failed: string | null;
  /** Characters of the text that no font of this machine can show: an empty box stands in their place. */
  unshown: string[];
}

/**
 * Writes a document as PDF, with tags, an outline and the fonts of this machine.
 *
 * @throws Error when the engine fails; with `engine: 'libreoffice'` also when LibreOffice is not installed
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
