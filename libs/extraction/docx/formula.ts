import { oneLine } from '#contracts/text.js';
import { loweredText, raisedText } from '../raised.js';
import {
  type FormulaText,
  fraction,
  NotInTexError,
  root,
  texAccent,
  texDelimited,
  texFraction,
  texFunction,
  texGroup,
  texLines,
  texMatrix,
  texOperator,
  texOrNull,
  texRoot,
  texScripts,
  texSigns,
  texWords,
} from '../tex.js';
import { isSymbol, wordSymbol } from '../symbols.js';
import type { Attributes } from '../xml.js';

/** Deeper formulas are read without their structure, because reading recurses and no one writes such formulas. */
const DEEPEST = 100;

/** Collects one formula (`m:oMath`) of a Word file. */
export class FormulaReader {
  private readonly open: FormulaNode[] = [];

  /** Whether a formula is open. Its elements and words must be passed to this reader. */
  get isReading(): boolean {
    return this.open.length > 0;
  }

  begin(name: string, attributes: Attributes): void {
    const text = isSymbol(name) ? wordSymbol(name, attributes) : '';
    const node: FormulaNode = { name, value: attributes['m:val'], text, children: [] };
    this.open.at(-1)?.children.push(node);
    this.open.push(node);
  }

  words(text: string): void {
    const node = this.open.at(-1);
    if (node?.name === 'm:t' || node?.name === 'w:t') node.text += text;
  }

  /** @returns the formula when its last element ends, else null */
  end(): FormulaText | null {
    const node = this.open.pop();
    if (!node || this.open.length > 0) return null;
    return { tex: formulaTex(node), plain: oneLine(textOf(node, 0)) };
  }
}

function textOf(node: FormulaNode, depth: number): string {
  if (node.name.endsWith('Pr')) return '';
  const inner = (from: FormulaNode) => from.children.map((child) => textOf(child, depth + 1)).join('');
  if (depth > DEEPEST) return node.text;
  const part = (name: string) => {
    const child = node.children.find((each) => each.name === name);
    return child ? inner(child).trim() : '';
  };
  const property = (name: string) =>
    node.children.find((each) => each.name.endsWith('Pr'))?.children.find((each) => each.name === name)
      ?.value;
  switch (node.name) {
    case 'm:f':
      return fraction(part('m:num'), part('m:den'));
    case 'm:sSup':
      return part('m:e') + raisedText(part('m:sup'));
    case 'm:sSub':
      return part('m:e') + loweredText(part('m:sub'));
    case 'm:sSubSup':
      return part('m:e') + loweredText(part('m:sub')) + raisedText(part('m:sup'));
    case 'm:sPre':
      return raisedText(part('m:sup')) + loweredText(part('m:sub')) + part('m:e');
    case 'm:rad':
      return root(part('m:e'), part('m:deg') === '' ? '' : raisedText(part('m:deg')));
    case 'm:nary':
      return `${property('m:chr') ?? '∫'}${loweredText(part('m:sub'))}${raisedText(part('m:sup'))} ${part('m:e')}`;
    case 'm:limLow':
      return part('m:e') + loweredText(part('m:lim'));
    case 'm:limUpp':
      return part('m:e') + raisedText(part('m:lim'));
    case 'm:func':
      return `${part('m:fName')} ${part('m:e')}`;
    case 'm:d': {
      const terms = node.children.filter(({ name }) => name === 'm:e').map((each) => inner(each).trim());
      return (
        (property('m:begChr') ?? '(') +
        terms.join(property('m:sepChr') ?? '|') +
        (property('m:endChr') ?? ')')
      );
    }
    case 'm:m':
      return `(${node.children
        .filter(({ name }) => name === 'm:mr')
        .map(rowText(inner))
        .join('; ')})`;
    case 'm:eqArr':
      return node.children
        .filter(({ name }) => name === 'm:e')
        .map((each) => inner(each).trim())
        .join('; ');
    default:
      return node.text + inner(node);
  }
}

const rowText =
  (inner: (node: FormulaNode) => string) =>
  ({ children }: FormulaNode): string =>
    children
      .filter(({ name }) => name === 'm:e')
      .map((cell) => inner(cell).trim())
      .join(', ');

/** An element of a formula. */
interface FormulaNode {
  name: string;
  value: string | undefined;
  text: string;
  children: FormulaNode[];
}

const LIMITS = /^(?:lim|max|min|sup|inf|limsup|liminf)$/;

/** Returns a formula of Word as TeX; null if TeX does not express it. */
const formulaTex = (formula: FormulaNode): string | null => texOrNull(() => new TexWriter().inner(formula));

const isProperties = ({ name }: FormulaNode) => name.endsWith('Pr');
const childOf = (node: FormulaNode, name: string) => node.children.find((child) => child.name === name);
const wordsOf = (node: FormulaNode | undefined, depth = 0): string =>
  node === undefined || isProperties(node) || depth > DEEPEST
    ? ''
    : node.text + node.children.map((child) => wordsOf(child, depth + 1)).join('');

/** Returns a property of a part of a formula; undefined if the file does not say it. */
function propertyOf(node: FormulaNode, name: string): string | undefined {
  const property = node.children.find(isProperties)?.children.find((child) => child.name === name);
  return property && (property.value ?? '');
}

class TexWriter {
  private depth = 0;

