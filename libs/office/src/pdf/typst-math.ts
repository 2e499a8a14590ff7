import type { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import { tex2typst } from 'tex2typst';
import type { Structure } from '../structure/schema.js';

/** More formulas than this are tried one by one for too long; the rest shows as TeX. */
const MOST_FORMULAS = 2_000;
/** What leaves math for Typst's own language, or for a comment; a formula never needs it. */
const NO_MATH = /[#$"@]|\/\/|\/\*/;

/**
 * The formulas of a document as Typst's math, by their TeX. One that Typst cannot set is left out, and stands as TeX in the document: each is
 * set by itself first, since one that fails would fail the document.
 */
export function typstFormulas(structure: Structure, compiler: NodeCompiler): Map<string, string> {
  const formulas = new Map<string, string>();
  for (const tex of [...new Set(texOf(JSON.stringify([structure.blocks, structure.notes])))].slice(
    0,
    MOST_FORMULAS,
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

/** Null where the TeX says what Typst has no math for, or more than math. */
export function typstMath(tex: string): string | null {
  try {
    const math = tex2typst(tex);
    // Words in quotes are words; whatever they hold means nothing.
    const marks = math.replace(/"(?:[^"\\]|\\.)*"/g, '');
    return NO_MATH.test(marks) ? null : math;
  } catch {
    return null;
  }
}
