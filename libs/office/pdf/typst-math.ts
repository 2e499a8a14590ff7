import type { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import { tex2typst } from 'tex2typst';
import type { Structure } from '#contracts/structure.js';

/** Maximum number of formulas to check one by one in acceptable time; further ones are shown as TeX. */
const MAX_FORMULAS = 2_000;
/** Characters that switch from math to Typst code or a comment; formulas never need them. */
const NO_MATH = /[#$"@]|\/\/|\/\*/;

/**
 * Converts a document's formulas to Typst math, by TeX. Formulas that Typst cannot set are omitted and shown
 * as TeX: each is compiled separately first, since one failure would fail the document.
 */
export function typstFormulas(structure: Structure, compiler: NodeCompiler): Map<string, string> {
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
