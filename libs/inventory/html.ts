import { oneLine, splitAtSpaces } from '#contracts/text.js';
import { type AnyNode, Element, type ParentNode, Text } from 'domhandler';
import { parseDocument } from 'htmlparser2';
import { type Alternative, type Piece, type PieceList, withShifted } from './piece.js';

/** Elements with text that browsers do not show. */
const UNSEEN = new Set('script style title template noscript rp datalist noframes'.split(' '));
const INLINE = new Set(
  (
    'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rb ruby s samp small span strike strong sub ' +
    'sup time tt u var wbr slot mi mn mo ms msup msub msubsup mrow mtext mstyle tspan'
  ).split(' '),
);
/** Elements that programs define themselves have a hyphen in their names. */
const isInline = (tag: string): boolean => INLINE.has(tag) || tag.includes('-');
/** Types of form fields that do not show their value. */
const WORDLESS = new Set('hidden password file color range image'.split(' '));
const MAX_FRAMES = 8;
/** Elements that may contain the title of a page. */
const PAGE = new Set(['html', 'head', 'body']);

/** Names of the pieces of a page. */
interface HtmlPlaces {
  /** Place of the page in the file, such as `cell 3, output 1`; empty for a file that is one page. */
  prefix: string;
  /** True to list the title of the page. */
  hasTitle?: boolean;
  /** True for a page in which an empty element may be closed at its start, as in XML. */
  isXhtml?: boolean;
  /** Set if the page is one version of a text. */
  alternative?: Alternative;
}

/**
 * Lists the pieces of an HTML page: each block of text, form value, alternative text and frame. Formulas with several notations are
 * versions of one piece. Hidden text, templates, placeholders, entries of selections and texts for browsers without scripts are listed; titles
 * that appear on hovering are not.
 */
export function listHtml(html: string, list: PieceList, places: HtmlPlaces): void {
  new HtmlLister(list, places).read(html);
}

interface Step {
  node: AnyNode | null;
  /** Called when the children of an element are read. */
  after?: () => void;
}

class HtmlLister {
  private text = '';
  private styles = new PageStyles([]);
  /** Number of open elements that raise or lower their text. */
  private shifted = 0;
  private blocks = 0;
  private row = '';
  /** Number of the list item whose text follows. */
  private number = '';
  private count: { list: Element; step: number; next: number } | null = null;
  private frames = 0;
  private tag = 'text';
  private hasTexScripts = false;
  private readonly seen: Set<string>;

  constructor(
    private readonly list: PieceList,
    private readonly places: HtmlPlaces,
    seen?: Set<string>,
  ) {
    this.seen = seen ?? new Set();
  }

  read(html: string): void {
    const page = parseDocument(html, { recognizeSelfClosing: this.places.isXhtml ?? false });
    showShadowTrees(page);
    this.hasTexScripts = /math\/tex/i.test(html);
    const sheets = nodesOf(page).filter((node) => nameOf(node) === 'style');
    this.styles = new PageStyles(sheets.map(textOf));
    this.walk(page);
    this.flush();
  }

  private walk(root: AnyNode): void {
    const stack: Step[] = [{ node: root }];
    for (let step = stack.pop(); step; step = stack.pop()) {
      const { node, after } = step;
      after?.();
      if (node instanceof Text) this.text += node.data;
      if (node instanceof Element) this.element(node, stack);
      else if (node && 'children' in node) pushChildren(node, stack);
    }
  }

  private element(element: Element, stack: Step[]): void {
    this.sometimesSeen(element);
    const tag = element.name;
    const isShown = !UNSEEN.has(tag) || (tag === 'title' && isDrawn(element));
    if (!isShown || this.whole(element)) return;
    const isBlock = !isInline(tag);
    if (isBlock) this.block(tag);
    if (tag === 'tr') {
      const outer = this.row;
      this.row = this.placeOf('row');
      stack.push({ node: null, after: () => (this.row = outer) });
    }
    if (tag === 'ol') this.beginList(element, stack);
    if (tag === 'li') this.number = this.nextNumber(element);
    const shift = this.shiftOf(element, isBlock);
    const before = this.text;
    if (shift !== null) {
      this.text = '';
      this.shifted += 1;
    }
    if (tag === 'rt') this.text += ' ';
    stack.push({ node: null, after: () => this.leave(isBlock, shift, before) });
    pushChildren(element, stack);
  }

