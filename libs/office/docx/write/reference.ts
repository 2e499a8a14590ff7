import { unpack } from '#extraction/archive.js';
import { PART_TYPES, type Part } from './package.js';
import { styleXml, type StyleSheet } from './style-sheet.js';
import { STYLES } from './styles.js';
import { SaxesParser, type SaxesTagPlain } from 'saxes';

/** Parts and styles that a new document takes from a template document. */
export interface Reference {
  styles: StyleSheet;
  /** Names of the writer's styles that the template lacks; they look as in a document without a template. */
  addedStyles: string[];
  /** Parts to copy unchanged: theme, fonts, headers, footers and the files that these reference. */
  parts: Part[];
  /** Relationships of the new document to those parts; `key` is the ID in the reference document. */
  related: { key: string; kind: 'theme' | 'fontTable' | 'header' | 'footer'; target: string }[];
  /** `w:sectPr` content: references to headers and footers by `key`, page size and margins. */
  section: { headers: { element: string; type: string; key: string }[]; page: string; titlePage: boolean };
  /** Page dimensions in twentieths of a point; null if the document does not specify them. */
  layout: { width: number; height: number; margin: number } | null;
}

const CARRIED = new Set(['theme', 'fontTable', 'header', 'footer'] as const);
type Carried = Reference['related'][number]['kind'];

/** The bytes are not a DOCX file. */
export class NotDocxError extends Error {
  override readonly name = 'NotDocxError';

  constructor(options?: ErrorOptions) {
    super('the reference document is not a DOCX file', options);
  }
}

/**
 * Reads styles, header, footer, page size and margins of a reference document.
 *
 * @throws NotDocxError
 */
export function readReference(bytes: Uint8Array): Reference {
  let files: Map<string, Uint8Array>;
  try {
    files = unpack(bytes, (name) => name.startsWith('word/'), 'the reference document');
  } catch (cause) {
    throw new NotDocxError({ cause });
  }
  const text = (path: string): string => Buffer.from(files.get(path) ?? []).toString('utf8');
  if (!files.has('word/document.xml') || !files.has('word/styles.xml')) throw new NotDocxError();
  const related = relationships(text('word/_rels/document.xml.rels')).filter(
    (rel): rel is Reference['related'][number] => CARRIED.has(rel.kind as Carried) && rel.target !== '',
  );
  const parts = related.flatMap(({ kind, target }) =>
    partWithRelations(files, `word/${target}`, PART_TYPES[kind]),
  );
  const section = readSection(text('word/document.xml'));
  return {
    ...mergedStyles(text('word/styles.xml')),
    parts,
    related,
    section,
    layout: layoutOf(section.page),
  };
}

