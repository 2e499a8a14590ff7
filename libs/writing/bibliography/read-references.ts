import { readBibtex } from './bibtex.js';
import { readCslJson } from './csl-json.js';
import type { ReferenceEntry } from './entry.js';

/** Reads a bibliography in BibTeX, BibLaTeX or CSL-JSON, which its first character tells apart. @returns null for a text in another form */
export function readReferences(text: string): ReferenceEntry[] | null {
  const source = text.replace(/^\ufeff/, '').trimStart();
  if (!/^[[{]/.test(source)) {
    const entries = readBibtex(source);
    return entries.length > 0 ? entries : null;
  }
  try {
    return readCslJson(source);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

/** Returns whether a text is a citation style file (CSL), which is XML. */
export const isCslStyle = (text: string): boolean =>
  /^\s*(?:<\?xml[^>]{0,200}>\s*)?<style\s/.test(text.replace(/^\ufeff/, '').slice(0, 2_000));