  private beginList(list: Element, stack: Step[]): void {
    const items = list.children.filter((child) => nameOf(child) === 'li').length;
    const step = attribute(list, 'reversed') === null ? 1 : -1;
    const start = Number.parseInt(attribute(list, 'start') ?? '', 10);
    const outer = this.count;
    this.count = { list, step, next: Number.isNaN(start) ? (step < 0 ? items : 1) : start };
    stack.push({ node: null, after: () => (this.count = outer) });
  }

  /** Counts an item. @returns its decimal number; '' for bullets, and for letters, which Markdown may write as numbers */
  private nextNumber(item: Element): string {
    const { count } = this;
    if (count === null || item.parent !== count.list) return '';
    const value = Number.parseInt(attribute(item, 'value') ?? '', 10);
    const number = Number.isNaN(value) ? count.next : value;
    count.next = number + count.step;
    const style = this.styles.listStyle(item) ?? this.styles.listStyle(count.list) ?? 'decimal';
    return /^(?:1|decimal)$/.test(attribute(count.list, 'type') ?? style) ? String(number) : '';
  }

  private leave(isBlock: boolean, shift: '^' | '_' | null, before: string): void {
    if (isBlock) this.flush();
    if (shift === null) return;
    this.shifted -= 1;
    this.text = withShifted(before, this.text, shift);
  }

  private shiftOf(element: Element, isBlock: boolean): '^' | '_' | null {
    if (element.name === 'sup') return '^';
    if (element.name === 'sub') return '_';
    return isBlock || this.shifted > 0 ? null : this.styles.shiftOf(element);
  }

  /** Lists words of an element that are shown only in certain cases. */
  private sometimesSeen(element: Element): void {
    const tag = element.name;
    if (tag === 'noscript') this.repeated('text for browsers without scripts', wordsIn(element));
    else if (tag === 'noframes')
      this.repeated('text for browsers without frames', wordsIn(parseDocument(wordsIn(element))));
    else if (tag === 'script' && /^math\/tex/i.test(attribute(element, 'type') ?? ''))
      this.add({ place: this.placeOf('formula'), text: textOf(element) });
    else if (tag === 'template') this.repeated('template', wordsIn(element));
    else if (tag === 'datalist') this.repeated('suggestions', wordsIn(element));
    else if (tag === 'select') this.repeated('other entries', entriesOf(element).others.join(' '));
    else if (tag === 'input' || tag === 'textarea')
      this.repeated('placeholder', attribute(element, 'placeholder') ?? '');
    else if (tag === 'title' && this.places.hasTitle && !isDrawn(element))
      this.add({ place: this.placeOf('title of the page'), text: wordsIn(element) });
  }

  /** Lists words, and marks repetitions in the page, because the text reports them once. */
  private repeated(what: string, text: string): void {
    const key = `${what} ${oneLine(text)}`;
    if (text.trim() === '') return;
    const again = this.seen.has(key) ? { again: 'the same words as elsewhere in the page' } : {};
    this.seen.add(key);
    this.add({ place: this.placeOf(what), text, ...again });
  }

  /** Lists an element that is read as a whole; false for all others. */
  private whole(element: Element): boolean {
    const tag = element.name;
    if (tag === 'br' || tag === 'hr' || tag === 'wbr') this.text += tag === 'wbr' ? '' : ' ';
    else if (tag === 'input') this.input(element);
    else if (tag === 'select') this.text += ` ${entriesOf(element).shown.join(' ')} `;
    else if (tag === 'img' || tag === 'area') this.named('picture', attribute(element, 'alt'));
    else if (tag === 'iframe') this.frame(element);
    else if (tag === 'math') this.formula(element);
    else if (classes(element).includes('katex')) this.katex(element);
    else if (this.hasTexScripts && classes(element).some((name) => DRAWN_BY_MATHJAX.test(name)))
      this.add({
        place: this.placeOf('drawn formula'),
        text: textOf(element),
        again: 'the TeX of its script is used',
      });
    else return false;
    return true;
  }

  private input(element: Element): void {
    const type = attribute(element, 'type')?.toLowerCase() ?? 'text';
    if (type === 'checkbox' || type === 'radio')
      this.text += attribute(element, 'checked') === null ? ' ☐ ' : ' ☒ ';
    else if (type === 'image') this.named('picture', attribute(element, 'alt'));
    else if (!WORDLESS.has(type)) this.text += ` ${attribute(element, 'value') ?? ''} `;
  }

