import { pdfFile } from './sample-files.js';

/** Element of a structure tree: its role, and texts or further elements. */
export type Element = [role: string, ...children: (string | Element)[]];

const FIRST = 9;
const STEP = 20;

/**
 * Returns a page with a structure tree. The texts are drawn below each other.
 *
 * @param order numbers of the texts from top to bottom; by default, the order of the tree
 * @param untagged operators of further text
 */
export function taggedPdf(
  elements: readonly Element[],
  order?: readonly number[],
  untagged = '',
): Uint8Array {
  const texts: string[] = [];
  /** Labels, which are on the line of the next text. */
  const labels = new Set<number>();
  const parents: number[] = [];
  const objects: string[] = [];
  const add = ([role, ...children]: Element, parent: number): number => {
    const at = objects.push('') - 1;
    const kids = children.map((child) => {
      if (typeof child !== 'string') return `${add(child, at + FIRST)} 0 R`;
      parents.push(at + FIRST);
      if (role === 'Lbl') labels.add(texts.length);
      return String(texts.push(child) - 1);
    });
    objects[at] = `<< /Type /StructElem /S /${role} /P ${parent} 0 R /Pg 3 0 R /K [${kids.join(' ')}] >>`;
    return at + FIRST;
  };
  objects.push('', '');
  const kids = elements.map((element) => `${add(element, FIRST)} 0 R`);
  objects[0] = `<< /Type /StructTreeRoot /K [${kids.join(' ')}] /ParentTree ${FIRST + 1} 0 R >>`;
  objects[1] = `<< /Nums [0 [${parents.map((parent) => `${parent} 0 R`).join(' ')}]] >>`;
  const places = order ?? texts.map((_, at) => at);
  const drawn = texts.map((text, at) => {
    const isLabel = labels.has(at);
    const y = 740 - STEP * places.indexOf(isLabel ? at + 1 : at);
    return `/Span << /MCID ${at} >> BDC 1 0 0 1 ${isLabel ? 35 : 50} ${y} Tm (${text}) Tj EMC`;
  });
  const catalog = `/MarkInfo << /Marked true >> /StructTreeRoot ${FIRST} 0 R`;
  return pdfFile([...drawn, untagged].join(' '), { catalog, page: '/StructParents 0', objects });
}
