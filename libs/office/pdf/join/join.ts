import { createHash } from 'node:crypto';

/**
 * Prefix of link addresses that point to a heading in any of the files; the percent-encoded label follows.
 */
export const INTERNAL_LINK_PREFIX = 'scriptorium-within:';

const NAMED = /\((?:\\[^]|[^\\()])*\) \d+ 0 R|<[0-9A-Fa-f]*> \d+ 0 R/g;
const INTERNAL_LINK = new RegExp(
  `/A <<\\s*/Type /Action\\s*/S /URI\\s*/URI \\(${INTERNAL_LINK_PREFIX}([^()\\\\]*)\\)\\s*>>`,
  'g',
);

const INTERNAL_LINK_CONTENTS = new RegExp(`/Contents \\(${INTERNAL_LINK_PREFIX}[^()\\\\]*\\)\\s*`, 'g');

/** Distance in points between a link's target position and the heading below it. */
const ABOVE = 10;

/** Shared objects of the joined file, collected from its parts. */
interface Whole {
  objects: Map<number, PdfObject>;
  pages: number;
  outline: number;
  tags: number;
  /** Object numbers of the parts' page trees. `tagRoots` contains their tag trees. */
  pageRoots: number[];
  pageCount: number;
  bookmarks: { first: number; last: number; count: number }[];
  tagRoots: number[];
  parents: string[];
  /** Next free number for entries of pages and links in the parent tree of tags. */
  nextParent: number;
  ids: string[];
  roles: Map<string, string>;
  /** Destinations of named links, by the hex bytes of the name. */
  targets: Map<string, string>;
}

/** Position in a part to which links in every part can point. */
interface Target {
  name: string;
  /** Page of the part, 1-based. */
  page: number;
  /** Distance in points from the upper edge of the page. */
  top: number;
}

export interface PdfPart {
  bytes: Uint8Array;
  targets: readonly Target[];
}

/**
 * Joins PDFs created by Typst: pages, outline, tags and link targets, in the order of the files. Title and
 * language come from the first file. The result is deterministic.
 */
export function joinPdfs(given: readonly PdfPart[]): Uint8Array {
  const parts = given.map(({ bytes }) => readPdf(bytes));
  const total = parts.reduce((sum, { size }) => sum + size, 0);
  const whole: Whole = {
    objects: new Map(),
    pages: total,
    outline: total + 1,
    tags: total + 2,
    pageRoots: [],
    pageCount: 0,
    bookmarks: [],
    tagRoots: [],
    parents: [],
    nextParent: 0,
    ids: [],
    roles: new Map(),
    targets: new Map(),
  };
  let shift = 0;
  for (const [index, part] of parts.entries()) {
    addPart(whole, part, shift, index);
    addTargets(whole, pagesIn(part), shift, given[index]!.targets);
    shift += part.size;
  }
  const [{ root, info }] = parts as [PdfFile];
  finish(whole, root);
  const id = createHash('sha256');
  for (const { bytes } of given) id.update(bytes);
  const name = id.digest('hex').slice(0, 32).toUpperCase();
  return writePdf(
    whole.objects,
    total + 3,
    `  /Root ${root} 0 R\n  /Info ${info} 0 R\n  /ID [<${name}> <${name}>]`,
  );
}

function addPart(whole: Whole, part: PdfFile, shift: number, index: number): void {
  const catalog = part.objects.get(part.root)!.text;
  const [outline, tags] = [referenceIn(catalog, 'Outlines'), referenceIn(catalog, 'StructTreeRoot')];
  const moved = (text: string): string =>
    changeTokens(text, (token) => {
      const number = Number(/\d+/.exec(token)?.[0]);
      if (token.endsWith(' 0 R')) {
        if (number === outline) return `${whole.outline} 0 R`;
        return number === tags ? `${whole.tags} 0 R` : `${number + shift} 0 R`;
      }
      if (token.startsWith('/StructParent')) return token.replace(/\d+/, String(number + whole.nextParent));
      // Names of tags are only unique within a part.
      return `${token}${token.endsWith('<') ? Buffer.from(`${index}.`).toString('hex') : `${index}.`}`;
    });
  const dropped = new Set([
    outline,
    tags,
    ...(index > 0 ? [part.root, part.info, referenceIn(catalog, 'Metadata')] : []),
  ]);
  for (const [number, { text, stream }] of part.objects)
    if (!dropped.has(number)) whole.objects.set(number + shift, { text: linked(moved(text)), stream });
  addPages(whole, referenceIn(catalog, 'Pages')! + shift);
  if (outline !== undefined) addBookmarks(whole, moved(part.objects.get(outline)!.text));
  if (tags !== undefined) addTags(whole, part.objects.get(tags)!.text, moved);
}