  private named(what: string, words: string | null): void {
    if (words !== null) this.add({ place: this.placeOf(what), text: words });
  }

  private frame(element: Element): void {
    const page = attribute(element, 'srcdoc');
    if (page === null || this.frames >= MAX_FRAMES) return;
    this.flush();
    this.frames += 1;
    const prefix = this.placeOf('frame');
    new HtmlLister(this.list, { ...this.places, hasTitle: false, prefix }, this.seen).read(page);
  }

  /** Lists a MathML formula. Its annotation, which no browser shows, repeats it in another notation, mostly TeX. */
  private formula(element: Element): void {
    const tex = annotation(element);
    if (tex === null) {
      this.text += ` ${mathText(element)} `;
      return;
    }
    this.versions('formula', [
      ['TeX', tex, true],
      ['MathML', mathText(element), true],
    ]);
  }

  /** Lists a formula of KaTeX in its versions: TeX and MathML for screen readers, and spans. */
  private katex(element: Element): void {
    const math = elementsIn(element).find(({ name }) => name === 'math');
    const drawn = elementsIn(element).find((each) => classes(each).includes('katex-html'));
    this.versions('formula', [
      ['TeX', (math && annotation(math)) ?? '', false],
      ['MathML', math ? mathText(math) : '', false],
      ['drawn formula', drawn ? textOf(drawn) : math ? '' : textOf(element), true],
    ]);
  }

  private versions(what: string, texts: [string, string, boolean][]): void {
    const group = this.list.newGroup();
    const place = this.placeOf(what);
    for (const [version, text, isGenerated] of texts)
      this.add({
        place,
        text,
        alternative: { group, version, isGenerated: isGenerated || version === 'MathML' },
      });
  }

  private block(tag: string): void {
    this.flush();
    this.tag = tag;
  }

  private flush(): void {
    const text = this.text;
    this.text = '';
    if (text.trim() === '') return;
    const row = this.row === '' ? {} : { row: this.row };
    const place = this.placeOf(BLOCK_NAMES[this.tag] ?? 'paragraph');
    this.add({ place, number: this.number, text, ...row });
    this.number = '';
  }

  private placeOf(what: string): string {
    this.blocks += 1;
    const place = `${what} ${this.blocks}`;
    return this.places.prefix === '' ? place : `${this.places.prefix}, ${place}`;
  }

  private add(piece: Piece): void {
    const { alternative } = this.places;
    this.list.add(alternative && !piece.alternative ? { ...piece, alternative } : piece);
  }
}

const DRAWN_BY_MATHJAX = /^(?:MathJax(?:_|$)|MJXc-display$)/;

/** Elements that may have a shadow tree, besides those that programs define. */
const HOSTS = new Set(
  'article aside blockquote div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '),
);

/**
 * Puts the shadow trees of a page before their `template`, and what the page puts into their slots in place of the default texts. What is
 * not shown stays in the `template`.
 */
function showShadowTrees(page: ParentNode): void {
  for (const template of elementsIn(page)) {
    const host = template.parent;
    const isHost = host instanceof Element && (HOSTS.has(host.name) || host.name.includes('-'));
    if (template.name !== 'template' || !isHost || attribute(template, 'shadowrootmode') === null) continue;
    const given = new Map<string, typeof host.children>();
    for (const node of host.children) {
      const name = node instanceof Element ? (attribute(node, 'slot') ?? '') : '';
      if (node === template) continue;
      if (!given.get(name)?.push(node)) given.set(name, [node]);
    }
    const unshown: (typeof host.children)[] = [];
    const inTree = template.children.flatMap((node) => nodesOf(node, new Set(['template'])));
    for (const slot of inTree) {
      if (!(slot instanceof Element) || slot.name !== 'slot') continue;
      const name = attribute(slot, 'name') ?? '';
      const own = given.get(name) ?? [];
      if (own.every((node) => !(node instanceof Element) && textOf(node).trim() === '')) continue;
      unshown.push(slot.children);
      slot.children = own;
      given.delete(name);
    }
    host.children = [...template.children, template];
    delete template.attribs['shadowrootmode'];
    template.children = [...unshown, ...given.values()].flat();
  }
}

