import type { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { prepareAssets, type AssetResolver } from '../docx/write/assets.js';
import { settingsOf, type DocxOptions } from '../docx/write/options.js';
import type { PdfStandard } from '#contracts/file-kinds.js';
import { NativePackageError } from '../native-package.js';
import { PdfStandardError } from './pdf-standard.js';
import type { Structure } from '#contracts/structure.js';
import { typstImages, typstSource } from './typst-source.js';
import { isLong, longPdf } from './typst-long.js';
import { tex2typst } from 'tex2typst';

export type TypstOptions = Pick<
  DocxOptions,
  | 'title'
  | 'subtitle'
  | 'author'
  | 'language'
  | 'toc'
  | 'listOfFigures'
  | 'tocFromHeadings'
  | 'numberSections'
  | 'chaptersOnNewPages'
  | 'cover'
  | 'pageSize'
  | 'book'
  | 'codeColors'
  | 'lineNumbers'
> & {
  /** Additional folders with fonts. */
  fontPaths?: string[];
  /** Characters of source per part of a long document. */
  partSize?: number;
  /** Standard that the file keeps. Such a document is not set in parts, which takes more time and memory. */
  standard?: PdfStandard;
};

/** Maximum number of stated reasons. */
const MAX_REASONS = 5;

const SYSTEM_FONTS = [
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  join(homedir(), '.local/share/fonts'),
  join(homedir(), '.fonts'),
  '/System/Library/Fonts',
  '/Library/Fonts',
  join(homedir(), 'Library/Fonts'),
  'C:\\Windows\\Fonts',
];

/** Returns the existing system font folders, plus the caller's. */
export function fontFolders(more: readonly string[] = []): string[] {
  return [...SYSTEM_FONTS, ...more].filter((path) => existsSync(path));
}

/**
 * Loads Typst on first use: if its native package is missing, everything else works.
 *
 * @param feature feature that needs it, as the subject of a sentence
 * @throws NativePackageError
 */
export const loadTypst = (feature: string) =>
  import('@myriaddreamin/typst-ts-node-compiler').catch((error: unknown) => {
    throw new NativePackageError(feature, '@myriaddreamin/typst-ts-node-compiler', error);
  });

/**
 * Sets a document with Typst, which comes from npm and needs no installation.
 *
 * @throws NativePackageError; PdfStandardError if the document cannot keep the wanted standard
 */
export async function typstPdf(
  structure: Structure,
  resolve: AssetResolver,
  options: TypstOptions,
): Promise<Uint8Array> {
  const { NodeCompiler } = await loadTypst('A PDF');
  const assets = await prepareAssets(
    structure.assets.map((asset) => asset.ref),
    resolve,
  );
  const compiler = NodeCompiler.create({
    workspace: '/',
    fontArgs: [{ fontPaths: fontFolders(options.fontPaths) }],
  });
  const parts = { images: typstImages(assets, compiler), formulas: typstFormulas(structure, compiler) };
  const settings = settingsOf(structure, options);
  const source = typstSource(structure, settings, parts);
  const { standard } = options;
  if (standard) return standardPdf(compiler, source, standard);
  // The pages of an index are known only where the whole book is set.
  if (options.book?.index || !isLong(settings, source, options.partSize))
    return compiler.pdf(compiled(compiler, source));
  const typesetter = {
    set(part: string) {
      // Passed as source each time: a compiled document would stay in memory until JavaScript's garbage
      // collector, which does not know its size, frees it.
      const by = { mainFileContent: part };
      const places: unknown = compiler.query(by, { selector: '<scriptorium-places>', field: 'value' });
      const bytes = compiler.pdf(by);
      compiler.evictCache(0);
      return { bytes, places };
    },
  };
  return longPdf(typesetter, structure, settings, parts, options.partSize);
}

function standardPdf(compiler: NodeCompiler, source: string, pdfStandard: PdfStandard): Uint8Array {
  const document = compiled(compiler, source);
  try {
    return compiler.pdf(document, { pdfStandard });
  } catch (error) {
    const found = String(error).matchAll(/message: "PDF\/\S+ error: ((?:[^"\\]|\\.)*)"/g);
    const reasons = [...new Set([...found].map(([, reason]) => reason!.replace(/\\(.)/g, '$1')))];
    if (reasons.length === 0) throw error;
    throw new PdfStandardError(reasons.slice(0, MAX_REASONS));
  }
}

function compiled(compiler: NodeCompiler, mainFileContent: string) {
  const result = compiler.compile({ mainFileContent });
  if (result.result) return result.result;
  const [first] = compiler.fetchDiagnostics(result.takeDiagnostics() ?? fail('no diagnostics')) as {
    message?: string;
  }[];
  return fail(first?.message ?? 'unknown error');
}

function fail(reason: string): never {
  throw new Error(`Typst could not typeset the document: ${reason}`);
}

/** Maximum number of formulas to check one by one in acceptable time; further ones are shown as TeX. */
const MAX_FORMULAS = 2_000;
/** Characters that switch from math to Typst code or a comment; formulas never need them. */
const NO_MATH = /[#$"@]|\/\/|\/\*/;

/**
 * Converts a document's formulas to Typst math, by TeX. Formulas that Typst cannot set are omitted and shown
 * as TeX: each is compiled separately first, since one failure would fail the document.
 */
function typstFormulas(structure: Structure, compiler: NodeCompiler): Map<string, string> {
  const formulas = new Map<string, string>();
  for (const tex of [...new Set(texOf(JSON.stringify([structure.blocks, structure.notes])))].slice(
    0,
    MAX_FORMULAS,
  )) {
    const math = typstMath(tex);
    if (math !== null && compiler.compile({ mainFileContent: `$ ${math} $` }).result) formulas.set(tex, math);
  }
  return formulas;
}

function texOf(json: string): string[] {
  return [...json.matchAll(/"type":"math","tex":("(?:[^"\\]|\\.)*")/g)].map(
    ([, tex = '""']) => JSON.parse(tex) as string,
  );
}

/** Converts TeX to Typst math; null if Typst cannot express it or the result is more than math. */
export function typstMath(tex: string): string | null {
  try {
    const math = tex2typst(tex);
    // Quoted text is literal, so its content is harmless.
    const marks = math.replace(/"(?:[^"\\]|\\.)*"/g, '');
    return NO_MATH.test(marks) ? null : math;
  } catch {
    return null;
  }
}
