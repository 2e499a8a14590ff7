import { parse, parseFragment, type DefaultTreeAdapterTypes } from 'parse5';
import { PageShifts } from './page-shifts.js';
import { shiftedText, type Alternative, type Piece, type PieceList } from './piece.js';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** Elements with text that browsers do not show. */
const UNSEEN = new Set('script style head template noscript rp datalist noframes'.split(' '));
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

/** Names of the pieces of a page. */
interface HtmlPlaces {
  /** Place of the page in the file, such as `cell 3, output 1`; empty for a file that is one page. */
  prefix: string;
  /** True to list the title of the page. */
  hasTitle?: boolean;
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
  node: Node | null;
  /** Called when the children of an element are read. */
  after?: () => void;
}

class HtmlLister {
  private text = '';
  private shifts = new PageShifts([]);
  /** Number of open elements that raise or lower their text. */
  private shifted = 0;
  private blocks = 0;
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
    const page = parse(html);
    this.hasTexScripts = /math\/tex/i.test(html);
    const sheets = nodesOf(page).filter(({ nodeName }) => nodeName === 'style');
    this.shifts = new PageShifts(sheets.map(textOf));
    this.walk(page);
    this.flush();
  }

  private walk(root: Node): void {
    const stack: Step[] = [{ node: root }];
    for (let step = stack.pop(); step; step = stack.pop()) {
      const { node, after } = step;
      after?.();
      if (node === null) continue;
      if (node.nodeName === '#text') this.text += (node as DefaultTreeAdapterTypes.TextNode).value;
      if ('tagName' in node) this.sometimesSeen(node);
      const isShown = !UNSEEN.has(node.nodeName) || ('tagName' in node && isShadow(node));
      if (!('childNodes' in node) || !isShown) continue;
      if ('tagName' in node && this.whole(node)) continue;
      const isBlock = 'tagName' in node && !isInline(node.tagName);
      if (isBlock) this.block(node.tagName);
      const shift = this.shiftOf(node, isBlock);
      const before = this.text;
      if (shift !== null) {
        this.text = '';
        this.shifted += 1;
      }
      if (node.nodeName === 'rt') this.text += ' ';
      stack.push({ node: null, after: () => this.leave(isBlock, shift, before) });
      const children = 'content' in node ? node.content.childNodes : node.childNodes;
      for (let index = children.length - 1; index >= 0; index--) stack.push({ node: children[index]! });
    }
  }

  private leave(isBlock: boolean, shift: '^' | '_' | null, before: string): void {
    if (isBlock) this.flush();
    if (shift === null) return;
    this.shifted -= 1;
    this.text = before + shiftedText(this.text, shift);
  }

  private shiftOf(node: Node, isBlock: boolean): '^' | '_' | null {
    if (node.nodeName === 'sup') return '^';
    if (node.nodeName === 'sub') return '_';
    return isBlock || this.shifted > 0 || !('tagName' in node) ? null : this.shifts.of(node);
  }

  /** Lists words of an element that are shown only in certain cases. */
  private sometimesSeen(element: Element): void {
    const tag = element.tagName;
    if (tag === 'noscript')
      this.repeated('text for browsers without scripts', wordsIn(parseFragment(wordsIn(element))));
    else if (tag === 'noframes')
      this.repeated('text for browsers without frames', wordsIn(parseFragment(wordsIn(element))));
    else if (tag === 'script' && /^math\/tex/i.test(attribute(element, 'type') ?? ''))
      this.add({ place: this.placeOf('formula'), text: textOf(element) });
    else if (tag === 'template' && 'content' in element && !isShadow(element))
      this.repeated('template', wordsIn((element as DefaultTreeAdapterTypes.Template).content));
    else if (tag === 'datalist') this.repeated('suggestions', wordsIn(element));
    else if (tag === 'select') this.repeated('other entries', entriesOf(element).others.join(' '));
    else if (tag === 'input' || tag === 'textarea')
      this.repeated('placeholder', attribute(element, 'placeholder') ?? '');
    else if (tag === 'title' && this.places.hasTitle && !element.namespaceURI.endsWith('/svg'))
      this.add({ place: this.placeOf('title of the page'), text: wordsIn(element) });
    else if (tag === 'head')
      for (const node of nodesOf(element))
        if ('tagName' in node && node !== element) this.sometimesSeen(node);
  }

  /** Lists words, and marks repetitions in the page, because the text reports them once. */
  private repeated(what: string, text: string): void {
    const key = `${what} ${text.replace(/\s+/g, ' ').trim()}`;
    if (text.trim() === '') return;
    const again = this.seen.has(key) ? { again: 'the same words as elsewhere in the page' } : {};
    this.seen.add(key);
    this.add({ place: this.placeOf(what), text, ...again });
  }

  /** Lists an element that is read as a whole; false for all others. */
  private whole(element: Element): boolean {
    const tag = element.tagName;
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

  /** Lists a MathML formula. Its annotation repeats it in another notation, mostly TeX. */
  private formula(element: Element): void {
    const tex = annotation(element);
    if (tex === null) {
      this.text += ` ${mathText(element)} `;
      return;
    }
    this.versions('formula', [
      ['TeX', tex, false],
      ['MathML', mathText(element), true],
    ]);
  }

  /** Lists a formula of KaTeX in its versions: TeX and MathML for screen readers, and spans. */
  private katex(element: Element): void {
    const math = nodesOf(element).find((node): node is Element => node.nodeName === 'math');
    const drawn = nodesOf(element).find(
      (node): node is Element => 'tagName' in node && classes(node).includes('katex-html'),
    );
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
    this.add({ place: this.placeOf(BLOCK_NAMES[this.tag] ?? 'paragraph'), text });
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

const isShadow = (element: Element): boolean =>
  element.tagName === 'template' && attribute(element, 'shadowrootmode') !== null;

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

const attribute = (element: Element, name: string): string | null =>
  element.attrs.find((each) => each.name === name)?.value ?? null;

const classes = (element: Element): string[] => (attribute(element, 'class') ?? '').split(/\s+/);

/** Returns the shown entries of a selection, and the other entries with the names of groups. */
function entriesOf(select: Element): { shown: string[]; others: string[] } {
  const options = nodesOf(select).filter((node): node is Element => node.nodeName === 'option');
  const selected = options.filter((option) => attribute(option, 'selected') !== null);
  const shown =
    selected.length > 0 || attribute(select, 'multiple') !== null ? selected : options.slice(0, 1);
  const wordsOf = (option: Element) => attribute(option, 'label') || textOf(option);
  const groups = nodesOf(select).filter((node): node is Element => node.nodeName === 'optgroup');
  return {
    shown: shown.map(wordsOf),
    others: [
      ...options.filter((option) => !shown.includes(option)).map(wordsOf),
      ...groups.map((group) => attribute(group, 'label') ?? ''),
    ],
  };
}

function annotation(math: Element): string | null {
  const found = nodesOf(math).find((node) => node.nodeName === 'annotation');
  return found ? textOf(found) : null;
}

function mathText(math: Element): string {
  const unread = new Set(['annotation', 'annotation-xml']);
  let text = '';
  const stack: { node: Node; mark: string }[] = [{ node: math, mark: '' }];
  for (let step = stack.pop(); step; step = stack.pop()) {
    const { node, mark } = step;
    if (node.nodeName === '#text')
      text += `${mark}${(node as DefaultTreeAdapterTypes.TextNode).value.trim()} `;
    if (!('childNodes' in node) || unread.has(node.nodeName)) continue;
    const parts = node.childNodes.filter(
      ({ nodeName }) => nodeName !== '#text' || !/^m(?:sup|sub|subsup|multiscripts)$/.test(node.nodeName),
    );
    for (let index = parts.length - 1; index >= 0; index--) {
      // A sign above or below a letter, such as a bar, is part of how the letter is drawn.
      if (/^m(?:over|under)$/.test(node.nodeName) && isSign(parts[index]!)) continue;
      stack.push({
        node: parts[index]!,
        mark: index === 0 ? mark : (scriptMark(node.nodeName, index, parts) ?? mark),
      });
    }
  }
  return text;
}

const isSign = (node: Node): boolean =>
  node.nodeName === 'mo' && /^[^\p{L}\p{N}]$/u.test(textOf(node).trim());

/** Returns the mark of a raised or lowered part of a formula. */
function scriptMark(tag: string, index: number, parts: readonly Node[]): string | null {
  if (tag === 'mmultiscripts') {
    const before = parts.findIndex(({ nodeName }) => nodeName === 'mprescripts');
    return (index - (before >= 0 && index > before ? before : 0)) % 2 === 1 ? '_' : '^';
  }
  if (tag === 'msup') return '^';
  if (tag === 'msub') return '_';
  return tag === 'msubsup' ? (index === 1 ? '_' : '^') : null;
}

/** Returns the words below a node, except scripts and style sheets. */
function wordsIn(root: Node): string {
  const texts = nodesOf(root, new Set(['script', 'style'])).map((node) =>
    node.nodeName === '#text' ? (node as DefaultTreeAdapterTypes.TextNode).value : '',
  );
  return texts.join(' ');
}

function textOf(root: Node): string {
  return nodesOf(root)
    .map((node) => (node.nodeName === '#text' ? (node as DefaultTreeAdapterTypes.TextNode).value : ''))
    .join('');
}

function nodesOf(root: Node, skipped: ReadonlySet<string> = new Set()): Node[] {
  const found: Node[] = [];
  const stack: Node[] = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    found.push(node);
    if ('childNodes' in node && !skipped.has(node.nodeName))
      for (let index = node.childNodes.length - 1; index >= 0; index--) stack.push(node.childNodes[index]!);
  }
  return found;
}
