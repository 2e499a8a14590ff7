import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { prepareAssets, type AssetResolver } from '../docx/write/assets.js';
import { settingsOf, type DocxOptions } from '../docx/write/options.js';
import type { Structure } from '../structure/schema.js';
import { typstImages } from './typst-images.js';
import { typstFormulas } from './typst-math.js';
import { typstSource } from './typst-source.js';

export type TypstOptions = Pick<
  DocxOptions,
  | 'title'
  | 'subtitle'
  | 'author'
  | 'language'
  | 'toc'
  | 'numberSections'
  | 'chaptersOnNewPages'
  | 'cover'
  | 'pageSize'
> & {
  /** More folders with fonts, beside the system's. */
  fontPaths?: string[];
};

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

/** Folders of this machine's fonts, and more of the caller's. */
export function fontFolders(more: readonly string[] = []): string[] {
  return [...SYSTEM_FONTS, ...more].filter((path) => existsSync(path));
}

/** Sets a document with Typst, which comes with npm and needs nothing installed. */
export async function typstPdf(
  structure: Structure,
  resolve: AssetResolver,
  options: TypstOptions,
): Promise<Uint8Array> {
  const assets = await prepareAssets(
    structure.assets.map((asset) => asset.ref),
    resolve,
  );
  const compiler = NodeCompiler.create({
    workspace: '/',
    fontArgs: [{ fontPaths: fontFolders(options.fontPaths) }],
  });
  const parts = { images: typstImages(assets, compiler), formulas: typstFormulas(structure, compiler) };
  const source = typstSource(structure, settingsOf(structure, options), parts);
  const result = compiler.compile({ mainFileContent: source });
  if (!result.result) {
    const [first] = compiler.fetchDiagnostics(result.takeDiagnostics() ?? fail('no diagnostics')) as {
      message?: string;
    }[];
    fail(first?.message ?? 'unknown error');
  }
  return compiler.pdf(result.result);
}

function fail(reason: string): never {
  throw new Error(`Typst could not set the document: ${reason}`);
}