const BLOCK_NAMES: Record<string, string> = {
  ...{ td: 'cell', th: 'cell', li: 'item', caption: 'caption', button: 'button', textarea: 'form field' },
  ...{
    h1: 'heading',
    h2: 'heading',
    h3: 'heading',
    h4: 'heading',
    h5: 'heading',
    h6: 'heading',
    pre: 'text',
  },
};

/** Returns whether a title describes a drawing and not the page. */
const isDrawn = (title: Element): boolean => title.parent instanceof Element && !PAGE.has(title.parent.name);

const attribute = (element: Element, name: string): string | null => element.attribs[name] ?? null;

const classes = (element: Element): string[] => splitAtSpaces(attribute(element, 'class') ?? '');

/** Returns the shown entries of a selection, and the other entries with the names of groups. */
function entriesOf(select: Element): { shown: string[]; others: string[] } {
  const options = elementsIn(select).filter(({ name }) => name === 'option');
  const selected = options.filter((option) => attribute(option, 'selected') !== null);
  const shown =
    selected.length > 0 || attribute(select, 'multiple') !== null ? selected : options.slice(0, 1);
  const wordsOf = (option: Element) => attribute(option, 'label') || textOf(option);
  const groups = elementsIn(select).filter(({ name }) => name === 'optgroup');
  // A selection without an end, or with elements that it may not have, contains words of the page.
  const rest = textsOf(select, new Set(['option', 'script', 'style']));
  return {
    shown: [...shown.map(wordsOf), ...rest],
    others: [
      ...options.filter((option) => !shown.includes(option)).map(wordsOf),
      ...groups.map((group) => attribute(group, 'label') ?? ''),
    ],
  };
}

function annotation(math: Element): string | null {
  const found = elementsIn(math).find(({ name }) => name === 'annotation');
  return found ? textOf(found) : null;
}

const MINUS = /^\s*[-\u2212]\s*$/;

function mathText(math: Element): string {
  let text = '';
  const stack: { node: AnyNode; mark: string }[] = [{ node: math, mark: '' }];
  for (let step = stack.pop(); step; step = stack.pop()) {
    const { node, mark } = step;
    // A minus after a blank would be a sign.
    if (node instanceof Text)
      text = MINUS.test(node.data) ? `${text.trimEnd()}-` : `${text}${mark}${node.data.trim()} `;
    if (!(node instanceof Element) || node.name.startsWith('annotation')) continue;
    const isScript = /^m(?:sup|sub|subsup|multiscripts)$/.test(node.name);
    const parts = node.children.filter((child) => !isScript || child instanceof Element);
    for (let index = parts.length - 1; index >= 0; index--) {
      // A sign above or below a letter, such as a bar, is part of how the letter is drawn.
      if (/^m(?:over|under)$/.test(node.name) && isSign(parts[index]!)) continue;
      const own = index === 0 ? null : scriptMark(node.name, index, parts);
      stack.push({ node: parts[index]!, mark: own ?? mark });
    }
  }
  return text;
}

const isSign = (node: AnyNode): boolean =>
  nameOf(node) === 'mo' && /^[^\p{L}\p{N}]$/u.test(textOf(node).trim());

/** Returns the mark of a raised or lowered part of a formula. */
function scriptMark(tag: string, index: number, parts: readonly AnyNode[]): string | null {
  if (tag === 'mmultiscripts') {
    const before = parts.findIndex((part) => nameOf(part) === 'mprescripts');
    return (index - (before >= 0 && index > before ? before : 0)) % 2 === 1 ? '_' : '^';
  }
  if (tag === 'msup') return '^';
  if (tag === 'msub') return '_';
  return tag === 'msubsup' ? (index === 1 ? '_' : '^') : null;
}

/** Returns the words below a node, except scripts and style sheets. */
const wordsIn = (root: AnyNode): string => textsOf(root, new Set(['script', 'style'])).join(' ');

const textOf = (root: AnyNode): string => textsOf(root).join('');

const textsOf = (root: AnyNode, skipped?: ReadonlySet<string>): string[] =>
  nodesOf(root, skipped).flatMap((node) => (node instanceof Text ? [node.data] : []));

const nameOf = (node: AnyNode): string => (node instanceof Element ? node.name : '');

const elementsIn = (root: AnyNode): Element[] => nodesOf(root).filter((node) => node instanceof Element);