/** Replaces links to names in any part by destinations; removes addresses that would be read out. */
function linked(text: string): string {
  if (!text.includes(INTERNAL_LINK_PREFIX)) return text;
  return text
    .replace(INTERNAL_LINK_CONTENTS, '')
    .replace(INTERNAL_LINK, (_, name: string) => `/Dest <${hexOf(decodeURIComponent(name))}>`);
}

const hexOf = (name: string): string => Buffer.from(name).toString('hex').toUpperCase();

/** Returns the page objects in page order. */
function pagesIn({ objects, root }: PdfFile): [number, string][] {
  const below = (number: number): [number, string][] => {
    const { text } = objects.get(number)!;
    if (!/\/Type \/Pages\b/.test(text)) return [[number, text]];
    return [...listIn(text, 'Kids').matchAll(/(\d+) 0 R/g)].flatMap(([, kid]) => below(Number(kid)));
  };
  return below(referenceIn(objects.get(root)!.text, 'Pages')!);
}

/** Adds link targets; the first of several equal names wins. */
function addTargets(
  whole: Whole,
  pages: readonly [number, string][],
  shift: number,
  targets: readonly Target[],
): void {
  for (const { name, page, top } of targets) {
    const [number, text] = pages[page - 1]!;
    const height = Number(listIn(text, 'MediaBox').split(' ')[3]);
    const hex = hexOf(name);
    if (whole.targets.has(hex)) continue;
    whole.targets.set(hex, `<${hex}> [${number + shift} 0 R /XYZ 0 ${Math.round(height - top + ABOVE)} 0]`);
  }
}

function addPages(whole: Whole, number: number): void {
  const pages = whole.objects.get(number)!;
  whole.pageCount += Number(/\/Count (\d+)/.exec(pages.text)![1]);
  whole.pageRoots.push(number);
  insert(pages, `/Parent ${whole.pages} 0 R`);
}

function addBookmarks(whole: Whole, root: string): void {
  const [first, last] = [referenceIn(root, 'First'), referenceIn(root, 'Last')];
  if (first === undefined || last === undefined) return;
  const before = whole.bookmarks.at(-1);
  if (before) {
    insert(whole.objects.get(before.last)!, `/Next ${first} 0 R`);
    insert(whole.objects.get(first)!, `/Prev ${before.last} 0 R`);
  }
  whole.bookmarks.push({ first, last, count: Number(/\/Count (-?\d+)/.exec(root)?.[1] ?? 0) });
}

function addTags(whole: Whole, root: string, moved: (text: string) => string): void {
  whole.tagRoots.push(
    ...[...moved(listIn(root, 'K')).matchAll(/(\d+) 0 R/g)].map(([, number]) => Number(number)),
  );
  for (const [, name, role] of (/\/RoleMap <<([^>]*)>>/.exec(root)?.[1] ?? '').matchAll(/(\/\S+) (\/\S+)/g))
    whole.roles.set(name!, role!);
  const parents = moved(listIn(root, 'Nums'));
  let next = whole.nextParent;
  for (const [, key, value] of parents.matchAll(/(\d+) (\d+ 0 R)/g)) {
    whole.parents.push(`${Number(key) + whole.nextParent} ${value}`);
    next = Math.max(next, Number(key) + whole.nextParent + 1);
  }
  whole.ids.push(
    ...(listIn(root, 'Names').match(NAMED) ?? []).map((each) => moved(`/ID ${each}`).slice('/ID '.length)),
  );
  whole.nextParent = next;
}