function relationships(xml: string): { key: string; kind: string; target: string }[] {
  const found: { key: string; kind: string; target: string }[] = [];
  walkXml(xml, {
    open: ({ name, attributes }) => {
      if (name !== 'Relationship' || attributes.TargetMode === 'External') return;
      const kind = (attributes.Type ?? '').split('/').at(-1) ?? '';
      const target = (attributes.Target ?? '').replace(/^\/word\//, '').replace(/^\.\//, '');
      found.push({ key: attributes.Id ?? '', kind, target: target.includes('..') ? '' : target });
    },
  });
  return found;
}

/** Returns a part, its relationships, and the pictures and fonts that they reference. */
function partWithRelations(files: ReadonlyMap<string, Uint8Array>, path: string, type: string): Part[] {
  const content = files.get(path);
  if (!content) return [];
  const slash = path.lastIndexOf('/');
  const relsPath = `${path.slice(0, slash)}/_rels/${path.slice(slash + 1)}.rels`;
  const rels = files.get(relsPath);
  const parts: Part[] = [{ path, content, type }];
  if (!rels) return parts;
  parts.push({ path: relsPath, content: rels });
  for (const { target } of relationships(Buffer.from(rels).toString('utf8'))) {
    const file = files.get(`word/${target}`);
    if (file && target !== '') parts.push({ path: `word/${target}`, content: file });
  }
  return parts;
}

/** Extends the reference's style sheet by the writer's styles that it lacks. */
function mergedStyles(xml: string): Pick<Reference, 'styles' | 'addedStyles'> {
  const ids = new Map<string, string>();
  const usedNames = new Set<string>();
  let current = '';
  walkXml(xml, {
    open: ({ name, attributes }) => {
      if (name === 'w:style') {
        current = attributes['w:styleId'] ?? '';
        usedNames.add(current);
      } else if (name === 'w:name' && current !== '')
        ids.set((attributes['w:val'] ?? '').toLowerCase(), current);
    },
    close: (name) => {
      if (name === 'w:style') current = '';
    },
  });
  const missing = STYLES.filter((style) => !ids.has(style.name.toLowerCase()));
  for (const style of missing)
    ids.set(style.name.toLowerCase(), usedNames.has(style.id) ? `${style.id}Scriptorium` : style.id);
  const id = (name: string): string => ids.get(name.toLowerCase()) ?? name;
  const added = missing.map((style) => styleXml(style, id(style.name), id)).join('');
  const styles = { id, xml: xml.replace(/<\/w:styles>\s*$/, `${added}</w:styles>`), own: false };
  return { styles, addedStyles: missing.map(({ name }) => name) };
}

const PAGE_ELEMENTS = ['w:pgSz', 'w:pgMar'];

/** Reads page size and headers of the last section, which may inherit headers of an earlier section. */
function readSection(xml: string): Reference['section'] {
  const section: Reference['section'] = { headers: [], page: '', titlePage: false };
  let inside = false;
  walkXml(xml, {
    open: ({ name, attributes }) => {
      if (name === 'w:sectPr') {
        inside = true;
        section.page = '';
        section.titlePage = false;
      } else if (!inside) return;
      else if (name === 'w:headerReference' || name === 'w:footerReference') {
        const type = attributes['w:type'] ?? 'default';
        section.headers = section.headers.filter((known) => known.element !== name || known.type !== type);
        section.headers.push({ element: name, type, key: attributes['r:id'] ?? '' });
      } else if (name === 'w:titlePg') section.titlePage = true;
      else if (PAGE_ELEMENTS.includes(name)) section.page += elementText(name, attributes);
    },
    close: (name) => {
      if (name === 'w:sectPr') inside = false;
    },
  });
  return section;
}

function elementText(name: string, attributes: Record<string, string>): string {
  const pairs = Object.entries(attributes).filter(([key]) => key.startsWith('w:'));
  return `<${name}${pairs.map(([key, value]) => ` ${key}="${value}"`).join('')}/>`;
}

function layoutOf(page: string): Reference['layout'] {
  const number = (name: string): number => Number(new RegExp(`w:${name}="(\\d+)"`).exec(page)?.[1] ?? 0);
  const width = number('w');
  const height = number('h');
  if (width === 0 || height === 0) return null;
  return { width, height, margin: Math.max(Math.ceil((number('left') + number('right')) / 2), 0) };
}

interface SaxHandlers {
  open?(tag: SaxesTagPlain): void;
  close?(name: string): void;
  text?(text: string): void;
}

/**
 * Parses XML in one pass. An empty string is an empty document: many parts of a package are optional.
 *
 * @throws NotDocxError if the XML is not well-formed
 */
export function walkXml(xml: string, handlers: SaxHandlers): void {
  if (xml === '') return;
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on('error', (cause) => {
    throw new NotDocxError({ cause });
  });
  parser.on('opentag', (tag) => handlers.open?.(tag));
  parser.on('closetag', (tag) => handlers.close?.(tag.name));
  parser.on('text', (text) => handlers.text?.(text));
  parser.write(xml).close();
}
