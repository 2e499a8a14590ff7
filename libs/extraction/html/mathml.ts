import { fraction, root, type FormulaText } from '../formula.js';
import { loweredText, raisedText } from '../raised.js';
import { mathmlTex } from './mathml-tex.js';
import { textOf, type Element, type Node } from './elements.js';

/** Parts that repeat the formula in another notation. */
const NOT_SHOWN = new Set(['annotation', 'annotation-xml', 'mphantom']);
/** Deeper formulas are read as plain text, because reading recurses and no one writes such formulas. */
const DEEPEST = 100;

/** Returns a MathML formula. */
export const formulaOf = (math: Element): FormulaText => ({
  tex: mathmlTex(math),
  plain: read(math, 0).replace(/\s+/g, ' ').trim(),
});

function read(node: Node, depth: number): string {
  if (node.nodeName === '#text') return (node as { value: string } & Node).value.trim();
  if (!('childNodes' in node) || NOT_SHOWN.has(node.nodeName)) return '';
  if (depth > DEEPEST) return textOf(node);
  const children = node.childNodes.filter(
    (child) => child.nodeName !== '#comment' && (child.nodeName !== '#text' || read(child, depth) !== ''),
  );
  const part = (index: number) => (children[index] ? read(children[index], depth + 1) : '');
  const all = (separator = '') => children.map((child) => read(child, depth + 1)).join(separator);
  switch (node.nodeName) {
    case 'mfrac':
      return fraction(part(0), part(1));
    case 'msup':
      return part(0) + raisedText(part(1));
    case 'msub':
      return part(0) + loweredText(part(1));
    case 'msubsup':
    case 'munderover':
      return part(0) + loweredText(part(1)) + raisedText(part(2));
    case 'munder':
      return part(0) + loweredText(part(1));
    case 'mover':
      return part(0) + raisedText(part(1));
    case 'msqrt':
      return root(all(), '');
    case 'mroot':
      return root(part(0), raisedText(part(1)));
    case 'mtr':
    case 'mlabeledtr':
      return all(', ');
    case 'mtable':
      return `(${all('; ')})`;
    case 'mspace':
      return ' ';
    case 'mtext':
      return ` ${all()} `;
    default:
      return all();
  }
}