/** Moves the tags of all parts below a single document tag. */
function joinedTags({ objects, tags, tagRoots }: Whole): string {
  const [first, ...others] = tagRoots;
  if (first === undefined) return '';
  for (const number of others) {
    const tag = objects.get(number)!;
    tag.text = tag.text.replace('/S /Document', '/S /Part').replace(`/P ${tags} 0 R`, `/P ${first} 0 R`);
  }
  const whole = objects.get(first)!;
  const kids = [listIn(whole.text, 'K'), ...others.map((number) => `${number} 0 R`)].join(' ');
  whole.text = whole.text.replace(/\/K \[[^\]]*\]/, `/K [${kids}]`);
  return `${first} 0 R`;
}

/** Writes the shared objects. */
function finish(whole: Whole, root: number): void {
  const { objects, bookmarks } = whole;
  const kids = whole.pageRoots.map((number) => `${number} 0 R`).join(' ');
  const add = (number: number, ...lines: string[]) =>
    objects.set(number, { text: `<<\n  ${lines.join('\n  ')}\n>>`, stream: null });
  add(whole.pages, '/Type /Pages', `/Count ${whole.pageCount}`, `/Kids [${kids}]`);
  const count = bookmarks.reduce((sum, each) => sum + each.count, 0);
  const [first, last] = [bookmarks[0], bookmarks.at(-1)];
  if (first && last)
    add(
      whole.outline,
      '/Type /Outlines',
      `/First ${first.first} 0 R`,
      `/Last ${last.last} 0 R`,
      `/Count ${count}`,
    );
  add(
    whole.tags,
    '/Type /StructTreeRoot',
    `/RoleMap << ${[...whole.roles].map((role) => role.join(' ')).join(' ')} >>`,
    `/K [${joinedTags(whole)}]`,
    `/ParentTree << /Nums [${whole.parents.join(' ')}] >>`,
    ...(whole.ids.length > 0 ? [`/IDTree << /Names [${sorted(whole.ids).join(' ')}] >>`] : []),
    `/ParentTreeNextKey ${whole.nextParent}`,
  );
  const names = [...whole.targets].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, target]) => target);
  const metadata = referenceIn(objects.get(root)!.text, 'Metadata');
  const language = /\/Lang \([^()]*\)/.exec(objects.get(root)!.text)?.[0];
  add(
    root,
    '/Type /Catalog',
    `/Pages ${whole.pages} 0 R`,
    ...(metadata === undefined ? [] : [`/Metadata ${metadata} 0 R`]),
    ...(language === undefined ? [] : [language]),
    `/StructTreeRoot ${whole.tags} 0 R`,
    '/MarkInfo << /Marked true /Suspects false >>',
    '/ViewerPreferences << /Direction /L2R /DisplayDocTitle true >>',
    ...(first ? [`/Outlines ${whole.outline} 0 R`] : []),
    `/Names << /Dests << /Names [${names.join(' ')}] >> >>`,
  );
}

function insert(object: PdfObject, entry: string): void {
  object.text = object.text.replace('<<', `<<\n  ${entry}`);
}

/** Sorts names by their bytes, as readers expect; the first of several equal names wins. */
function sorted(entries: readonly string[]): string[] {
  const byName = new Map<string, string>();
  for (const entry of entries) {
    const name = nameOf(entry.slice(0, entry.search(/ \d+ 0 R$/)));
    if (!byName.has(name)) byName.set(name, entry);
  }
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
}

/** Returns the bytes of a PDF string. */
function nameOf(written: string): string {
  if (written.startsWith('<')) return Buffer.from(written.slice(1, -1), 'hex').toString('latin1');
  return written.slice(1, -1).replace(/\\([()\\])/g, '$1');
}

/** Indirect object of a PDF: its text as a byte string, and its stream with the keywords around it. */
interface PdfObject {
  text: string;
  stream: Buffer | null;
}

/** PDF as written by Typst: without object streams. */
interface PdfFile {
  objects: Map<number, PdfObject>;
  /** One more than the highest object number. */
  size: number;
  root: number;
  info: number;
}

const STREAM = '\nstream\n';

/**
 * Reads the objects of a PDF with a complete cross-reference table.
 *
 * @throws Error for any other
 */
