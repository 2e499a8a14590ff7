import { oneLine, singleSpaced } from '#contracts/text.js';
import { loweredText, raisedText } from '../raised.js';
import {
  type FormulaText,
  fraction,
  NotInTexError,
  root,
  texAccent,
  texDelimited,
  texFraction,
  texGroup,
  texMatrix,
  texName,
  texOperator,
  texOrNull,
  texRoot,
  texScripts,
  texSigns,
  texWords,
} from '../tex.js';
import { attribute, type Element, type Node, textOf } from './elements.js';

/** Deeper formulas are readText as plain text, because reading recurses and no one writes such formulas. */
const DEEPEST = 100;

/** Returns a MathML formula. */
export const formulaOf = (math: Element): FormulaText => ({
  tex: mathmlTex(math),
  plain: oneLine(readText(math, 0)),
});

function readText(node: Node, depth: number): string {
  if (node.nodeName === '#text') return (node as { value: string } & Node).value.trim();
  if (!('childNodes' in node) || NOT_SHOWN.has(node.nodeName)) return '';
  if (depth > DEEPEST) return textOf(node);
  const children = node.childNodes.filter(
    (child) => child.nodeName !== '#comment' && (child.nodeName !== '#text' || readText(child, depth) !== ''),
  );
  const part = (index: number) => (children[index] ? readText(children[index], depth + 1) : '');
  const parts = () => children.map((child) => readText(child, depth + 1));
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
      return root(joined(parts(), ' '), '');
    case 'mroot':
      return root(part(0), raisedText(part(1)));
    case 'mtr':
    case 'mlabeledtr':
      return parts().join(', ');
    case 'mtable':
      return `(${parts().join('; ')})`;
    case 'mspace':
      return ' ';
    case 'mtext':
      return ` ${parts().join('')} `;
    default:
      return joined(parts(), ' ');
  }
}

/** Joins parts of a formula, of which two numbers side by side are not one. */
const joined = (parts: readonly string[], blank: string): string =>
  parts
    .filter((part) => part !== '')
    .map((part, at, shown) => (isDigit(shown[at - 1]?.at(-1)) && isDigit(part[0]) ? blank : '') + part)
    .join('');

const isDigit = (letter = ''): boolean => letter >= '0' && letter <= '9';

/** Parts that repeat the formula in another notation, or show nothing. */
const NOT_SHOWN = new Set(['annotation', 'annotation-xml', 'mphantom', '#comment']);
const BRACES_BELOW = new Set(['⏟', '︸']);
const BRACES_ABOVE = new Set(['⏞', '︷']);
const LINES = new Set(['_', '\u0332', '¯', '―', '‾', '\u00af']);

/** Returns a MathML formula as TeX; null if TeX does not express it. */
const mathmlTex = (math: Element): string | null => texOrNull(() => read(math, 0));

function childrenOf(node: Node): Node[] {
  if (!('childNodes' in node)) return [];
  return node.childNodes.filter(
    (child) => !NOT_SHOWN.has(child.nodeName) && (child.nodeName !== '#text' || textOf(child).trim() !== ''),
  );
}

function read(node: Node, depth: number): string {
  if (depth > DEEPEST) throw new NotInTexError();
  if (node.nodeName === '#text') return texSigns(textOf(node).trim());
  const children = childrenOf(node);
  const part = (index: number) => (children[index] ? read(children[index], depth + 1) : '');
  const all = () =>
    joined(
      children.map((child) => read(child, depth + 1)),
      '\\ ',
    );
  const words = () => textOf(node).trim();
  switch (node.nodeName) {
    case 'mi':
      return texName(words());
    case 'mn':
      return texSigns(words());
    case 'mo':
      return texOperatorOr(words());
    case 'mtext':
    case 'ms':
      return texWords(singleSpaced(textOf(node)));
    case 'mspace':
      return '\\ ';
    case 'mfrac':
      return attribute(node as Element, 'linethickness')?.startsWith('0')
        ? texMatrix([[part(0)], [part(1)]])
        : texFraction(part(0), part(1));
    case 'msup':
      return texScripts(texGroup(part(0)), '', part(1));
    case 'msub':
      return texScripts(texGroup(part(0)), part(1), '');
    case 'msubsup':
    case 'munderover':
      return scripts(children, depth, part(1), part(2));
    case 'munder':
      return below(children, depth);
    case 'mover':
      return above(children, depth);
    case 'mmultiscripts':
      return multiscripts(children, depth);
    case 'msqrt':
      return texRoot(all(), '');
    case 'mroot':
      return texRoot(part(0), part(1));
    case 'mfenced':
      return fenced(node as Element, children, depth);
    case 'mtable':
      return texMatrix(children.map((row) => childrenOf(row).map((cell) => read(cell, depth + 1))));
    case 'menclose':
      return attribute(node as Element, 'notation') === 'box' ? `\\boxed{${all()}}` : unknown();
    case 'maction':
    case 'semantics':
      return part(0);
    default:
      return all();
  }
}