function nodesOf(root: AnyNode, skipped: ReadonlySet<string> = new Set()): AnyNode[] {
  const found: AnyNode[] = [];
  const stack: Step[] = [{ node: root }];
  for (let step = stack.pop(); step; step = stack.pop()) {
    const { node } = step;
    if (node === null) continue;
    found.push(node);
    if ('children' in node && !skipped.has(nameOf(node))) pushChildren(node, stack);
  }
  return found;
}

function pushChildren({ children }: ParentNode, stack: Step[]): void {
  for (let index = children.length - 1; index >= 0; index--) stack.push({ node: children[index]! });
}

interface StyleRule {
  tag: string;
  classes: string[];
  id: string;
  declarations: string;
}

const LONGEST_SHEET = 500_000;
const SELECTOR = /^([a-z][a-z0-9]*)?((?:\.[\w-]+)*)(?:#([\w-]+))?$/i;
const ALIGNED = /(?:^|[;{\s])vertical-align\s*:\s*([a-z]+)/i;
const LIST_STYLE = /(?:^|[;{\s])list-style(?:-type)?\s*:\s*([a-z-]+)/i;

const isForScreens = (head: string): boolean =>
  /@(?:layer|supports)/i.test(head) || (/@media/i.test(head) && /\b(?:screen|all)\b/i.test(head));

/** Styles of a page that change which words it shows. Rules for printing and rules with combinators are ignored. */
class PageStyles {
  private readonly rules: StyleRule[] = [];

  /** @param sheets texts of the `style` elements */
  constructor(sheets: readonly string[]) {
    for (const sheet of sheets) this.read(sheet.slice(0, LONGEST_SHEET));
  }

  /** Returns `^` for a raised element, `_` for a lowered one, otherwise null. */
  shiftOf(element: Element): '^' | '_' | null {
    if (/^su[pb]$/.test(element.name)) return null;
    const shift = this.valueOf(element, ALIGNED) ?? '';
    return /^super$/i.test(shift) ? '^' : /^sub$/i.test(shift) ? '_' : null;
  }

  /** Returns the style of the numbers of a list or item, such as `decimal`; null without one. */
  listStyle(element: Element): string | null {
    return this.valueOf(element, LIST_STYLE)?.toLowerCase() ?? null;
  }

  private valueOf({ name: tag, attribs }: Element, pattern: RegExp): string | null {
    const own = pattern.exec(attribs['style'] ?? '')?.[1];
    if (own !== undefined) return own;
    const classes = splitAtSpaces(attribs['class'] ?? '');
    let best: { weight: number; value: string | null } = { weight: -1, value: null };
    for (const rule of this.rules) {
      const fits =
        (rule.tag === '' || rule.tag === tag) &&
        (rule.id === '' || rule.id === attribs['id']) &&
        rule.classes.every((name) => classes.includes(name));
      const weight = (rule.id === '' ? 0 : 100) + rule.classes.length * 10 + (rule.tag === '' ? 0 : 1);
      const value = fits && weight >= best.weight ? pattern.exec(rule.declarations)?.[1] : undefined;
      if (value !== undefined) best = { weight, value };
    }
    return best.value;
  }

  private read(sheet: string): void {
    /** Heads of the open groups, such as `@media print`. */
    const groups: string[] = [];
    for (const part of sheet
      .split('/*')
      .map((each, at) => (at === 0 ? each : (each.split('*/')[1] ?? '')))
      .join(' ')
      .split('}')) {
      const pieces = part.split('{');
      if (pieces.length === 1) {
        groups.pop();
        continue;
      }
      groups.push(...pieces.slice(0, -2));
      const declarations = pieces.at(-1)!;
      if (
        !(ALIGNED.test(declarations) || LIST_STYLE.test(declarations)) ||
        groups.some((head) => !isForScreens(head))
      )
        continue;
      for (const selector of pieces
        .at(-2)!
        .replace(/^[^;]*;/, '')
        .split(',')) {
        const found = SELECTOR.exec(selector.replaceAll('<!--', '').trim());
        if (found?.[0])
          this.rules.push({
            tag: (found[1] ?? '').toLowerCase(),
            classes: (found[2] ?? '').split('.').filter((name) => name !== ''),
            id: found[3] ?? '',
            declarations,
          });
      }
    }
  }
}
