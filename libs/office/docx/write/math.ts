import { createRequire } from 'node:module';
import type { IContext } from 'docx';
import { escapeAttribute, escapeText } from './xml.js';

const require = createRequire(import.meta.url);

/** Loads the math library on first use: it is large, and most documents have no formulas. */
const library = () => ({
  ...(require('docx') as typeof import('docx')),
  ...(require('docx/math') as typeof import('docx/math')),
});

/**
 * Converts TeX to Office math (`m:oMath`).
 *
 * @returns null if Office math does not support a command in the TeX; the writer then shows the source
 */
export function officeMath(tex: string): string | null {
  try {
    const { latexToMath, Math: OfficeMath } = library();
    const math = new OfficeMath({ children: [...latexToMath(tex)] });
    // Math has no relationships, so this needs no document.
    const xml = math.prepForXml({ stack: [] } as Partial<IContext> as IContext);
    return xml ? elementXml(xml as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Converts the library's object form of XML: `{ name: [ { _attr: {…} }, child, 'text' ] }`. */
function elementXml(element: Record<string, unknown>): string {
  let xml = '';
  for (const [name, value] of Object.entries(element)) {
    const children = Array.isArray(value) ? (value as unknown[]) : [value];
    let attributes = '';
    let content = '';
    for (const child of children) {
      if (typeof child === 'string' || typeof child === 'number') content += escapeText(String(child));
      else if (child && typeof child === 'object') {
        const { _attr, ...rest } = child as { _attr?: Record<string, unknown> };
        for (const [key, entry] of Object.entries(_attr ?? {}))
          attributes += ` ${key}="${escapeAttribute(String(entry))}"`;
        content += elementXml(rest);
      }
    }
    xml += `<${name}${attributes}>${content}</${name}>`;
  }
  return xml;
}