  /** Returns the content of a part. @throws NotInTexError */
  inner(node: FormulaNode | undefined): string {
    if (node === undefined) return '';
    if (++this.depth > DEEPEST) throw new NotInTexError();
    const tex = node.children.map((child) => this.tex(child)).join('');
    this.depth--;
    return tex.trim();
  }

  private tex(node: FormulaNode): string {
    if (isProperties(node)) return '';
    const part = (name: string) => this.inner(childOf(node, name));
    switch (node.name) {
      case 'm:r':
        return run(node);
      case 'm:f':
        return this.fraction(node);
      case 'm:sSup':
        return texScripts(texGroup(part('m:e')), '', part('m:sup'));
      case 'm:sSub':
        return texScripts(texGroup(part('m:e')), part('m:sub'), '');
      case 'm:sSubSup':
        return texScripts(texGroup(part('m:e')), part('m:sub'), part('m:sup'));
      case 'm:sPre':
        return texScripts('', part('m:sub'), part('m:sup')) + texGroup(part('m:e'));
      case 'm:rad':
        return texRoot(part('m:e'), part('m:deg'));
      case 'm:nary':
        return this.large(node);
      case 'm:limLow':
        return limit(wordsOf(childOf(node, 'm:e')), part('m:e'), part('m:lim'), 'underset');
      case 'm:limUpp':
        return limit(wordsOf(childOf(node, 'm:e')), part('m:e'), part('m:lim'), 'overset');
      case 'm:func':
        return this.applied(node);
      case 'm:acc':
        return accent(propertyOf(node, 'm:chr') ?? '\u0302', part('m:e'));
      case 'm:bar':
        return `\\${propertyOf(node, 'm:pos') === 'top' ? 'overline' : 'underline'}{${part('m:e')}}`;
      case 'm:groupChr':
        return this.grouping(node);
      case 'm:borderBox':
        return `\\boxed{${part('m:e')}}`;
      case 'm:d':
        return this.delimited(node);
      case 'm:m':
        return this.matrix(node);
      case 'm:eqArr':
        return texLines(this.parts(node));
      default:
        return this.inner(node);
    }
  }

  private parts(node: FormulaNode): string[] {
    return node.children.filter(({ name }) => name === 'm:e').map((each) => this.inner(each));
  }

  private matrix(node: FormulaNode): string {
    return texMatrix(node.children.filter(({ name }) => name === 'm:mr').map((row) => this.parts(row)));
  }

  private fraction(node: FormulaNode): string {
    const [above, below] = [this.inner(childOf(node, 'm:num')), this.inner(childOf(node, 'm:den'))];
    const type = propertyOf(node, 'm:type');
    if (type === 'noBar') return texMatrix([[above], [below]]);
    return type === 'lin' ? `${texGroup(above)}/${texGroup(below)}` : texFraction(above, below);
  }

  private large(node: FormulaNode): string {
    const sign = propertyOf(node, 'm:chr') ?? '∫';
    const operator = texOperator(sign) ?? texGroup(texSigns(sign));
    const [below, above] = [this.inner(childOf(node, 'm:sub')), this.inner(childOf(node, 'm:sup'))];
    return `${texScripts(operator, below, above)}{${this.inner(childOf(node, 'm:e'))}}`;
  }

  private applied(node: FormulaNode): string {
    const name = childOf(node, 'm:fName');
    const words = wordsOf(name).trim();
    const argument = this.inner(childOf(node, 'm:e'));
    if (
      /^\p{L}+$/u.test(words) &&
      !name?.children.some((child) => child.name !== 'm:r' && !isProperties(child))
    )
      return texFunction(words, argument);
    return `${this.inner(name)} ${texGroup(argument)}`;
  }

  private grouping(node: FormulaNode): string {
    const sign = propertyOf(node, 'm:chr') ?? '⏟';
    const content = this.inner(childOf(node, 'm:e'));
    if (sign === '⏟') return `\\underbrace{${content}}`;
    if (sign === '⏞') return `\\overbrace{${content}}`;
    const command = propertyOf(node, 'm:pos') === 'top' ? 'overset' : 'underset';
    return `\\${command}{${texSigns(sign)}}{${content}}`;
  }

  private delimited(node: FormulaNode): string {
    const open = propertyOf(node, 'm:begChr') ?? '(';
    const close = propertyOf(node, 'm:endChr') ?? ')';
    return texDelimited(open, close, this.parts(node), propertyOf(node, 'm:sepChr') ?? '|');
  }
}

/** Converts a run of letters and signs; plain text becomes words. */
function run(node: FormulaNode): string {
  const text = node.children
    .filter((child) => !isProperties(child))
    .map(({ text: words }) => words)
    .join('');
  const properties = node.children.find(({ name }) => name === 'm:rPr');
  const isPlain = properties?.children.some(({ name, value }) => name === 'm:nor' && value !== '0');
  if (isPlain) return texWords(text);
  // Such a sign only aligns lines below each other.
  return texSigns(text.replaceAll(' ', '\u00a0'));
}

function accent(sign: string, base: string): string {
  const tex = texAccent(sign, base);
  if (tex === null) throw new NotInTexError();
  return tex;
}

function limit(name: string, base: string, bound: string, command: 'underset' | 'overset'): string {
  if (command === 'underset' && LIMITS.test(name.trim())) return `\\${name.trim()}_{${bound}}`;
  return `\\${command}{${bound}}{${base}}`;
}
