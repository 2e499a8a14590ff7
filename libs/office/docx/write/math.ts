import { unzipSync } from 'fflate';
import type { Math as OfficeMath } from 'docx';
import { replaceIllegalXmlChars } from './xml.js';

/** Office math (`m:oMath`) by TeX; without the formulas that Office math cannot express. */
export type Formulas = ReadonlyMap<string, string>;

/** Converts the formulas within `content`, which may be any part of a structure, to Office math. */
export async function officeMath(content: unknown): Promise<Formulas> {
  const sources = [...new Set(texOf(content))];
  // The math library is large, and most documents do not contain formulas.
  if (sources.length === 0) return new Map();
  const [{ Math }, { latexToMath }] = await Promise.all([import('docx'), import('docx/math')]);
  const formulas = new Map<string, OfficeMath>();
  for (const tex of sources) {
    try {
      formulas.set(tex, new Math({ children: [...latexToMath(replaceIllegalXmlChars(tex))] }));
    } catch {
      // The writer shows the source.
    }
  }
  return new Map(await write([...formulas]));
}

function* texOf(content: unknown): Generator<string> {
  if (typeof content !== 'object' || content === null) return;
  if ('type' in content && content.type === 'math' && 'tex' in content) yield String(content.tex);
  else for (const value of Object.values(content)) yield* texOf(value);
}

/** Writes formulas as XML; omits those nested so deeply that the library overflows the stack. */
async function write(formulas: [tex: string, math: OfficeMath][]): Promise<[tex: string, xml: string][]> {
  try {
    const xml = await paragraphs(formulas.map(([, math]) => math));
    return formulas.map(([tex], i) => [tex, xml[i] ?? '']);
  } catch {
    if (formulas.length === 1) return [];
    const half = Math.ceil(formulas.length / 2);
    return [...(await write(formulas.slice(0, half))), ...(await write(formulas.slice(half)))];
  }
}

/** Writes a document of one formula per paragraph; returns the content of the paragraphs. */
async function paragraphs(formulas: readonly OfficeMath[]): Promise<string[]> {
  const { Document, Packer, Paragraph } = await import('docx');
  const children = formulas.map((math) => new Paragraph({ children: [math] }));
  const bytes = await Packer.toBuffer(new Document({ sections: [{ children }] }));
  const files = unzipSync(bytes, { filter: ({ name }) => name === 'word/document.xml' });
  const parts = Buffer.from(files['word/document.xml'] ?? [])
    .toString('utf8')
    .split('<w:p>')
    .slice(1);
  return parts.map((part) => part.slice(0, part.indexOf('</w:p>')));
}