function readPdf(bytes: Uint8Array): PdfFile {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tail = file.toString('latin1', Math.max(0, file.length - 64));
  const table = Number(/startxref\s+(\d+)/.exec(tail)?.[1] ?? Number.NaN);
  const listed = file.toString('latin1', table);
  const [head = '', first, count] = /^xref\s+(\d+) (\d+)\s+/.exec(listed) ?? [];
  if (first !== '0') throw new Error('The PDF has no table of all its objects.');
  const size = Number(count);
  const places = Array.from({ length: size }, (_, number) => {
    const entry = listed.slice(head.length + 20 * number, head.length + 20 * number + 18);
    return { number, at: entry.endsWith('n') ? Number(entry.slice(0, 10)) : 0 };
  });
  const used = places.filter(({ at }) => at > 0).sort((a, b) => a.at - b.at);
  const objects = new Map<number, PdfObject>();
  for (const [i, { number, at }] of used.entries())
    objects.set(number, objectOf(file.subarray(at, used[i + 1]?.at ?? table)));
  const trailer = listed.slice(listed.lastIndexOf('trailer'));
  return { objects, size, root: referenceIn(trailer, 'Root')!, info: referenceIn(trailer, 'Info')! };
}

function objectOf(bytes: Buffer): PdfObject {
  const from = bytes.indexOf(' obj') + ' obj'.length;
  const to = bytes.lastIndexOf('endobj');
  const stream = bytes.indexOf(STREAM, from, 'latin1');
  if (stream < 0) return { text: bytes.toString('latin1', from, to).trim(), stream: null };
  return { text: bytes.toString('latin1', from, stream).trim(), stream: bytes.subarray(stream, to) };
}

/** Returns the object number in an entry, or undefined if the entry is missing. */
function referenceIn(text: string, key: string): number | undefined {
  const found = new RegExp(`/${key} (\\d+) 0 R`).exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Returns the content of the array after a key, which must not nest arrays; empty if the key is missing. */
function listIn(text: string, key: string): string {
  return new RegExp(`/${key} \\[([^\\]]*)\\]`).exec(text)?.[1] ?? '';
}

/** Matches string delimiters, and references and tag numbers outside strings. */
const TOKEN = /\\[^]|[()]|\/StructParents? \d+|\/(?:ID|Headers) \[?[(<]|\b\d+ 0 R\b/g;

/** Replaces each token outside strings with the result of `change`. */
function changeTokens(text: string, change: (token: string) => string): string {
  let depth = 0;
  return text.replace(TOKEN, (token) => {
    if (token.startsWith('\\')) return token;
    const isOutside = depth === 0;
    if (token.endsWith('(')) depth += 1;
    if (token === ')') depth -= 1;
    return isOutside && token.length > 1 ? change(token) : token;
  });
}

/** Writes the objects in the order of their numbers. */
function writePdf(objects: ReadonlyMap<number, PdfObject>, size: number, trailer: string): Uint8Array {
  const chunks: Buffer[] = [Buffer.from('%PDF-1.7\n%\u0080\u0080\u0080\u0080\n\n', 'latin1')];
  let length = chunks[0]!.length;
  const add = (...more: Buffer[]) => {
    chunks.push(...more);
    length += more.reduce((sum, { length: bytes }) => sum + bytes, 0);
  };
  const entries = ['0000000000 65535 f\r\n'];
  for (let number = 1; number < size; number++) {
    const object = objects.get(number);
    entries.push(object ? `${String(length).padStart(10, '0')} 00000 n\r\n` : '0000000000 65535 f\r\n');
    if (!object) continue;
    add(Buffer.from(`${number} 0 obj\n${object.text}`, 'latin1'));
    if (object.stream) add(object.stream);
    add(Buffer.from(object.stream ? 'endobj\n\n' : '\nendobj\n\n', 'latin1'));
  }
  const end = `xref\n0 ${size}\n${entries.join('')}trailer\n<<\n  /Size ${size}\n${trailer}\n>>\nstartxref\n${length}\n%%EOF`;
  return Buffer.concat([...chunks, Buffer.from(end, 'latin1')]);
}