function fenced(node: Element, children: readonly Node[], depth: number): string {
  const parts = children.map((child) => read(child, depth + 1));
  const separator = (attribute(node, 'separators') ?? ',').trim().slice(0, 1);
  return texDelimited(attribute(node, 'open') ?? '(', attribute(node, 'close') ?? ')', parts, separator);
}

function unknown(): never {
  throw new NotInTexError();
}

const texOperatorOr = (sign: string) => {
  const command = texOperator(sign);
  return command === null ? (/^\p{L}{2,}$/u.test(sign) ? texName(sign) : texSigns(sign)) : `${command} `;
};

/** Returns a base with scripts, which are the bounds of a large operator or a limit. */
function scripts(children: readonly Node[], depth: number, below: string, above: string): string {
  const [base] = children;
  const sign = base ? textOf(base).trim() : '';
  const text = base ? read(base, depth + 1) : '';
  const isBare = texOperator(sign) !== null || text.startsWith('\\');
  return texScripts(isBare && !text.includes('{') ? text.trim() : texGroup(text), below, above);
}

function below(children: readonly Node[], depth: number): string {
  const [base, mark] = children;
  if (!base || !mark) return unknown();
  const sign = textOf(mark).trim();
  const text = read(base, depth + 1);
  if (BRACES_BELOW.has(sign)) return `\\underbrace{${text}}`;
  if (LINES.has(sign)) return `\\underline{${text}}`;
  if (isBounded(base)) return scripts(children, depth, read(mark, depth + 1), '');
  return `\\underset{${read(mark, depth + 1)}}{${text}}`;
}

function above(children: readonly Node[], depth: number): string {
  const [base, mark] = children;
  if (!base || !mark) return unknown();
  const sign = textOf(mark).trim();
  const text = read(base, depth + 1);
  if (BRACES_ABOVE.has(sign)) return `\\overbrace{${text}}`;
  const accent = LINES.has(sign) ? `\\overline{${text}}` : texAccent(sign, text);
  if (accent !== null) return accent;
  if (isBounded(base)) return scripts(children, depth, '', read(mark, depth + 1));
  return `\\overset{${read(mark, depth + 1)}}{${text}}`;
}

/** Returns whether the parts below and above a base are its bounds, as in a sum or a limit. */
const isBounded = (base: Node) => {
  const sign = textOf(base).trim();
  return texOperator(sign) !== null || /^(?:lim|max|min|sup|inf|limsup|liminf)$/.test(sign);
};

/** Writes scripts before and after a base. */
function multiscripts([base, ...marks]: readonly Node[], depth: number): string {
  const split = marks.findIndex(({ nodeName }) => nodeName === 'mprescripts');
  const pairs = (nodes: readonly Node[]) => {
    const texts = nodes.map((node) => (node.nodeName === 'none' ? '' : read(node, depth + 1)));
    const of = (offset: number) =>
      texts
        .filter((_, index) => index % 2 === offset)
        .join(' ')
        .trim();
    return [of(0), of(1)] as const;
  };
  const behind = pairs(split < 0 ? marks : marks.slice(0, split));
  const before = pairs(split < 0 ? [] : marks.slice(split + 1));
  const text = base ? texGroup(read(base, depth + 1)) : '';
  const prefix = before.every((each) => each === '') ? '' : texScripts('', ...before);
  return prefix + texScripts(text, ...behind);
}
